/** Short names that several companies go by, or that mean one only in texts of its field. */

interface Owner {
  readonly symbol: string;
  /** Words of the company's field; the first owner whose words the text has is meant. */
  readonly field: RegExp;
}

/** Who is meant by the name alone. */
const anyText = /(?:)/;
const drugs =
  /\b(?:fda|drugs?|pills?|shot|phase|trials?|study|patients?|therap\w+|obesity|cancer|biotech|ema|label|vaccine|goal date|[a-z]+mab|s?bla|nda)\b/i;
const airline =
  /\b(?:flights?|flyers?|fliers?|airlines?|airports?|jets?|pilots?|boeing|airbus|passengers?|seats?|cabin|fares?|travel(?:ers)?|newark|routes?|starlink|lounge|kirby|[1-4]q|q[1-4]|quarter(?:ly)?|capacity)\b/i;
const cruise =
  /\b(?:cruises?|ships?|voyages?|bookings?|yields?|carnival|royal caribbean|caribbean|river|passengers)\b/i;

const owners: ReadonlyMap<string, readonly Owner[]> = new Map([
  [
    "vertex",
    [
      { symbol: "NASDAQ:VERX", field: /\b(?:sales tax|tax software|indirect tax|tax compliance)\b/i },
      { symbol: "NASDAQ:VRTX", field: anyText },
    ],
  ],
  [
    "viking",
    [
      { symbol: "NASDAQ:VKTX", field: drugs },
      { symbol: "NYSE:VIK", field: anyText },
    ],
  ],
  [
    "constellation",
    [
      {
        symbol: "NASDAQ:CEG",
        field:
          /\b(?:reactors?|nuclear|power|energy|calpine|crane|grid|electric\w*|megawatts?|data cent\w+|utility)\b/i,
      },
      { symbol: "NYSE:STZ", field: anyText },
    ],
  ],
  ["united", [{ symbol: "NASDAQ:UAL", field: airline }]],
  ["norwegian", [{ symbol: "NYSE:NCLH", field: cruise }]],
  [
    "pinnacle",
    [
      { symbol: "NYSE:PNW", field: /\b(?:arizona|rate case|utility|electric)\b/i },
      { symbol: "NYSE:PNFP", field: /\b(?:banks?|synovus|deposits?|loans?|lender|net interest)\b/i },
    ],
  ],
  [
    "mercury",
    [
      { symbol: "NYSE:MCY", field: /\b(?:insur\w+|wildfires?|homeowners?|premiums|policyholders)\b/i },
      {
        symbol: "NASDAQ:MRCY",
        field:
          /\b(?:army|navy|air force|defen[cs]e|radar|missiles?|subsystems?|lockheed|raytheon|airborne)\b/i,
      },
    ],
  ],
  [
    "marathon",
    [
      { symbol: "NASDAQ:MARA", field: /\b(?:bitcoin|btc|hash ?rate|crypto|miners?)\b/i },
      { symbol: "NYSE:MPC", field: anyText },
    ],
  ],
  [
    "huntington",
    [
      {
        symbol: "NYSE:HII",
        field: /\b(?:navy|shipyards?|shipbuild\w+|submarines?|destroyers?|carriers?)\b/i,
      },
      { symbol: "NASDAQ:HBAN", field: anyText },
    ],
  ],
  ["bristol", [{ symbol: "NYSE:BMY", field: drugs }]],
  ["jazz", [{ symbol: "NASDAQ:JAZZ", field: drugs }]],
  [
    "prudential",
    [
      { symbol: "NYSE:PUK", field: /\b(?:hong kong|asia|africa|london|ftse|icici|u\.?k\.?|pence)\b/i },
      { symbol: "NYSE:PRU", field: anyText },
    ],
  ],
  [
    "bj's",
    [
      { symbol: "NASDAQ:BJRI", field: /\b(?:restaurants?|brewhouse|diners?|menu|pizookie)\b/i },
      { symbol: "NYSE:BJ", field: anyText },
    ],
  ],
  [
    "quest",
    [{ symbol: "NYSE:DGX", field: /\b(?:labs?|laborator\w+|diagnos\w+|tests?|testing|patients?)\b/i }],
  ],
  ["mosaic", [{ symbol: "NYSE:MOS", field: /\b(?:fertili[sz]ers?|potash|phosphates?|crop)\b/i }]],
  ["frontline", [{ symbol: "NYSE:FRO", field: /\b(?:tankers?|vlccs?|freight|suezmax|shipping)\b/i }]],
  [
    "polaris",
    [{ symbol: "NYSE:PII", field: /\b(?:snowmobiles?|off-road|vehicles?|atvs?|motorcycles?|dealers?)\b/i }],
  ],
]);

/** Whether a short name needs the text to tell its owner. @param name in lower case */
export const isDisputed = (name: string): boolean => owners.has(name);

/** @returns symbol of the company that a disputed name means in a text; undefined when it means none */
export const ownerIn = (name: string, text: string): string | undefined =>
  owners.get(name)?.find(({ field }) => field.test(text))?.symbol;
