import { deliveryStatus } from "@tapewire/contract/webhook-deliveries.ts";
import { toWebhook, type Webhook, type WebhookDelivery, type WebhookWithoutSecret } from "tapewire";
import { asKey } from "../client.ts";
import { CliError } from "../errors.ts";
import { filtersOf, webhookFilterOptions } from "../filters.ts";
import { counted } from "../numbers.ts";
import { checkTaken, type Options } from "../options.ts";
import { instant, place } from "../times.ts";

type Act = (given: readonly string[], options: Options) => Promise<number>;

interface Action {
  /** What follows its name. */
  readonly needs: readonly string[];
  readonly act: Act;
  /** Options in addition to those that all commands take. */
  readonly takes?: readonly (keyof Options)[];
}

const endpoint = "the id of an endpoint";
const delivery = "the id of a delivery (webhooks deliveries ID lists them)";

const actions: Readonly<Record<string, Action>> = {
  list: { needs: [], act: list },
  get: { needs: [endpoint], act: get },
  create: { needs: ["a URL"], act: create, takes: ["name", ...webhookFilterOptions] },
  test: { needs: [endpoint], act: test },
  rotate: { needs: [endpoint], act: rotate },
  deliveries: { needs: [endpoint], act: deliveries, takes: ["status"] },
  recover: { needs: [endpoint], act: recover, takes: ["since"] },
  resend: { needs: [endpoint, delivery], act: resend },
  replay: { needs: [endpoint], act: replay, takes: ["from", "to"] },
  delete: { needs: [endpoint], act: remove },
};

/** webhooks ACTION ... */
export async function webhooks([, name, ...given]: string[], options: Options): Promise<number> {
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    const names = Object.keys(actions);
    throw new CliError(`use webhooks ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`, 2);
  }
  const { needs, act, takes = [] } = action;
  const missing = needs[given.length];
  if (missing !== undefined) throw new CliError(`webhooks ${name} needs ${missing}`, 2);
  if (given.length > needs.length)
    throw new CliError(`webhooks ${name} does not take '${given[needs.length]}'`, 2);
  checkTaken(`webhooks ${name}`, options, takes);
  return act(given, options);
}

async function list(_: readonly string[], options: Options): Promise<number> {
  const { data } = await asKey(options).webhooks.list();
  if (options.json === true) console.log(JSON.stringify(data));
  else for (const one of data) console.log(row(one));
  return 0;
}

/** Of an endpoint all that an operator of a receiver asks for, its secret among it. */
async function get([id = ""]: readonly string[], options: Options): Promise<number> {
  const one = await asKey(options).webhooks.get(id);
  if (options.json === true) console.log(JSON.stringify(one));
  else console.log([row(one), ...linesOf(one)].join("\n"));
  return 0;
}

function linesOf(one: Webhook): readonly string[] {
  const last =
    one.last_delivery_at === null ? "none" : `${one.last_delivery_at}, HTTP ${one.last_status ?? "-"}`;
  const both =
    one.rotation_ends_at === null ? "" : ` (the previous one signs too until ${one.rotation_ends_at})`;
  return [
    ...(one.description === null ? [] : [`Name: ${one.description}`]),
    `Filters: ${JSON.stringify(one.filters)}`,
    `Format: ${one.format}`,
    `Last delivery: ${last}`,
    `Signing secret: ${one.secret}${both}`,
  ];
}

async function create([url = ""]: readonly string[], options: Options): Promise<number> {
  const filters = toWebhook(filtersOf(options));
  const made = await asKey(options).webhooks.create({ url, description: options.name, filters });
  if (options.json === true) console.log(JSON.stringify(made));
  else console.log(`${row(made)}\nSigning secret: ${made.secret}`);
  return 0;
}

/** Sends a test event. Returns 1 when the receiver did not answer with 2xx. */
async function test([id = ""]: readonly string[], options: Options): Promise<number> {
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

async function rotate([id = ""]: readonly string[], options: Options): Promise<number> {
  const turned: Webhook = await asKey(options).webhooks.rotate(id);
  if (options.json === true) console.log(JSON.stringify(turned));
  else
    console.log(
      `Signing secret: ${turned.secret}\nThe previous secret signs too until ${turned.rotation_ends_at}.`,
    );
  return 0;
}

async function deliveries([id = ""]: readonly string[], options: Options): Promise<number> {
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

async function recover([id = ""]: readonly string[], options: Options): Promise<number> {
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

async function resend([id = "", deliveryId = ""]: readonly string[], options: Options): Promise<number> {
  const result = await asKey(options).webhooks.resend(id, deliveryId);
  console.log(
    options.json === true ? JSON.stringify(result) : `${deliveriesOf(result.queued)} will be sent again`,
  );
  return 0;
}

async function replay([id = ""]: readonly string[], options: Options): Promise<number> {
  const to = options.to === undefined ? {} : { to: place(options.to, "to") };
  const range = { from: place(options.from, "from"), ...to };
  const result = await asKey(options).webhooks.replay(id, range);
  const { from_seq: from, to_seq: until } = result;
  if (options.json === true) console.log(JSON.stringify(result));
  else if (from > until) console.log("the range has no items");
  else console.log(`items of the log from ${from} to ${until} that match the filters will be sent again`);
  return 0;
}

async function remove([id = ""]: readonly string[], options: Options): Promise<number> {
  const result = await asKey(options).webhooks.delete(id);
  console.log(options.json === true ? JSON.stringify(result) : `${result.id} is deleted`);
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
