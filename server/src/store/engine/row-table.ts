import { type RawBuilder, sql } from "kysely";

type Cell = string | number | boolean | Date | null;

/**
 * Rows as the table `r` of a statement, with one array per column as its parameters. The embedded database reads such
 * arrays in half the time that it needs for the same rows in JSON.
 * @param columns properties of the rows with their types
 */
export function rowTable<Name extends string>(
  rows: readonly Readonly<Record<Name, Cell>>[],
  columns: readonly (readonly [name: Name, type: string])[],
): RawBuilder<unknown> {
  const arrays = columns.map(
    ([name, type]) => sql`${arrayText(rows.map((row) => row[name]))}::${sql.raw(type)}[]`,
  );
  return sql`unnest(${sql.join(arrays)}) as r (${sql.join(columns.map(([name]) => sql.ref(name)))})`;
}

/** An array as PostgreSQL reads it: the drivers would write each element with more steps. */
function arrayText(cells: readonly Cell[]): string {
  return `{${cells.map(cellText).join(",")}}`;
}

function cellText(cell: Cell): string {
  if (cell === null) return "null";
  if (typeof cell === "string") return `"${cell.replaceAll(/["\\]/g, "\\$&")}"`;
  return cell instanceof Date ? cell.toISOString() : String(cell);
}
