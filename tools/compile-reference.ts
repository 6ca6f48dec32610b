/**
 * Compiles the reference collection into the tables that scoring reads: `node tools/compile-reference.ts [DIR]`.
 * DIR (default ../shared/data/reference) holds symbols.tsv.gz and exchanges.tsv. Same input, same bytes out.
 * Reads scoring/data/symbol-corrections.tsv; writes scoring/data/symbols.tsv and scoring/data/exchanges.tsv; their
 * origin is in scoring/data/NOTICE.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { countryCodes } from "@tapewire/contract/countries.ts";

const columns = [
  "symbol",
  "short_symbol",
  "exchange",
  "type",
  "name",
  "country",
  "listing_country",
  "sector",
  "cik",
  "logoid",
  "primary",
  "rank",
  "aliases",
] as const;
const exchangeColumns = ["exchange", "name", "mic", "country", "press_release_names"] as const;

type Row = Readonly<Record<string, string>>;

/** Better names for codes whose names in the collection describe the data's origin. */
const renamed: Readonly<Record<string, string>> = {
  AMEX: "NYSE American and NYSE Arca",
  CRYPTO: "Crypto index prices in U.S. dollars",
  TVC: "Indices, yields and spot metals",
};

/** Codes that the symbols use but the collection does not describe, and the demo exchange. */
const addedExchanges: readonly Row[] = [
  ["CBOT", "Chicago Board of Trade", "XCBT", "US", "cbot"],
  ["CBOT_MINI", "Chicago Board of Trade, E-mini", "XCBT", "US", ""],
  ["CME", "Chicago Mercantile Exchange", "XCME", "US", "cme"],
  ["CME_MINI", "Chicago Mercantile Exchange, E-mini", "XCME", "US", ""],
  ["COMEX", "Commodity Exchange", "XCEC", "US", "comex"],
  ["CRYPTOCAP", "Crypto market capitalisation", "", "", ""],
  ["DEMO", "Tapewire demo exchange", "", "", "demo"],
  ["DJ", "Dow Jones indices", "", "US", ""],
  ["FTSE", "FTSE Russell indices", "", "GB", ""],
  ["FTSEMIB", "FTSE MIB index", "", "IT", ""],
  ["HSI", "Hang Seng indices", "", "HK", ""],
  ["ICEUS", "ICE Futures U.S.", "IFUS", "US", ""],
  ["NYMEX", "New York Mercantile Exchange", "XNYM", "US", "nymex"],
  ["PSE", "Philippine Stock Exchange", "XPHS", "PH", ""],
  ["SP", "S&P indices", "", "US", ""],
].map(([exchange = "", name = "", mic = "", country = "", names = ""]) => ({
  exchange,
  name,
  mic,
  country,
  press_release_names: names,
}));

/** Spellings in releases and data feeds that the collection lacks (compared without space, dot, dash). */
const addedSpellings: Readonly<Record<string, string>> = {
  NASDAQ: "nasdaq gs,nasdaq gm,nasdaq cm,nasdaq global market,nasdaq stock market,nasdaq ncm,nms,nasd",
  NYSE: "nyq,nyse euronext",
  AMEX: "nyse alternext,arca,ase",
  CBOE: "cboe us,bats global",
  OTC: "otc markets,otcqx best market,otcqb venture market,otcid,otc other,pink,pink sheets,otc pink sheets,otcmkts,pinx,expert market",
  TSX: "toronto stock exchange,toronto,tsx-dc",
  TSXV: "tsx venture exchange,tsx-venture,cve",
  CSE: "canadian securities exchange,thecse",
  NEO: "neo exchange,cboe canada",
  LSE: "lon,london stock exchange,lse aim,aim market,lse:aim",
  XETR: "xetra,etr,ger",
  FWB: "fra,frankfurt stock exchange",
  EURONEXT:
    "epa,ams,ebr,eli,paris,amsterdam,brussels,lisbon,euronext growth,euronext growth paris,euronext access",
  OSL: "osl,oslo stock exchange,euronext oslo,euronext growth oslo,oslo børs",
  MIL: "bit,milan,borsa italiana star",
  BME: "madrid,bolsa de madrid,mce",
  SIX: "six swiss exchange,vtx",
  VIE: "wiener börse,wbag",
  OMXSTO: "stockholm,omx stockholm,nasdaq omx stockholm,nasdaq first north,nasdaq first north growth market",
  OMXCOP: "cph,omx copenhagen,copenhagen",
  OMXHEX: "hel,omx helsinki,helsinki",
  OMXICE: "omx iceland",
  TASE: "tlv,tel aviv stock exchange",
  TSE: "tokyo stock exchange,jpx",
  HKEX: "hong kong,hong kong stock exchange,stock exchange of hong kong,main board of hkex",
  ASX: "australian securities exchange",
  BSE: "bom,bombay stock exchange",
  KRX: "korea exchange",
  TWSE: "tpe",
  BMFBOVESPA: "b3 bovespa,bvmf",
  BMV: "mexican stock exchange",
  JSE: "johannesburg stock exchange",
};

