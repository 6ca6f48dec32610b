import { sendAnswer } from "./answer.ts";
import type { Router } from "./router.ts";
import type { Answer, Params } from "./types.ts";

/** Puts a page outside of the contract on the server, for everybody and whether it is ready or not. */
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
