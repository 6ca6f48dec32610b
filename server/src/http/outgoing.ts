import { Agent, request } from "undici";
import type { Post } from "../score/llm.ts";

/** Sends requests to the operator's language model. Redirects are not followed. */
export class Outgoing implements AsyncDisposable {
  readonly #agent = new Agent({ allowH2: false, connect: { timeout: 10_000 }, maxHeaderSize: 32 * 1024 });

  readonly post: Post = async (url, headers, body, signal) => {
    const answer = await request(url, { dispatcher: this.#agent, method: "POST", headers, body, signal });
    // A reader may stop before the end of the body; this is not an error.
    answer.body.on("error", () => {});
    return { status: answer.statusCode, body: answer.body };
  };

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}
