/** How a receiver verifies a delivery. The secret is read from the environment, never written into code. */
export const verifySnippets = {
  SDK: `import { verify } from "tapewire/webhook";

// body: the raw text or bytes of the request, before any parsing
const event = await verify(body, request.headers, process.env.TAPEWIRE_WEBHOOK_SECRET);
if (event.type === "feed.scored") console.log(event.data.title);`,
  Node: `import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.TAPEWIRE_WEBHOOK_SECRET);
const { type, data } = webhook.verify(body, request.headers);
if (type === "feed.scored") console.log(data.title);`,
  Python: `import os
from tapewire import verify_webhook

event = verify_webhook(body, request.headers, os.environ["TAPEWIRE_WEBHOOK_SECRET"])
if event["type"] == "feed.scored":
    print(event["data"]["title"])`,
} as const;
