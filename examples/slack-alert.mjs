/**
 * Actionable items as messages in a Slack channel.
 *
 *   npm run -s example -- slack-alert https://hooks.slack.com/services/...
 *
 * The service itself sends the messages, tries again and keeps their order; this only sets it up, sends a test, and shows what
 * was delivered until you stop it. SYMBOLS=AAPL,MSFT limits it to these. With another format the same works for Discord and
 * Telegram.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Tapewire } from "tapewire";

const [url] = process.argv.slice(2);
if (url === undefined) {
  console.error("Give the address of an incoming webhook of Slack (api.slack.com/messaging/webhooks)");
  process.exit(2);
}

const symbols = process.env.SYMBOLS?.split(",");
const settings = {
  url,
  format: "slack",
  description: "Actionable items, to Slack",
  filters: { actionability: true, story_copies: false, ...(symbols === undefined ? {} : { symbols }) },
};

const tw = new Tapewire();
// Run again, this changes the endpoint instead of making a second one.
const { data: endpoints } = await tw.webhooks.list();
const known = endpoints.find((endpoint) => endpoint.url === url);
const { id } =
  known === undefined ? await tw.webhooks.create(settings) : await tw.webhooks.update(known.id, settings);

const test = await tw.webhooks.test(id);
if (!test.ok) {
  console.error(`Slack refused the test: ${test.status_code ?? test.error} ${test.response ?? ""}`);
  process.exit(1);
}
console.log(`endpoint ${id}: a test message is in the channel`);

let shown = -1;
for (;;) {
  const { delivered_total: delivered, matched_total: matched, status } = await tw.webhooks.get(id);
  if (delivered !== shown) console.log(`${delivered} of ${matched} items delivered (${status})`);
  shown = delivered;
  await sleep(2_000);
}
