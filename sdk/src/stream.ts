/** `tapewire/stream`: the stream alone, for programs that need nothing else. */
export * from "./stream/stream.ts";
