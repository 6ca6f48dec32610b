import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { deliveryIdOf } from "@tapewire/server/feed/delivery-id.ts";
import { printable } from "@tapewire/server/runtime/log-line.ts";
import { signatures, signingKey } from "@tapewire/server/webhooks/send/sign.ts";
import type { ItemEvent, StreamItem } from "tapewire";
import { asKey } from "../client.ts";
import { CliError } from "../errors.ts";
import { filtersOf } from "../filters.ts";
import { itemsOf } from "../follow.ts";
import type { Options } from "../options.ts";

interface Receiver {
  readonly url: string;
  readonly key: ReturnType<typeof signingKey>;
  readonly json: boolean;
}

const timeoutMs = 15_000;
/** Short delays: a developer restarts the receiver soon, or sees the failures. */
const retryDelaysMs = [1_000, 2_000, 5_000];
/**
 * Delivers items to a receiver like a webhook: in order, one at a time, at least once. Ends on Ctrl-C and prints the
 * cursor to continue with.
 */
export async function listen(_: string[], options: Options): Promise<number> {
  const receiver = receiverOf(options);
  let done: string | null = options.after ?? null;
  process.once("SIGINT", () => {
    if (done !== null) console.error(`To continue, use --after ${done}`);
    process.exit(0);
  });
  const stream = asKey(options).stream({ filters: filtersOf(options), after: options.after, states: true });
  for await (const event of itemsOf(stream)) {
    await forward(event, receiver);
    done = event.cursor;
  }
  return 0;
}

function receiverOf(options: Options): Receiver {
  const { "forward-to": url, secret, json = false } = options;
  if (!/^https?:$/.test(URL.parse(url ?? "")?.protocol ?? ""))
    throw new CliError("listen needs --forward-to with an http(s) address", 2);
  const used = secret ?? `whsec_${randomBytes(32).toString("base64")}`;
  if (secret === undefined) console.error(`Signing secret: ${used}`);
  try {
    return { url: url ?? "", key: signingKey(used), json };
  } catch (error) {
    throw new CliError(`--secret: ${error instanceof Error ? error.message : error}`, 2);
  }
}

/** Posts one item until the receiver accepts it or the attempts are used up. */
async function forward({ seq, latency, item }: ItemEvent, receiver: Receiver): Promise<void> {
  const id = deliveryIdOf(item.id, seq);
  const body = Buffer.from(
    JSON.stringify({ type: "feed.scored", timestamp: item.updated_at, data: item, seq, latency }),
  );
  for (let attempt = 1; ; attempt++) {
    const startedMs = performance.now();
    const answer = await post(receiver, id, body);
    const ms = Math.round(performance.now() - startedMs);
    const waitMs = answer.ok ? null : (retryDelaysMs[attempt - 1] ?? null);
    if (receiver.json) console.log(JSON.stringify({ id, attempt, ...answer, latency_ms: ms }));
    else console.log(line(item, { id, ms, waitMs, ...answer }));
    if (waitMs === null) return;
    await delay(waitMs);
  }
}

interface Outcome {
  readonly ok: boolean;
  /** HTTP status, or why there was no response. */
  readonly answer: string;
}

async function post({ url, key }: Receiver, id: string, body: Buffer): Promise<Outcome> {
  const timestampS = Math.floor(Date.now() / 1000);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "user-agent": "Tapewire",
        "webhook-id": id,
        "webhook-timestamp": String(timestampS),
        "webhook-signature": signatures({ id, timestampS, body }, [key]),
      },
      body: new Uint8Array(body),
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    await response.body?.cancel();
    return { ok: response.ok, answer: String(response.status) };
  } catch (error) {
    return { ok: false, answer: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return String(cause);
}

function line(
  { title, symbols }: StreamItem,
  { id, ms, ok, answer, waitMs }: Outcome & { id: string; ms: number; waitMs: number | null },
): string {
  const next = ok ? "" : waitMs === null ? "  given up" : `  retry in ${waitMs / 1000} s`;
  const names = symbols
    .map(({ symbol }) => symbol)
    .slice(0, 3)
    .join(",");
  const time = new Date().toISOString().slice(11, 19);
  return `${time}  ${answer.padEnd(4)} ${String(ms).padStart(5)} ms  ${id}  ${names || "-"}  ${printable(title ?? "")}${next}`;
}
