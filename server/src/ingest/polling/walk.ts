import type { SourceConfig } from "../../config/sources.ts";
import type { Signal } from "../../runtime/sharing/signal.ts";
import type { IdentityRules } from "../../store/append/append-request.ts";
import type { Db } from "../../store/engine/db.ts";
import { type KeptAnswer, keepAnswer } from "../../store/intake/raw-answers.ts";
import { type SourceState, saveWalkStart } from "../../store/intake/sources.ts";
import { type Adapters, type ParsedPage, ParseError } from "../adapter.ts";
import { documentOf } from "../documents/documents.ts";
import type { Fetcher } from "../fetch/fetcher.ts";
import type { Fetched, FetchRequest, Validators } from "../fetch/types.ts";
import { newsOf } from "../pipeline/news.ts";
import { ingest, type PipelineDeps } from "../pipeline/pipeline.ts";
import type { RawItem } from "../raw-item.ts";
import type { PageReader, ReadingTime } from "../reading/page-reader.ts";
import { PageBorder } from "./page-border.ts";

/** An archive that is requested again. */
export interface ArchiveRetry {
  readonly day: string;
  readonly atMs: number;
  /** Since when only damaged answers have come; null: the last try brought none. */
  readonly damagedSinceMs: number | null;
}

export interface WalkDeps extends PipelineDeps {
  readonly db: Db;
  /** The writer's rules. */
  readonly rules: IdentityRules;
  readonly fetcher: Fetcher;
  readonly adapters: Adapters;
  readonly reader: PageReader;
  /** Wakes the reader of documents. */
  readonly documentsWake: Signal;
  /** By source. */
  readonly archiveRetries: Map<string, ArchiveRetry>;
  /** How many days answers are kept; 0: not at all. */
  readonly rawDays: number;
  /** Whether nothing can be stored at the moment; absent: never. */
  readonly isStorageFull?: () => boolean;
}

/** The result of a walk over a source's pages. */
export interface WalkResult {
  readonly created: number;
  readonly revised: number;
  readonly pages: number;
  /** undefined: unchanged. */
  readonly validators: Validators | undefined;
  readonly ttlMs: number | null;
  readonly freshForMs: number | null;
  readonly hub: ParsedPage["hub"];
  readonly movedTo: string | null;
  /** The walk had a floor and reached it. */
  readonly swept: boolean;
  /** Items may be missing between the newest known one and the oldest that could be read. */
  readonly overrun: { readonly from: Date; readonly to: Date } | null;
  /** What was left out of its answers because there was too much of it; undefined: nothing was read. */
  readonly cut: string | null | undefined;
  /** Items that were left out because they are older than what is kept; undefined: nothing was read. */
  readonly tooOld: number | undefined;
}

export interface WalkContext {
  readonly deps: WalkDeps;
  readonly source: SourceConfig;
  readonly state: SourceState;
  readonly signal: AbortSignal;
  /** Adds up while the answers of the poll are read. */
  readonly spent: ReadingTime;
}

/** When all items of a shorter list are new, that does not show that some were missed. */
const leastWindow = 5;

/**
 * Reads page after page while pages bring something new; reads every page on the first walk, and after an incomplete one,
 * since then newer pages may be known while older ones are not. A page without wanted items does not end the walk. Items
 * commit page by page: a crash at any point only repeats fetches.
 */
export async function walkSource(context: WalkContext): Promise<WalkResult> {
  const { deps, source, state } = context;
  const border = new PageBorder(deps.adapters[source.format]);
  const seen: Seen = {
    created: 0,
    revised: 0,
    pages: 0,
    firstAnswer: null,
    firstPage: null,
    oldest: null,
    names: new Set(),
    metKnown: !state.backfilled,
    cut: null,
    tooOld: 0,
  };
  const floor = await walkPages(context, seen, border).catch(async (error: unknown) => {
    // What waits is news even when its next page cannot be read.
    if (!context.signal.aborted) await store(context, border.release());
    throw error;
  });
  const { created, revised, pages, firstAnswer, firstPage, oldest, metKnown, cut } = seen;
  // In a walk that continues an incomplete one, items stored by that one prove nothing.
  const before = state.walking ? state.walk_from : state.newest_item_at;
  const joins = metKnown && !state.walking;
  const overrun =
    state.backfilled && !joins && oldest !== null && before !== null && oldest > before
      ? { from: before, to: oldest }
      : null;
  // A damaged document is requested in full again.
  const validators =
    firstAnswer?.status === "ok" && firstPage?.salvaged !== true ? firstAnswer.validators : undefined;
  return {
    created,
    revised,
    pages,
    validators,
    ttlMs: firstPage?.ttlMs ?? null,
    freshForMs: firstAnswer?.freshForMs ?? null,
    hub: firstPage?.hub ?? null,
    movedTo: firstAnswer?.movedTo ?? null,
    swept: floor !== null,
    overrun,
    cut: firstPage === null ? undefined : cut,
    tooOld: firstPage === null ? undefined : seen.tooOld,
  };
}

/** What a walk has found so far. */
interface Seen {
  created: number;
  revised: number;
  pages: number;
  /** The walk's first answer, and its page. */
  firstAnswer: Fetched | null;
  firstPage: ParsedPage | null;
  oldest: Date | null;
  /** Of its new items. Pages repeat items, within them and after another when the list grows: such an item was not known before. */
  readonly names: Set<string>;
  metKnown: boolean;
  /** What was left out of pages that were too long. */
  cut: string | null;
  tooOld: number;
}

