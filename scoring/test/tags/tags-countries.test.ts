import assert from "node:assert/strict";
import test from "node:test";
import { tagItem } from "../../src/tags/tags.ts";
import { artifact } from "../fixtures.ts";

const countries: readonly (readonly [string, readonly string[]])[] = [
  ["Federal Reserve holds interest rates", ["US"]],
  ["Weekly jobless claims fall", ["US"]],
  ["Nonfarm payrolls beat forecasts", ["US"]],
  ["ECB leaves rates unchanged", []],
  ["Euro zone inflation slows", []],
  ["EU imposes tariffs on steel", []],
  ["Bundesbank sees recession", ["DE"]],
  ["Destatis: consumer prices up 2.3%", ["DE"]],
  ["INSEE trims growth forecast", ["FR"]],
  ["Statistics Canada: retail sales up 0.4%", ["CA"]],
  ["Dutch inflation at 3.1%", ["NL"]],
  ["Sveriges Riksbank cuts rate", ["SE"]],
  ["Norges Bank leaves key rate at 4%", ["NO"]],
  ["Banxico trims benchmark rate", ["MX"]],
  ["RBNZ holds rates", ["NZ"]],
  ["Beijing said it would retaliate against tariffs", ["CN"]],
  ["Tokyo stocks end lower", ["JP"]],
  ["London stocks rise", ["GB"]],
  ["Washington sanctions Russian oil tankers", ["RU", "US"]],
  ["Georgia governor signs income tax cut", ["US"]],
  ["Georgia's central bank in Tbilisi holds rates", ["GE"]],
  ["Turkey annual inflation slows", ["TR"]],
  ["Türkiye raises fuel levy", ["TR"]],
  ["Holiday turkey prices rise, retail prices data show", []],
  ["Turkey dinner costs fall as food prices ease", []],
  ["Jersey financial regulator raises stamp duty", ["JE"]],
  ["New Jersey unemployment rate falls", ["US"]],
  ["Jordan central bank cuts interest rates", ["JO"]],
  ["Michael Jordan backs tax cut", []],
  ["Chad oil exports resume", ["TD"]],
  ["Chad Wexley on inflation and you", []],
  ["New Mexico unemployment rate falls", ["US"]],
  ["Latin American inflation cools", []],
  ["South Korea exports jump 12%", ["KR"]],
  ["Northern Ireland house prices rise", ["GB"]],
  ["New South Wales budget deficit widens", []],
  ["Tell us what inflation means", []],
  ["Rupee ends lower against U.S. dollar", ["IN"]],
  ["Swiss National Bank foreign reserves rise", ["CH"]],
  ["Hang Seng index drops 2%", ["HK"]],
  ["Beyond Kale enters France", []],
  ["Quillpay wins contract in Brazil", []],
];
for (const [title, expected] of countries)
  test(`"${title}" is about ${expected.length === 0 ? "no one country" : expected.join(" and ")}`, () => {
    assert.deepEqual(tagItem(artifact(title), []).market_country ?? [], expected);
  });
