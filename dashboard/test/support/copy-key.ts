import type { Page } from "playwright-core";

/** Copies the key that is shown once, by the browser or by hand: until then the page asks before it closes the dialog. */
export async function copyKey(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Copy key" }).click();
  const byHand = page.getByLabel("key, press copy");
  await page.getByText("Copied", { exact: true }).or(byHand).waitFor();
}
