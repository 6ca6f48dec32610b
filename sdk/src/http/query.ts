/** A value of a query. Lists are alternatives. */
export type QueryValue = string | number | boolean | Date | readonly string[] | null | undefined;

/** The text of a query with its `?`; empty without values. An empty list restricts nothing, like an absent one. */
export function queryText(values: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    const text = textOf(value);
    if (text) query.set(name, text);
  }
  return String(query) && `?${query}`;
}

/** The values of a list are separated by commas, as String does it. */
const textOf = (value: QueryValue) => (value instanceof Date ? value.toISOString() : String(value ?? ""));
