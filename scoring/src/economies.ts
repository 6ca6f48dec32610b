/** Words that name an economy, its government or its central bank, to ISO 3166-1 alpha-2. Case matters: "US", not "us". */
const names: readonly (readonly [string, string])[] = [
  [
    "US",
    "U\\.S\\.?|US|USA|United States|America|American|Federal Reserve|Fed|FOMC|Powell|Treasury|Congress|White House|ISM|Wall Street|Michigan",
  ],
  ["GB", "UK|U\\.K\\.?|Britain|British|United Kingdom|England|BoE|BOE"],
  ["DE", "Germany|German|Bundesbank|Ifo|ZEW"],
  ["FR", "France|French"],
  ["IT", "Italy|Italian"],
  ["ES", "Spain|Spanish"],
  ["NL", "Netherlands|Dutch"],
  ["CH", "Switzerland|Swiss|SNB"],
  ["SE", "Sweden|Swedish|Riksbank"],
  ["NO", "Norway|Norwegian"],
  ["DK", "Denmark|Danish"],
  ["FI", "Finland|Finnish"],
  ["IE", "Ireland|Irish"],
  ["PT", "Portugal|Portuguese"],
  ["GR", "Greece|Greek"],
  ["PL", "Poland|Polish"],
  ["CZ", "Czech"],
  ["HU", "Hungary|Hungarian"],
  ["RU", "Russia|Russian"],
  ["UA", "Ukraine|Ukrainian"],
  ["TR", "Turkey|Turkish|Türkiye"],
  ["JP", "Japan|Japanese|BOJ|BoJ|Tankan"],
  ["CN", "China|Chinese|PBOC|PBoC|Beijing"],
  ["IN", "India|Indian|RBI|Sensex|Nifty"],
  ["KR", "South Korea|South Korean|Bank of Korea"],
  ["TW", "Taiwan|Taiwanese"],
  ["HK", "Hong Kong"],
  ["SG", "Singapore"],
  ["ID", "Indonesia|Indonesian"],
  ["MY", "Malaysia|Malaysian"],
  ["TH", "Thailand|Thai"],
  ["VN", "Vietnam|Vietnamese"],
  ["PH", "Philippines|Philippine"],
  ["AU", "Australia|Australian|RBA"],
  ["NZ", "New Zealand|RBNZ"],
  ["CA", "Canada|Canadian|BoC"],
  ["MX", "Mexico|Mexican|Banxico"],
  ["BR", "Brazil|Brazilian"],
  ["AR", "Argentina|Argentine"],
  ["CL", "Chile|Chilean"],
  ["ZA", "South Africa|South African"],
  ["EG", "Egypt|Egyptian"],
  ["NG", "Nigeria|Nigerian"],
  ["SA", "Saudi Arabia|Saudi"],
  ["AE", "UAE|Dubai|Abu Dhabi"],
  ["QA", "Qatar"],
  ["IL", "Israel|Israeli"],
];

const codeOf: ReadonlyMap<string, string> = new Map(
  names.flatMap(([code, list]) =>
    list.split("|").map((name) => [name.replaceAll(/[\\?]|\.$/g, "").replace(/\.$/, ""), code]),
  ),
);
const anyName = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${names.map(([, list]) => list).join("|")})(?![\\p{L}\\p{N}])`,
  "gu",
);

/** Economies named in the text, in order of first mention, at most six. "New Mexico" and the like are not told apart. */
export function economiesIn(text: string): readonly string[] {
  const found = [...text.matchAll(anyName)].map(([name]) => codeOf.get(name.replace(/\.$/, "")));
  return [...new Set(found.filter((code) => code !== undefined))].slice(0, 6);
}
