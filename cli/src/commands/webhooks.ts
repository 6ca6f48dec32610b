import { deliveryStatus } from "@tapewire/contract/webhook-deliveries.ts";
import { toWebhook, type Webhook, type WebhookDelivery, type WebhookWithoutSecret } from "tapewire";
import { asKey } from "../client.ts";
import { CliError } from "../errors.ts";
import { filtersOf } from "../filters.ts";
import { counted } from "../numbers.ts";
import type { Options } from "../options.ts";
import { instant } from "../times.ts";

/** webhooks list | create | test | rotate | deliveries | recover */
export async function webhooks([, action, subject]: string[], options: Options): Promise<number> {
  const actions = { list, create, test, rotate, deliveries, recover } as const;
  const act = Object.entries(actions).find(([name]) => name === action)?.[1];
  if (act === undefined)
    throw new CliError("use webhooks list, create, test, rotate, deliveries or recover", 2);
  if (act !== list && subject === undefined)
    throw new CliError(
      `webhooks ${action} needs ${action === "create" ? "a URL" : "the id of an endpoint"}`,
      2,
    );
  return act(subject ?? "", options);
}

async function list(_: string, options: Options): Promise<number> {
  const { data } = await asKey(options).webhooks.list();
  if (options.json === true) console.log(JSON.stringify(data));
  else for (const one of data) console.log(row(one));
  return 0;
}

async function create(url: string, options: Options): Promise<number> {
  const filters = toWebhook(filtersOf(options));
  const made = await asKey(options).webhooks.create({ url, description: options.name, filters });
  if (options.json === true) console.log(JSON.stringify(made));
  else console.log(`${row(made)}\nSigning secret: ${made.secret}`);
  return 0;
}

/** Sends a test event. Returns 1 when the receiver did not answer with 2xx. */
async function test(id: string, options: Options): Promise<number> {
  const result = await asKey(options).webhooks.test(id);
  const { ok, status_code, error, latency_ms, response } = result;
  if (options.json === true) console.log(JSON.stringify(result));
  else {
    const answer = status_code === null ? error : `HTTP ${status_code}`;
    console.log(`${ok ? "delivered" : "failed"}: ${answer} in ${latency_ms} ms`);
    if (response !== null) console.log(response);
  }
  return ok ? 0 : 1;
}

async function rotate(id: string, options: Options): Promise<number> {
  const turned: Webhook = await asKey(options).webhooks.rotate(id);
  if (options.json === true) console.log(JSON.stringify(turned));
  else
    console.log(
      `Signing secret: ${turned.secret}\nThe previous secret signs too until ${turned.rotation_ends_at}.`,
    );
  return 0;
}

async function deliveries(id: string, options: Options): Promise<number> {
  const status = deliveryStatus.optional().safeParse(options.status);
  if (!status.success) throw new CliError(`--status must be one of ${deliveryStatus.options.join(", ")}`, 2);
  const { items: data } = await asKey(options).webhooks.deliveryPage(id, { status: status.data });
  if (options.json === true) console.log(JSON.stringify(data));
  else if (data.length === 0) console.log(await noDeliveries(id, options));
  else for (const one of data) console.log(deliveryRow(one));
  return 0;
}

/** A first failure is due, not failed: whoever asks for failures is told of those. */
async function noDeliveries(id: string, options: Options): Promise<string> {
  const which =
    options.status === undefined ? "no deliveries" : `no deliveries with status ${options.status}`;
  const due = await dueOf(id, options);
  return due === 0 || options.status === "due" ? which : `${which} (${due} ${is(due)} due)`;
}

/** Deliveries that wait for their next attempt. */
async function dueOf(id: string, options: Options): Promise<number> {
  return (await asKey(options).webhooks.stats(id)).due;
}

const is = (count: number) => (count === 1 ? "is" : "are");

async function recover(id: string, options: Options): Promise<number> {
  const result = await asKey(options).webhooks.recover(id, { since: instant(options.since) });
  if (options.json === true) console.log(JSON.stringify(result));
  else if (result.queued > 0) console.log(`${deliveriesOf(result.queued)} will be sent again`);
  else {
    const due = await dueOf(id, options);
    const others =
      due === 0
        ? "none is due"
        : `${due} ${is(due)} due and will be sent by ${due === 1 ? "itself" : "themselves"}`;
    console.log(`0 given up since then; ${others}`);
  }
  return 0;
}

const deliveriesOf = (count: number) => `${count} ${count === 1 ? "delivery" : "deliveries"}`;

function row(one: WebhookWithoutSecret): string {
  const trouble =
    one.disabled_reason ?? (one.failing_since === null ? "" : `failing since ${one.failing_since}`);
  const counts = `${one.delivered_total}/${one.matched_total} delivered`;
  return [one.id, one.status, counts, one.url, trouble].join("  ").trimEnd();
}

function deliveryRow({ id, status, attempts, next_attempt_at }: WebhookDelivery): string {
  const last = attempts.at(-1);
  const answer = last === undefined ? "-" : String(last.status_code ?? last.error);
  const next = next_attempt_at === null ? "" : `next attempt at ${next_attempt_at}`;
  const tries = counted(attempts.length, "attempt");
  return [last?.at ?? "-".padEnd(24), status.padEnd(9), answer.padEnd(4), tries, id, next]
    .join("  ")
    .trimEnd();
}
