import { zoneName } from "../../config/zone.ts";

/** Hours east of UTC of the zone names that feeds use; American short forms mean winter time (RFC 822 5.1). */
const zoneHours: Readonly<Record<string, number>> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  wet: 0,
  west: 1,
  bst: 1,
  cet: 1,
  met: 1,
  cest: 2,
  mest: 2,
  mesz: 2,
  mez: 1,
  eet: 2,
  eest: 3,
  msk: 3,
  ist: 5.5,
  sgt: 8,
  hkt: 8,
  awst: 8,
  kst: 9,
  jst: 9,
  aest: 10,
  aedt: 11,
  nzst: 12,
  nzdt: 13,
  ast: -4,
  adt: -3,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  brt: -3,
};

/** Names that mean the zone and not its winter time, as in press releases: "8:00 AM ET" in July is EDT. */
const zoneAbbreviations: Readonly<Record<string, string>> = {
  et: "America/New_York",
  ct: "America/Chicago",
  mt: "America/Denver",
  pt: "America/Los_Angeles",
  at: "America/Halifax",
};

/** The IANA zone that a text names, by its IANA name or the one in press releases; null when it names none. */
export function ianaZone(text: string): string | null {
  const name = text.includes("/") && !text.startsWith("Etc/") ? text : zoneAbbreviations[text.toLowerCase()];
  return name === undefined ? null : zoneName(name);
}

/** Minutes east of UTC; undefined when the text is no zone. */
export function zoneOffset(text: string): number | undefined {
  const found = /^(?:Etc\/)?([A-Za-z]*)(?:([+-])(\d{1,2}):?(\d{2})?)?$/.exec(text);
  if (found === null) return undefined;
  const [, name = "", sign, hours, minutes] = found;
  const base = name === "" ? 0 : zoneHours[name.toLowerCase()];
  if (base === undefined || Number(minutes ?? 0) > 59) return undefined;
  const shift = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return base * 60 + (sign === "-" ? -shift : shift);
}

/** By the one name of each zone; there are some hundred. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Offset of an IANA zone at a local time. Computed twice, since the first guess may lie beyond a clock change. */
export function zoneOffsetMinutes(zone: string, localMs: number): number {
  const first = offsetAt(zone, localMs);
  return offsetAt(zone, localMs - first * 60_000);
}

function offsetAt(zone: string, utcMs: number): number {
  const known = formats.get(zone);
  const format = known ?? new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  if (known === undefined) formats.set(zone, format);
  const name = format.formatToParts(utcMs).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return zoneOffset(name.replace(/^GMT$/, "Z")) ?? 0;
}
