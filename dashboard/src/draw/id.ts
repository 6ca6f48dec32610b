import { useState } from "preact/hooks";

let made = 0;

/** An id of an element. Preact's own makes ids that a server's page would have as well, which costs more. */
export const useId = (): string => useState(() => `id${made++}`)[0];
