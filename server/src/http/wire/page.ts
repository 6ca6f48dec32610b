import { sendAnswer } from "./answer.ts";
import type { Router } from "./router.ts";
import type { Answer, Params } from "./types.ts";

/** Adds a page that is not in the contract. It needs no key and is served even when the service is not ready. */
export function mountPage(
  router: Router,
  path: string,
  answer: (params: Params) => Answer | Promise<Answer>,
): void {
  router.add("GET", path, async (exchange, params) => {
    exchange.headers["Cache-Control"] = "no-cache";
    await sendAnswer(exchange, 200, await answer(params));
  });
}
