import type { Service } from "./service.ts";
import { StreamClient } from "./stream-client.ts";

/** Unlike any other: what is not unlike would be a duplicate. */
let made = 0;
export const notice = (facts: object = {}) => {
  made += 1;
  return { title: `Notice ${made}`, external_id: `notice-${made}`, ...facts };
};
export const notices = (count: number, facts: object = {}) =>
  Array.from({ length: count }, () => notice(facts));

export const titles = (frames: readonly { data: { title: string | null } }[]) =>
  frames.map(({ data }) => data.title);

/** A connection with its welcome read. */
export async function connect(
  service: Service,
  key: string,
  options: { compress?: boolean } = {},
): Promise<StreamClient> {
  const client = await StreamClient.connect(service.app.wsUrl, { key, ...options });
  await client.next("welcome");
  return client;
}

/** The server hears of the end of a connection after its client: until then it still counts. */
export async function connectAgain(service: Service, key: string): Promise<StreamClient> {
  // Bounded, so that a connection that is never taken off the count fails the test.
  for (let tries = 1; ; tries++) {
    try {
      return await connect(service, key);
    } catch (error) {
      if (!String(error).includes("429") || tries === 300) throw error;
    }
  }
}
