import { lazy as loaded } from "preact-iso";

/**
 * A component that is loaded when it is drawn. A page that was opened before the service was updated asks for files that are
 * gone: it is loaded again.
 */
export const lazy: typeof loaded = (load) =>
  loaded(() =>
    load().catch((error: unknown) => {
      location.reload();
      throw error;
    }),
  );
