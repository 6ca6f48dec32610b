import type { SymbolEntry } from "../types.ts";

/** Headlines call large companies by their tickers: "WBD rebuffs Paramount", "HOOD +4%". */

const venues = new Set(["NYSE", "NASDAQ", "CBOE"]);
const tickerForm = /^[A-Z]{3,5}$/;
/** Among tickers of three letters other meanings are more frequent, so only the largest companies' count. */
const smallest = { short: 400, long: 1500 } as const;

/** Tickers that are words of headlines, or initials of offices, trades, places and things in the news. */
const others = new Set(
  [
    "ALL ALLY ARE ARES ARM BALL BILL BOOT BROS CAR CART CASY COKE COLB COLD COMP COST CUBE DASH DAVE DECK DOC DOW ECHO ERIE EXP FANG FAST",
    "FIG FIVE FIX FLEX FLY FORM FROG FUN GAP GEN HALO HAS HUT ICE KEY KEYS LEA LINE LITE LIVE LOW LUV MAIN MAIR MAN MANH MAS MET MOD NET NICE",
    "NOV NOW ONTO OPEN OUT OWL PAC PACS PEN PINS POOL POST PEAK POET RACE RARE REAL RELY RIG RIOT ROAD ROL SAIL SAN SEE SITE SNAP SNOW STEP SUI SUN",
    "TAP TEAM TECH TEL TEX TOL TOST TRI UNIT VAL WELL WIT YOU EXEL PRIM ELAN ERIC SOLS SOLV ESE POWL BEN KIM IDA ROP RUN SAM LAD MAC JAN SAFE",
    "ACA ADC ADM ASR BIO CBC CFR CLS CMS CNA CNC COP COR CPT CRM CVE DDS DHI DRS DTE DVA EA ECG EDU EMA EMR ESS EOG FAF FER FMS FSS FTI FTS GIS GPS IDEX",
    "IEX IFF ILMN IOT IPO IRM KGS LNG LYV MAA MDA MSA MSM NEU NEM NRG NXT OGE ORA PDI PEG PEP PNR PPL PRI PRU PSA PTC PWR RBA RBC RCI REG RNA RPM SEI SHG SRE SSD STM STN",
    "SYM SPG STE TER TTC UDR UHS URI USB VICI VOD WAB WEC WMS AMP ALB ELS ELV HST HCA INGM JEF MGM OMC PHM PLD AGI APG APP APO ALC AME AON APA APD APH ATI ATO BAM BAP BCE CCI CCL CPNG",
    "EGO EHC FTV GFL IAG IHG ING ITT MCO MFC MFG MLM MPC MTB NGG NTR NVR NWG PBA PFG PHG PUK QSR RMD SLF SMFG SNA SNN SYF SYK TEM TDY TFC TRP TRU TTE UMC VMC VTR WDC WSM WST XEL ZTS CBRE CBOE PTCT CDE",
  ].flatMap((line) => line.split(" ")),
);

/** @returns the ticker as a name that needs context; undefined where it is not used as one */
export function tickerName({
  symbol,
  shortSymbol,
  exchange,
  primary,
  type,
  rank,
}: SymbolEntry): string | undefined {
  const most = shortSymbol.length === 3 ? smallest.short : smallest.long;
  const isNamed =
    primary === symbol &&
    (type === "stock" || type === "dr") &&
    rank <= most &&
    venues.has(exchange) &&
    tickerForm.test(shortSymbol) &&
    !others.has(shortSymbol);
  return isNamed ? `~${shortSymbol}` : undefined;
}
