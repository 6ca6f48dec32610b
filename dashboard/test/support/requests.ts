import type { Page, Route } from "playwright-core";

/** The service refuses the next such request. */
export async function refusedOnce(page: Page, method: string, address: string): Promise<void> {
  let isLeft = true;
  const json = { title: "Too busy", status: 503, code: "overloaded" };
  await page.route(address, (route) => {
    if (!isLeft || route.request().method() !== method) return route.fallback();
    isLeft = false;
    return route.fulfill({ status: 503, contentType: "application/problem+json", json });
  });
}

/** Holds the next request to an address. */
export async function held(
  page: Page,
  address: string,
): Promise<{ asked: Promise<Route>; go: () => Promise<void> }> {
  const { promise: asked, resolve } = Promise.withResolvers<Route>();
  await page.route(address, resolve, { times: 1 });
  const go = async () => {
    const route = await asked;
    const answered = page.waitForResponse((answer) => answer.request() === route.request());
    await route.continue();
    await (await answered).finished();
  };
  return { asked, go };
}
