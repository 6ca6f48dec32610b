import assert from "node:assert/strict";
import { queued } from "@tapewire/contract/webhook-deliveries.ts";
import { onAnyEngine } from "../../support/db.ts";
import { startReceivers, until } from "../../support/receiver.ts";
import { list, make, startDelivering, twoAccounts } from "./webhooks/deliveries-client.ts";

onAnyEngine(
  "an order that is given while an attempt is under way outlives its failure",
  async (_, engine) => {
    const late = Promise.withResolvers<number>();
    await using receivers = await startReceivers({
      "/late": (_received, before) => (before === 0 ? late.promise : 204),
    });
    await using service = await startDelivering(engine);
    const { mine } = await twoAccounts(service);
    const { id } = await make(mine, { url: receivers.url("/late") });
    await service.push({ title: "Ordered again while it is sent" });
    const read = () => mine.answer(list, 200, "GET", `/${id}/deliveries`);
    await until(async () => (await read()).data[0]?.status === "due", "the attempt that hangs is told");
    const [delivery] = (await read()).data;
    await mine.answer(queued, 202, "POST", `/${id}/deliveries/${delivery?.id}/resend`);
    late.resolve(503);
    await until(() => receivers.at("/late").length === 2, "it is sent again");
    await until(async () => (await read()).data[0]?.attempts.length === 2, "both attempts are told");
    assert.deepEqual(
      (await read()).data[0]?.attempts.map(({ trigger, ok }) => [trigger, ok]),
      [
        ["item", false],
        ["resend", true],
      ],
    );
  },
);
