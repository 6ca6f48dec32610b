/** The text of a query with its `?`; empty without values. An empty list restricts nothing, like an absent one. */
export function queryText(values: object = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    // The values of a list are separated by commas, as String does it.
    const text = String(wire(value) ?? "");
    if (text) query.set(name, text);
  }
  return String(query) && `?${query}`;
}

/** A time as text, and anything else as it is. */
export const wire = <T>(value: T | Date): T | string => (value instanceof Date ? value.toISOString() : value);
