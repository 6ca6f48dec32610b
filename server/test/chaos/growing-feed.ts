import { listenLocally } from "../support/http.ts";

const everyMs = 400;

/** A feed that gets another item now and then, for the role ingest to poll. */
export class GrowingFeed implements AsyncDisposable {
  readonly titles: string[] = [];
  readonly #server: Awaited<ReturnType<typeof listenLocally>>;
  readonly #timer: NodeJS.Timeout;
  #isPaused = true;

  private constructor(server: Awaited<ReturnType<typeof listenLocally>>) {
    this.#server = server;
    this.#timer = setInterval(() => {
      if (!this.#isPaused) this.titles.push(`Tallis Freight opens depot ${this.titles.length} in Arden`);
    }, everyMs);
  }

  static async start(): Promise<GrowingFeed> {
    const feed: { titles: readonly string[] } = { titles: [] };
    const server = await listenLocally((_, response) => {
      // As many as may come while no process polls it.
      const items = feed.titles
        .map((title, n) => `<item><title>${title}</title><guid isPermaLink="false">depot-${n}</guid></item>`)
        .slice(-200)
        .reverse();
      response.setHeader("content-type", "application/rss+xml");
      response.end(`<rss version="2.0"><channel><title>Tallis</title>${items.join("")}</channel></rss>`);
    });
    const growing = new GrowingFeed(server);
    feed.titles = growing.titles;
    return growing;
  }

  get source(): object {
    return {
      id: "tallis",
      name: "tallis",
      provider: "tallis",
      format: "feed",
      url: `${this.#server.origin}/feed`,
      interval_s: 1,
      requests_per_s: 20,
    };
  }

  pause(): void {
    this.#isPaused = true;
  }

  goOn(): void {
    this.#isPaused = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#server[Symbol.asyncDispose]();
  }
}
