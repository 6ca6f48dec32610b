/**
 * The SEC's lists of tickers: company_tickers_exchange.json, `{fields: [cik, name, ticker, exchange], data: [[…]]}`,
 * and company_tickers.json, `{"0": {cik_str, ticker, title}}`, which names no exchange.
 */
export interface ListedTicker {
  /** 10 digits. */
  readonly cik: string;
  readonly name: string;
  /** In capitals, share classes with a dot: `BRK.B`. */
  readonly ticker: string;
  /** Our code; null when the list does not give one. The SEC calls NYSE American and NYSE Arca `NYSE` too. */
  readonly exchange: "NASDAQ" | "NYSE" | "CBOE" | "OTC" | null;
}

export interface SecTickers {
  readonly rows: readonly ListedTicker[];
  /** Rows left out because a member is invalid. */
  readonly refused: number;
}

/** The text is no complete list of tickers; nothing of it may be used. */
export class SecTickersError extends Error {
  override readonly name = "SecTickersError";
}

/** Ten times what the SEC publishes; a longer text is not that list. */
const mostCharacters = 16 * 1024 * 1024;
const mostRows = 100_000;
/** With more broken rows the format has probably changed, and good rows may be misread too. */
const mostRefusedShare = 0.02;

const mostName = 200;
const tickerForm = /^[A-Za-z0-9]{1,10}(?:[-.][A-Za-z0-9]{1,5}){0,2}$/;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const exchanges: ReadonlyMap<string, ListedTicker["exchange"]> = new Map([
  ["nasdaq", "NASDAQ"],
  ["nyse", "NYSE"],
  ["cboe", "CBOE"],
  ["otc", "OTC"],
]);

/** A row of either list; null when a member is invalid. */
function listedTicker(cik: unknown, title: unknown, ticker: unknown, exchange: unknown): ListedTicker | null {
  if (typeof cik !== "number" || !Number.isInteger(cik) || cik < 1 || cik > 9_999_999_999) return null;
  if (typeof ticker !== "string" || !tickerForm.test(ticker)) return null;
  if (typeof title !== "string" || title.trim() === "" || title.length > mostName) return null;
  if (exchange !== null && (typeof exchange !== "string" || exchange.length > 40)) return null;
  return {
    cik: String(cik).padStart(10, "0"),
    name: title.trim(),
    ticker: ticker.toUpperCase().replaceAll("-", "."),
    exchange: exchanges.get((exchange ?? "").toLowerCase()) ?? null,
  };
}

type ParsedRows = readonly (ListedTicker | null)[];

function rowsWithExchange({ fields, data }: Readonly<Record<string, unknown>>): ParsedRows | null {
  if (!Array.isArray(fields) || fields.length > 12 || !Array.isArray(data)) return null;
  const places = ["cik", "name", "ticker", "exchange"].map((field) => fields.indexOf(field));
  if (places.includes(-1) || data.length === 0 || data.length > mostRows) return null;
  return data.map((row: unknown) => {
    const cells: readonly unknown[] = Array.isArray(row) ? row : [];
    const [cik, name, ticker, exchange] = places.map((place) => cells[place]);
    return listedTicker(cik, name, ticker, exchange);
  });
}

function rowsWithTitle(json: Readonly<Record<string, unknown>>): ParsedRows | null {
  const rows = Object.entries(json);
  if (rows.length === 0 || rows.length > mostRows || !rows.every(([key]) => /^\d{1,6}$/.test(key)))
    return null;
  return rows.map(([, row]) =>
    isObject(row) ? listedTicker(row.cik_str, row.title, row.ticker, null) : null,
  );
}

function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch (error) {
    throw new SecTickersError("not JSON", { cause: error });
  }
}

/**
 * @param text a complete list of either kind
 * @returns its rows in the list's order (largest company first), each ticker once
 * @throws {SecTickersError} when it is too long, not JSON, of another shape, or more than 2 % of its rows are broken
 */
export function parseSecTickers(text: string): SecTickers {
  if (text.length > mostCharacters) throw new SecTickersError(`${text.length} characters are too many`);
  const json = parseJson(text);
  const parsed = isObject(json) ? (rowsWithExchange(json) ?? rowsWithTitle(json)) : null;
  if (parsed === null) throw new SecTickersError("not one of the SEC's lists of tickers");
  const rows = new Map<string, ListedTicker>();
  for (const row of parsed) if (row !== null && !rows.has(row.ticker)) rows.set(row.ticker, row);
  const refused = parsed.filter((row) => row === null).length;
  if (refused > parsed.length * mostRefusedShare)
    throw new SecTickersError(`${refused} of ${parsed.length} rows are broken`);
  return { rows: [...rows.values()], refused };
}
