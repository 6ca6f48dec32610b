/** The tables of an export, and what each column has. */
import type { EventMention, ReplayedItem, SymbolRef } from "tapewire";

export type ColumnType = "STRING" | "INT32" | "INT64" | "DOUBLE" | "BOOLEAN" | "TIMESTAMP";
type Value = string | number | bigint | boolean | Date | null | undefined;

interface Column<Row> {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly of: (row: Row) => Value;
}

/** A table: which rows a version of an item has in it, and their columns. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Pick<Column<never>, "name" | "type" | "nullable">[];
  /** One array per row, in the order of the columns. */
  readonly rows: (version: ReplayedItem) => Value[][];
}

function table<Row>(
  name: string,
  rows: (version: ReplayedItem) => readonly Row[],
  columns: readonly Column<Row>[],
): Table {
  return { name, columns, rows: (version) => rows(version).map((row) => columns.map(({ of }) => of(row))) };
}

const column = <Row>(name: string, type: ColumnType, of: (row: Row) => Value): Column<Row> => ({
  name,
  type,
  nullable: false,
  of,
});
const maybe = <Row>(name: string, type: ColumnType, of: (row: Row) => Value): Column<Row> => ({
  name,
  type,
  nullable: true,
  of,
});

const timeOf = (text: string | null) => (text === null ? null : new Date(text));

interface Part<Item> {
  readonly version: ReplayedItem;
  readonly position: number;
  readonly part: Item;
}

const parts = <Item>(version: ReplayedItem, items: readonly Item[]): Part<Item>[] =>
  items.map((part, position) => ({ version, position, part }));

interface Tag {
  readonly dimension: string;
  readonly value: string;
}

/** Rows of the other tables join those of `versions` by seq. */
const ofVersion = [
  column("seq", "INT64", ({ version }: Part<unknown>) => BigInt(version.seq)),
  column("id", "STRING", ({ version }: Part<unknown>) => version.item.id),
  column("position", "INT32", ({ position }: Part<unknown>) => position),
];

type Version = ReplayedItem;

export const tables: readonly Table[] = [
  table("versions", (version) => [version], [
    column("seq", "INT64", ({ seq }: Version) => BigInt(seq)),
    column("id", "STRING", ({ item }: Version) => item.id),
    column("revision", "INT32", ({ item }: Version) => item.revision),
    column("status", "STRING", ({ item }: Version) => item.status),
    column("logged_at", "TIMESTAMP", ({ loggedAt }: Version) => loggedAt),
    column("published_at", "TIMESTAMP", ({ item }: Version) => timeOf(item.published_at)),
    maybe("source_time", "TIMESTAMP", ({ item }: Version) => timeOf(item.source_time)),
    column("scraped_at", "TIMESTAMP", ({ item }: Version) => timeOf(item.scraped_at)),
    column("updated_at", "TIMESTAMP", ({ item }: Version) => timeOf(item.updated_at)),
    column("source", "STRING", ({ item }: Version) => item.source),
    column("provider_id", "STRING", ({ item }: Version) => item.provider_id),
    column("type", "STRING", ({ item }: Version) => item.type),
    maybe("form", "STRING", ({ item }: Version) => item.filing?.form),
    maybe("language", "STRING", ({ item }: Version) => item.language),
    maybe("title", "STRING", ({ item }: Version) => item.title),
    maybe("link", "STRING", ({ item }: Version) => item.link),
    column("story_id", "STRING", ({ item }: Version) => item.story_id),
    maybe("copy_of", "STRING", ({ item }: Version) => item.copy_of),
    maybe("symbol", "STRING", ({ item }: Version) => item.symbols[0]?.symbol),
    maybe("event", "STRING", ({ item }: Version) => item.event),
    maybe("actionability", "BOOLEAN", ({ item }: Version) => item.scoring.actionability),
    maybe("actionability_score", "DOUBLE", ({ item }: Version) => item.scoring.actionability_score),
    maybe("sentiment_short", "INT32", ({ item }: Version) => item.scoring.sentiment_short),
    maybe("sentiment_long", "INT32", ({ item }: Version) => item.scoring.sentiment_long),
    maybe("sentiment_conviction", "DOUBLE", ({ item }: Version) => item.scoring.sentiment_conviction),
    maybe("actionability_comment", "STRING", ({ item }: Version) => item.scoring.actionability_comment),
    maybe("sentiment_comment", "STRING", ({ item }: Version) => item.scoring.sentiment_comment),
  ]),
  table("symbols", (version) => parts(version, version.item.symbols), [
    ...ofVersion,
    column("symbol", "STRING", ({ part }: Part<SymbolRef>) => part.symbol),
    maybe("exchange", "STRING", ({ part }: Part<SymbolRef>) => part.exchange),
    maybe("short_symbol", "STRING", ({ part }: Part<SymbolRef>) => part.short_symbol),
  ]),
  table("events", (version) => parts(version, version.item.events), [
    ...ofVersion,
    column("name", "STRING", ({ part }: Part<EventMention>) => part.name),
    column("role", "STRING", ({ part }: Part<EventMention>) => part.role),
    maybe("symbol", "STRING", ({ part }: Part<EventMention>) => part.symbol),
    maybe("evidence", "STRING", ({ part }: Part<EventMention>) => part.evidence?.text),
  ]),
  table("tags", (version) => parts(version, tagsOf(version)), [
    ...ofVersion,
    column("dimension", "STRING", ({ part }: Part<Tag>) => part.dimension),
    column("value", "STRING", ({ part }: Part<Tag>) => part.value),
  ]),
];

function tagsOf({ item }: ReplayedItem): Tag[] {
  return Object.entries(item.tags).flatMap(([dimension, values]) =>
    values.map((value) => ({ dimension, value })),
  );
}