const countryOfMic: Readonly<Record<string, string>> = {
  XPAR: "FR",
  XAMS: "NL",
  XBRU: "BE",
  XLIS: "PT",
  XDUB: "IE",
};

function parseTsv(text: string): readonly Row[] {
  const [header = "", ...lines] = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const names = header.split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(names.map((name, index) => [name, (cells[index] ?? "").trim()]));
  });
}

function formatTsv(comments: readonly string[], names: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map((row) => names.map((name) => row[name] ?? "").join("\t"));
  const head = comments.map((comment) => `# ${comment}`);
  return `${[...head, names.join("\t"), ...lines].join("\n")}\n`;
}

const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function kebab(name: string): string {
  const plain = name.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll("&", " and ");
  return plain.replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}

const listed = (text: string | undefined): readonly string[] =>
  (text ?? "").split("|").filter((alias) => alias !== "");
const unmarked = (alias: string): string => alias.replace(/^[~!]/, "").toLowerCase();

/** The content of symbol-corrections.tsv, by symbol. */
interface Corrections {
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly primaries: ReadonlyMap<string, string>;
  /** Names that only one line may have, with that line. */
  readonly owners: ReadonlyMap<string, string>;
  readonly dropped: ReadonlySet<string>;
  readonly tickers: ReadonlyMap<string, string>;
  readonly lines: readonly Row[];
}

function readCorrections(rows: readonly Row[], collected: readonly Row[]): Corrections {
  const of = (kind: string): readonly Row[] => rows.filter((row) => row.kind === kind);
  const named = [...of("alias"), ...of("line")];
  return {
    aliases: new Map(of("alias").map((row) => [row.symbol ?? "", listed(row.aliases)])),
    primaries: new Map(of("primary").map((row) => [row.symbol ?? "", row.primary ?? ""])),
    owners: new Map(
      named.flatMap((row) => listed(row.aliases).map((name) => [unmarked(name), row.symbol ?? ""])),
    ),
    dropped: new Set(
      of("drop").flatMap((row) => listed(row.aliases).map((name) => `${row.symbol} ${unmarked(name)}`)),
    ),
    tickers: tickersOfOthers(collected),
    lines: of("line").map((row) => {
      const [exchange = "", short = ""] = (row.symbol ?? "").split(":");
      return { ...row, exchange, short_symbol: short, type: "stock", slug: "", cik: "" };
    }),
  };
}

/** Tickers of large U.S. companies that foreign lines have as their only name, and so would match. */
function tickersOfOthers(rows: readonly Row[]): ReadonlyMap<string, string> {
  const large = rows.filter(
    ({ rank, primary, symbol }) => Number(rank || "9999") < 1500 && (primary || symbol) === symbol,
  );
  return new Map(
    large
      .filter(({ exchange }) => /^(?:NASDAQ|NYSE)$/.test(exchange ?? ""))
      .map((row) => [row.short_symbol ?? "", row.symbol ?? ""]),
  );
}