/** @returns the floor of the walk */
async function walkPages(context: WalkContext, seen: Seen, border: PageBorder): Promise<Date | null> {
  const { deps, source, state } = context;
  const everyPage = !state.backfilled || state.walking;
  const adapter = deps.adapters[source.format];
  const { request: first, floor } = adapter.plan(source, {
    now: deps.clock.now(),
    sweptAt: state.swept_at,
  });
  const known = everyPage ? null : { etag: state.etag, lastModified: state.last_modified };
  let request: FetchRequest | null = first;
  while (request !== null && seen.pages < source.max_pages) {
    // The validators are the first page's. Another page may have the same date and other items.
    const fetched = await fetchFor(context, request, request === first ? known : null);
    seen.firstAnswer ??= fetched;
    if (fetched.status === "not_modified") {
      seen.metKnown = true;
      break;
    }
    const page = await parsed(context, fetched);
    seen.firstPage ??= page;
    seen.cut ??= page.cut;
    seen.pages += 1;
    const scope = { sourceId: source.id, adapter, rules: deps.rules };
    const { listed, fresh, changed, tooOld } = await newsOf(deps.db, page.items, scope);
    seen.tooOld += tooOld;
    await keepIfNews(context, fetched, page, fresh.length + changed.length);
    const { own, whole } = border.meet(fresh, page.items.at(-1));
    seen.oldest = earlier(seen.oldest, page.items);
    for (const name of fresh.flatMap(({ identity }) => identity)) seen.names.add(name);
    const isKnown = ({ identity }: RawItem) => !identity.some((name) => seen.names.has(name));
    seen.metKnown ||= listed < leastWindow || page.items.some(isKnown);
    const allKnown = page.items.length > 0 && own.length === 0;
    const passedFloor = floor === null || (seen.oldest !== null && seen.oldest < floor);
    request = allKnown && passedFloor && !everyPage ? null : page.nextPage;
    const follows = request !== null && seen.pages < source.max_pages;
    const news = follows ? border.hold(own, page.items.at(-1)) : own;
    await storeCounted(context, seen, [...whole, ...news, ...changed], page.retracted);
  }
  await storeCounted(context, seen, border.release());
  return floor;
}

async function storeCounted(
  context: WalkContext,
  seen: Seen,
  items: readonly RawItem[],
  retracted?: readonly string[],
): Promise<void> {
  const { created, revised } = await store(context, items, retracted);
  seen.created += created;
  seen.revised += revised;
}

export function fetchFor(
  { deps, source, signal }: WalkContext,
  request: FetchRequest,
  validators: Validators | null,
): Promise<Fetched> {
  return deps.fetcher.fetch(request, { validators, asker: source, signal });
}

/** Keeps answers that cannot be parsed: a corrected reader may. */
async function parsed(
  context: WalkContext,
  fetched: Extract<Fetched, { status: "ok" }>,
): Promise<ParsedPage> {
  try {
    return await context.deps.reader.page(fetched.response, context);
  } catch (error) {
    if (error instanceof ParseError) await keep(context, fetched.response);
    throw error;
  }
}

/** Keeps an answer only if it brought something new. */
async function keepIfNews(
  context: WalkContext,
  { response }: Extract<Fetched, { status: "ok" }>,
  page: ParsedPage,
  news: number,
): Promise<void> {
  const isPart = page.salvaged || page.cut !== null;
  if (news > 0 || isPart || page.retracted.length > 0) await keep(context, response);
}

/** Not those of a source that keeps headlines only: they have the texts. */
async function keep({ deps, source }: WalkContext, answer: Omit<KeptAnswer, "sourceId">): Promise<void> {
  if (deps.rawDays > 0 && !source.headline_only)
    await keepAnswer(deps.db.main, { sourceId: source.id, ...answer });
}

/** Oldest first, in the order of their publication. */
export async function store(
  { deps, source, state }: WalkContext,
  items: readonly RawItem[],
  retracted: readonly string[] = [],
): Promise<{ created: number; revised: number }> {
  if (items.length === 0 && retracted.length === 0) return { created: 0, revised: 0 };
  await saveWalkStart(deps.db.main, source.id);
  const backfill = !state.backfilled;
  const time = ({ publishedAt }: RawItem) => publishedAt?.getTime() ?? 0;
  const inOrder = items.toReversed().sort((a, b) => time(a) - time(b));
  const outcomes = await ingest(deps, inOrder, {
    sourceId: source.id,
    backfill,
    retracted,
    pendingOf: (item) => documentOf(item, { source, adapter: deps.adapters[source.format], backfill }),
  });
  deps.documentsWake.notify();
  const count = (wanted: string) => outcomes.filter(({ status }) => status === wanted).length;
  return { created: count("created"), revised: count("revised") };
}

function earlier(oldest: Date | null, items: readonly RawItem[]): Date | null {
  return items.reduce<Date | null>(
    (least, { publishedAt }) =>
      publishedAt !== null && (least === null || publishedAt < least) ? publishedAt : least,
    oldest,
  );
}
