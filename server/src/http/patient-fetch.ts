import { Agent, fetch } from "undici";

let agent: Agent | undefined;

/**
 * Node's own `fetch` gives up after five minutes without an answer, and after five minutes of silence within one. This one
 * waits for as long as its signal lets it. For the client library, which asks by an address and sends text.
 */
export const patientFetch: typeof globalThis.fetch = (address, { body, headers, ...init } = {}) => {
  agent ??= new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  return fetch(String(address), {
    ...init,
    headers: Object.fromEntries(new Headers(headers)),
    ...(typeof body === "string" && { body }),
    dispatcher: agent,
  });
};