/** Adds common spellings: `EURUSD` beside `EUR/USD`, and `&` where the collection spells it out. */
function aliasesOf(row: Row, { aliases, owners, dropped, tickers }: Corrections): string {
  const symbol = row.symbol ?? "";
  const given = listed(row.aliases).filter(
    (alias) =>
      (tickers.get(alias) ?? symbol) === symbol &&
      (owners.get(unmarked(alias)) ?? symbol) === symbol &&
      !dropped.has(`${symbol} ${unmarked(alias)}`),
  );
  const pair = row.type === "forex" ? [row.short_symbol ?? ""] : [];
  const ampersand = given
    .filter((alias) => /[A-Z]and[A-Z]/.test(alias))
    .map((alias) => alias.replace(/([A-Z])and([A-Z])/, "$1&$2"));
  const own = aliases.get(symbol) ?? [];
  const taken = new Set(own.map(unmarked));
  const others = [...given, ...pair, ...ampersand].filter((alias) => !taken.has(unmarked(alias)));
  return [...new Set([...own, ...others])].join("|");
}

/** Only when one code covers several countries does the line itself need its market. */
function listingCountry(row: Row, exchange: Row | undefined): string {
  const countries = exchange?.country ?? "";
  if (countries !== "" && !countries.includes(",")) return "";
  if (countries === "") return row.type === "index" || row.type === "yield" ? realCountry(row.country) : "";
  return countryOfMic[row.mic ?? ""] ?? countries.slice(0, 2);
}

/** `EU` marks euro area indices in the collection; it is no country. */
const realCountry = (code: string | undefined): string => (countryCodes.has(code ?? "") ? (code ?? "") : "");

function symbolRow(row: Row, exchanges: ReadonlyMap<string, Row>, corrections: Corrections): Row {
  const primary = mainLineOf(row, corrections.primaries);
  return {
    ...row,
    country: realCountry(row.country),
    listing_country: listingCountry(row, exchanges.get(row.exchange ?? "")),
    logoid: row.slug === "" ? kebab(row.name ?? "") : (row.slug ?? ""),
    primary: primary === row.symbol ? "" : primary,
    aliases: aliasesOf(row, corrections),
  };
}

/** The main line of a line, after corrections of that line. */
function mainLineOf(row: Row, primaries: ReadonlyMap<string, string>): string {
  const symbol = row.symbol ?? "";
  const given = row.primary === "" ? symbol : (row.primary ?? symbol);
  return primaries.get(symbol) ?? primaries.get(given) ?? given;
}

function exchangeRow(row: Row): Row {
  const code = row.exchange ?? "";
  const spellings = [row.press_release_names ?? "", addedSpellings[code] ?? ""].join(",").split(",");
  return {
    ...row,
    name: renamed[code] ?? row.name ?? "",
    press_release_names: [...new Set(spellings.filter((spelling) => spelling !== ""))].join(","),
  };
}

const directory = process.argv[2] ?? fileURLToPath(new URL("../../shared/data/reference", import.meta.url));
const output = new URL("../scoring/data/", import.meta.url);
const exchanges = [...parseTsv(readFileSync(`${directory}/exchanges.tsv`, "utf8")), ...addedExchanges]
  .map(exchangeRow)
  .sort((a, b) => byCode(a.exchange ?? "", b.exchange ?? ""));
const exchangeByCode = new Map(exchanges.map((row) => [row.exchange ?? "", row]));
const collected = parseTsv(gunzipSync(readFileSync(`${directory}/symbols.tsv.gz`)).toString("utf8"));
const corrections = readCorrections(
  parseTsv(readFileSync(new URL("symbol-corrections.tsv", output), "utf8")),
  collected,
);
const symbols = [...collected, ...corrections.lines]
  .map((row) => symbolRow(row, exchangeByCode, corrections))
  .sort((a, b) => byCode(a.symbol ?? "", b.symbol ?? ""));

const origin = [
  "Facts about listed instruments; where they come from: NOTICE.md. Made by tools/compile-reference.ts.",
];
writeFileSync(
  new URL("symbols.tsv", output),
  formatTsv(
    [
      ...origin,
      "primary: empty = this line itself. rank: 1 is the largest. aliases: ~x needs context, !x never alone.",
    ],
    columns,
    symbols,
  ),
);
writeFileSync(new URL("exchanges.tsv", output), formatTsv(origin, exchangeColumns, exchanges));
console.log(`${symbols.length} symbols, ${exchanges.length} exchanges`);
