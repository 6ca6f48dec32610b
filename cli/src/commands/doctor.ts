import { printable } from "@tapewire/server/runtime/log-line.ts";
import type { SourceHealth, SourceProbe } from "tapewire";
import { asAdmin } from "../client.ts";
import { CliError } from "../errors.ts";
import type { Options } from "../options.ts";

const marks = { ok: "ok", waiting: "wait", stale: "STALE", failing: "FAIL", disabled: "off" } as const;

/**
 * Prints the health of every source, with advice; or everything about one source, and fetches it once. Returns 1 when
 * there is a problem. When the network of the service's machine is down, prints one line instead of one per source.
 */
export async function doctor([, id]: string[], options: Options): Promise<number> {
  const service = asAdmin(options);
  const { data: all } = await service.request("GET /admin/v1/sources");
  if (id === undefined) return examineAll(all, options);
  const source = all.find((one) => one.id === id);
  if (source === undefined)
    throw new CliError(`There is no source '${id}'. Sources: ${all.map((one) => one.id).join(", ")}`);
  const probe = await service.request("POST /admin/v1/sources/{id}/probe", { params: { id } });
  if (options.json === true) console.log(JSON.stringify({ ...source, probe }));
  else for (const line of [...described(source), ...probed(probe)]) print(line);
  const away = probe.ok || options.json === true ? null : networkAway(all);
  if (away !== null) print(away);
  return isIll(source) || !probe.ok ? 1 : 0;
}

function examineAll(all: readonly SourceHealth[], options: Options): number {
  const away = options.json === true ? null : networkAway(all);
  if (away !== null) {
    print(away);
    return 1;
  }
  const shown = options.json === true ? [] : all.filter(({ enabled }) => enabled);
  if (options.json === true) console.log(JSON.stringify(all));
  for (const { status, id, items, newest_item_at, lag_ms, advice } of shown) {
    const newest = newest_item_at === null ? "no item yet" : `newest ${ago(newest_item_at)}`;
    const lag = lag_ms === null ? "" : `, lag ${duration(lag_ms.p50)}`;
    console.log(`${marks[status].padEnd(6)}${id.padEnd(28)}${items} items, ${newest}${lag}`);
    if (advice !== null) print(`      ${advice}`);
  }
  const ill = all.filter(isIll);
  if (options.json !== true) {
    const off = all.length - shown.length;
    console.log(
      `${shown.length} sources, ${ill.length} with a problem, ${off} off. For details of one source: doctor ID`,
    );
  }
  return ill.length > 0 ? 1 : 0;
}

/** Titles, errors and addresses come from sources and may contain control characters. */
function print(line: string): void {
  console.log(printable(line));
}

/** A line that says that the network is down and the sources are not to blame; null when it is not. */
function networkAway(all: readonly SourceHealth[]): string | null {
  const polled = all.filter(({ enabled, last_poll_at }) => enabled && last_poll_at !== null);
  const doubted = polled.filter(({ reach }) => reach === "doubted");
  const [first] = doubted;
  const hosts = new Set(doubted.map(({ url }) => new URL(url).host));
  if (first === undefined || (hosts.size < 2 && doubted.length < polled.length)) return null;
  return `No source can be reached (tried ${doubted.length} of ${polled.length}, ${first.last_error ?? "no answer"}): check the network and the DNS of the machine that polls. The sources are tried again every few seconds.`;
}

function isIll({ status }: SourceHealth): boolean {
  return status === "failing" || status === "stale";
}

function described(source: SourceHealth): string[] {
  const { lag_ms, typical_gap_s, gaps } = source;
  return [
    `${source.id} (${source.format}) ${source.url}`,
    `status            ${source.status}${source.advice === null ? "" : `: ${source.advice}`}`,
    `last poll         ${when(source.last_poll_at)}, last successful ${when(source.last_ok_at)}, next ${source.next_poll_at ?? "not scheduled"}`,
    `items             ${source.items}, newest ${when(source.newest_item_at)}`,
    ...(typical_gap_s === null ? [] : [`typical gap       an item every ${duration(typical_gap_s * 1000)}`]),
    ...(lag_ms === null
      ? []
      : [`lag               p50 ${duration(lag_ms.p50)}, p99 ${duration(lag_ms.p99)}`]),
    ...(source.pending_documents === 0 ? [] : [`documents to read ${source.pending_documents}`]),
    ...(source.reconciled_to === null ? [] : [`archive read to   ${source.reconciled_to}`]),
    ...(source.damped === 0 ? [] : [`versions damped   ${source.damped}, last ${when(source.damped_at)}`]),
    ...(source.pushed ? ["hub               announces new items"] : []),
    ...gaps.map(
      ({ from, to, reason, closed_at }) =>
        `gap               ${from ?? "?"} .. ${to ?? "?"}: ${reason}${closed_at === null ? "" : " (closed)"}`,
    ),
  ];
}

function probed(probe: SourceProbe): string[] {
  if (!probe.ok) return [`fetch now         failed after ${duration(probe.took_ms)}: ${probe.error}`];
  return [
    `fetch now         ${probe.items} items, ${probe.unknown_items} of them not in the feed yet; ${probe.bytes} bytes in ${duration(probe.took_ms)}${probe.salvaged === true ? "; the document is damaged" : ""}`,
    `newest item       ${when(probe.newest_item_at)}`,
    ...probe.titles.map((title) => `                  ${title.slice(0, 100)}`),
  ];
}

function when(at: string | null): string {
  return at === null ? "never" : `${at} (${ago(at)})`;
}

function ago(at: string): string {
  return `${duration(Math.max(0, Date.now() - Date.parse(at)))} ago`;
}

function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 120_000) return `${Math.round(ms / 1_000)} s`;
  if (ms < 7_200_000) return `${Math.round(ms / 60_000)} min`;
  return ms < 172_800_000 ? `${Math.round(ms / 3_600_000)} h` : `${Math.round(ms / 86_400_000)} days`;
}
