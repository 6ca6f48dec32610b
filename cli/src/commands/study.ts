/** study --prices FILE.csv: how prices moved after items, by the scores that the items had when they came. */
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { asKey } from "../client.ts";
import { CliError } from "../errors.ts";
import { filterOptions, filtersOf } from "../filters.ts";
import type { Options } from "../options.ts";
import { Progress } from "../progress.ts";
import { htmlReport } from "../study/html.ts";
import { Observer, type StudiedEntry, studiedEntry } from "../study/observations.ts";
import { timeReader } from "../study/price-times.ts";
import { type Prices, readPrices } from "../study/prices.ts";
import { reportOf, type StudyReport } from "../study/report.ts";
import { textReport } from "../study/text.ts";
import { instant, lengthOf, timeOf } from "../times.ts";

/** What the service chooses items by. */
const serviceOptions = [...filterOptions, "since", "until"] as const;

const fallback = { zone: "America/New_York", close: "16:00", moved: "2", horizons: "1h,1d,5d" };

export async function study(_: string[], options: Options): Promise<number> {
  const settings = settingsOf(options);
  const prices = await readPrices(settings.pricesPath, settings.timeOf);
  console.error(`${prices.rows} prices of ${prices.symbols.length} symbols read`);
  const index = indexOf(prices, options.index);
  const horizonsMs = settings.horizons.map((text) => lengthOf("horizons", text));
  const observer = new Observer({
    prices,
    index,
    horizonsMs,
    copies: options.copies === true,
    late: options.late === true,
  });
  const progress = new Progress("versions read");
  for await (const entry of entriesOf(options)) {
    observer.take(entry);
    progress.add();
  }
  progress.end();
  const report = reportOf(observer, {
    horizons: settings.horizons,
    abnormalFrom: settings.abnormalFrom,
    index: index?.symbol ?? null,
  });
  await print(report, options);
  if (report.items_studied > 0) return 0;
  console.error("No item could be studied. The report says why.");
  return 1;
}

async function print(report: StudyReport, options: Options): Promise<void> {
  console.log(options.json === true ? JSON.stringify(report, null, 2) : textReport(report));
  if (options.html === undefined) return;
  await writeFile(options.html, htmlReport(report));
  console.error(`The report is in ${options.html}`);
}

function settingsOf(options: Options) {
  const {
    prices: pricesPath,
    zone = fallback.zone,
    close = fallback.close,
    moved = fallback.moved,
  } = options;
  if (pricesPath === undefined) throw new CliError("study needs --prices FILE.csv", 2);
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(close))
    throw new CliError("--close must be a time of day such as 16:00", 2);
  const abnormalFrom = Number(moved);
  if (!(abnormalFrom > 0 && abnormalFrom <= 100))
    throw new CliError("--moved must be a number above 0, up to 100", 2);
  const bar = options["bar-length"];
  const horizons = (options.horizons ?? fallback.horizons).split(",").map((text) => text.trim());
  return {
    pricesPath,
    abnormalFrom,
    horizons: horizons.sort((a, b) => lengthOf("horizons", a) - lengthOf("horizons", b)),
    timeOf: timeReader({ zone, close, barMs: bar === undefined ? 0 : lengthOf("bar-length", bar) }),
  };
}

function indexOf(prices: Prices, symbol: string | undefined) {
  if (symbol === undefined) return null;
  const found = prices.find(symbol.toUpperCase());
  if (found === null) throw new CliError(`--index: the file has no prices of ${symbol}`, 2);
  return found;
}

/** Entries in the order of the log: from the file of --items, or from the service. */
function entriesOf(options: Options): AsyncIterable<StudiedEntry> {
  const { items, since, until } = options;
  if (items !== undefined) {
    const other = serviceOptions.find((name) => options[name] !== undefined);
    if (other !== undefined)
      throw new CliError(
        `--${other} is not for --items: the whole file is studied. Give it to tail instead`,
        2,
      );
    return linesOf(items);
  }
  const from = since === undefined ? undefined : new Date(instant(since));
  const to = until === undefined ? undefined : timeOf("until", until);
  return replayed(options, { from, to });
}

async function* replayed(options: Options, range: { from: Date | undefined; to: Date | undefined }) {
  for await (const { item, loggedAt } of asKey(options).replay({
    ...range,
    filters: filtersOf(options),
    speed: "max",
  }))
    yield { logged_at: loggedAt.toISOString(), data: item };
}

async function* linesOf(path: string): AsyncGenerator<StudiedEntry> {
  const input = path === "-" ? process.stdin : createReadStream(path);
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() === "") continue;
    yield parsed(text, `${path}, line ${line}`);
  }
}

function parsed(text: string, place: string): StudiedEntry {
  const read = studiedEntry.safeParse(jsonOf(text, place));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new CliError(`${place}: ${issue?.path.join(".")}: ${issue?.message}`);
}

function jsonOf(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(
      `${place}: this is not JSON. Write the file with: tail --replay TIME --speed max --json`,
    );
  }
}
