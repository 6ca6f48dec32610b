import { ianaZone, zoneOffset, zoneOffsetMinutes } from "./date-zones.ts";
import { slashedOrder } from "./slashed.ts";

/** A time that a source gave. */
export interface ParsedDate {
  readonly at: Date;
  readonly precision: "second" | "day";
  /** The text named no zone, so the source's zone was used. */
  readonly zoneAssumed: boolean;
}

interface Fields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  hasTime: boolean;
  /** Minutes east of UTC; null: not given. */
  offset: number | null;
  /** IANA zone named instead of an offset ("ET" is winter or summer time depending on the day). */
  zone: string | null;
}

/**
 * Reads the dates of feeds: RFC 822 and its variants with named zones, W3C-DTF, asctime, slashed dates, month names in
 * several languages. `new Date(text)` is no substitute: it silently reads a seventh of them as another moment.
 * @param zone IANA zone of texts that name none; it also tells whether 03/12/2026 is in March or in December
 * @returns null when the text is no date; never a guess between two readings
 */
export function parseDate(text: string, zone: string): ParsedDate | null {
  const usual = usualDate(text);
  if (usual !== null) return usual;
  const normal = normalize(text);
  const fields = iso(normal) ?? korean(normal) ?? numeric(normal, zone) ?? named(normal);
  if (fields === null || !isReal(fields)) return null;
  const local = Date.UTC(
    fields.year,
    fields.month - 1,
    fields.day,
    fields.hour,
    fields.minute,
    fields.second,
  );
  const zoneAssumed = fields.offset === null && fields.zone === null;
  // A date without a time means that day everywhere: no zone moves it to another.
  const offset = fields.offset ?? (fields.hasTime ? zoneOffsetMinutes(fields.zone ?? zone, local) : 0);
  return { at: new Date(local - offset * 60_000), precision: fields.hasTime ? "second" : "day", zoneAssumed };
}

const usualForm =
  /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?(\d\d?) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (\d{4}) (\d\d):(\d\d):(\d\d) (?:GMT|UTC|Z|([+-])(\d\d)(\d\d))$|^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|([+-])(\d\d):(\d\d))$/;
const shortMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** A fast path for the two forms of nearly all feeds, complete RFC 822 and RFC 3339: others take ten times as long. */
function usualDate(text: string): ParsedDate | null {
  const found = usualForm.exec(text);
  if (found === null) return null;
  const isNamed = found[2] !== undefined;
  const at = isNamed ? 0 : 9;
  const part = (index: number) => Number(found[index + at] ?? 0);
  const year = isNamed ? part(3) : part(1);
  const month = isNamed ? shortMonths.indexOf(found[2] ?? "") / 3 + 1 : part(2);
  const day = isNamed ? part(1) : part(3);
  const sign = found[7 + at] === "-" ? -1 : 1;
  const offset = sign * (part(8) * 60 + part(9));
  const fields = { year, month, day, hour: part(4), minute: part(5), second: part(6), offset };
  if (!isReal(fields) || part(9) > 59) return null;
  const local = Date.UTC(year, month - 1, day, fields.hour, fields.minute, fields.second);
  return { at: new Date(local - offset * 60_000), precision: "second", zoneAssumed: false };
}

function normalize(text: string): string {
  return (
    text
      .slice(0, 100)
      .replaceAll(/[\ufeff\s]+/g, " ")
      .trim()
      // RFC 822 allows a comment after the zone, "-0400 (EDT)", which repeats it.
      .replace(/ \([A-Za-z .:+-]{1,40}\)$/, "")
  );
}

const time = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?`;
const zoneText = String.raw`((?:America|Europe|Asia|Australia)/[A-Z][A-Za-z_]{2,30}|[A-Za-z]{1,4}(?:/[A-Za-z]+)?(?:[+-]\d{1,2}:?\d{2})?|[+-]\d{2}:?\d{2}|[+-]\d{2})`;

const isoForm = new RegExp(
  // A month with three digits, 2003-012-31, is a bug of some generators.
  `^(\\d{4})(?:-(?:0(?=\\d\\d-))?(\\d{2})(?:-(\\d{2})(?:[Tt ] ?${time} ?${zoneText}?)?)?|(\\d{2})(\\d{2})T?)?$`,
);
/** ISO 8601:1988 allowed leaving the century out: -0312, -03-12, 031231, 03-12-31. */
const shortIsoForm = /^(?:-(\d{2})-?(\d{2})|(\d{2})(-?)(\d{2})\4(\d{2}))$/;
/** Year and day of the year, 03335. Only with a leading zero: 22013 could also be a mistyped year. */
const ordinalForm = /^(0\d)(\d{3})$/;

function iso(text: string): Fields | null {
  const found = isoForm.exec(text);
  if (found === null) return shortIso(text);
  const [, year, month, day, hour, minute, second, zone, compactMonth, compactDay] = found;
  return fieldsOf({
    year,
    month: number(month ?? compactMonth) ?? 1,
    day: day ?? compactDay ?? "1",
    hour,
    minute,
    second,
    zone,
  });
}

function shortIso(text: string): Fields | null {
  const ordinal = ordinalForm.exec(text);
  if (ordinal !== null) return ordinalDay(Number(fullYear(ordinal[1])), Number(ordinal[2]));
  const found = shortIsoForm.exec(text);
  if (found === null) return null;
  const [, yearOfMonth, monthOnly, year = yearOfMonth, , month = monthOnly, day = "1"] = found;
  return fieldsOf({ year: fullYear(year), month: number(month), day });
}

function ordinalDay(year: number, dayOfYear: number): Fields | null {
  const date = new Date(Date.UTC(year, 0, dayOfYear));
  if (date.getUTCFullYear() !== year) return null;
  return fieldsOf({ year: String(year), month: date.getUTCMonth() + 1, day: String(date.getUTCDate()) });
}

/** Also 2026-3-2 9:30, a date and time without leading zeros, which other generators write too. */
const koreanForm = new RegExp(`^(\\d{4})(?:년|-) ?(\\d{1,2})(?:월|-) ?(\\d{1,2})일? (오전|오후)? ?${time}$`);
const koreanLetter = /\p{Script=Hangul}/u;

function korean(text: string): Fields | null {
  const found = koreanForm.exec(text);
  if (found === null) return null;
  const [, year, month, day, half, hour, minute, second] = found;
  const zone = koreanLetter.test(text) ? "KST" : undefined;
  return fieldsOf({ year, month: number(month), day, hour, minute, second, half, zone });
}

// Requires something after it, or it would take the first letters of a month.
const weekday = String.raw`(?:\p{L}{2,12}(?:\.?, ?|\.? ))?`;
const yearFirstForm = new RegExp(`^${weekday}(\\d{4})/(\\d{2})/(\\d{2})(?: ${time}(?: ${zoneText})?)?$`, "u");
const slashedForm = new RegExp(
  `^(?:(\\p{L}{2,12})(?:\\.?, ?|\\.? ))?(\\d{1,2})/(\\d{1,2})/(\\d{4})(?:,? (?:- )?${time} ?([AaPp][Mm])?(?: ${zoneText})?)?$`,
  "u",
);

const dottedForm = new RegExp(
  `^${weekday}(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})(?:,? (?:- )?${time}(?: ?${zoneText})?)?$`,
  "u",
);
/** 2006/09/15, 15.09.2006, and 05/03/2019, of which a source may mean either day. */
function numeric(text: string, zone: string): Fields | null {
  const dotted = dottedForm.exec(text);
  if (dotted !== null) {
    const [, day, month, year, hour, minute, second, named] = dotted;
    return fieldsOf({ year, month: number(month), day, hour, minute, second, zone: named });
  }
  const yearFirst = yearFirstForm.exec(text);
  if (yearFirst !== null) {
    const [, year, month, day, hour, minute, second, named] = yearFirst;
    return fieldsOf({ year, month: number(month), day, hour, minute, second, zone: named });
  }
  return slashed(text, zone);
}

function slashed(text: string, sourceZone: string): Fields | null {
  const found = slashedForm.exec(text);
  if (found === null) return null;
  const [, name, one, two, year, hour, minute, second, half, zone] = found;
  const numbers = { first: Number(one), second: Number(two), year: Number(year) };
  const order = slashedOrder({ ...numbers, weekday: name, half, named: zone }, sourceZone);
  if (order === null) return null;
  const [month, day] = order === "month first" ? [one, two] : [two, one];
  return fieldsOf({ year, month: number(month), day, hour, minute, second, half, zone });
}

const monthWord = String.raw`(\p{L}{3,12})\.?`;
const dayFirstForm = new RegExp(
  `^${weekday}(\\d{1,2})(?:\\. ?|[ -])${monthWord},?[ -](\\d{4}|\\d{2})(?:,? ${time} ?([AaPp][Mm])?(?: ?${zoneText})?)?$`,
  "u",
);
const monthNameFirstForm = new RegExp(
  `^${weekday}${monthWord} (\\d{1,2}),? (\\d{4})(?:,? (?:at )?${time} ?([AaPp][Mm])?(?: ?${zoneText})?)?$`,
  "u",
);
const asctimeForm = new RegExp(`^${weekday}${monthWord} (\\d{1,2}) ${time}(?: ${zoneText})? (\\d{4})$`, "u");

const yearThenNameForm = new RegExp(
  `^(\\d{4})[-. ]{1,2}${monthWord}[- ](\\d{1,2})\\.?(?:[T ]${time} ?${zoneText}?)?$`,
  "u",
);

/** Forms with the name of a month: RFC 822 and 850, asctime, "March 2, 2026", the Hungarian "2026-március-02T9:15". */
function named(text: string): Fields | null {
  const dayFirst = dayFirstForm.exec(text);
  if (dayFirst !== null) {
    const [, day, month, year, hour, minute, second, half, zone] = dayFirst;
    return fieldsOf({ year: fullYear(year), month: monthOf(month), day, hour, minute, second, half, zone });
  }
  const monthFirst = monthNameFirstForm.exec(text);
  if (monthFirst !== null) {
    const [, month, day, year, hour, minute, second, half, zone] = monthFirst;
    return fieldsOf({ year, month: monthOf(month), day, hour, minute, second, half, zone });
  }
  const yearFirst = yearThenNameForm.exec(text);
  if (yearFirst !== null) {
    const [, year, month, day, hour, minute, second, zone] = yearFirst;
    return fieldsOf({ year, month: monthOf(month), day, hour, minute, second, zone });
  }
  const asctime = asctimeForm.exec(text);
  if (asctime === null) return null;
  const [, month, day, hour, minute, second, zone, year] = asctime;
  return fieldsOf({ year, month: monthOf(month), day, hour, minute, second, zone });
}

interface Parts {
  year: string | undefined;
  month: number | null;
  day: string | undefined;
  hour?: string | undefined;
  minute?: string | undefined;
  second?: string | undefined;
  half?: string | undefined;
  zone?: string | undefined;
}

function fieldsOf({ year, month, day, hour, minute, second, half, zone }: Parts): Fields | null {
  const named = zone === undefined ? null : ianaZone(zone);
  const offset = zone === undefined || named !== null ? null : zoneOffset(zone);
  if (offset === undefined || month === null || year === undefined || day === undefined) return null;
  return {
    year: Number(year),
    month,
    day: Number(day),
    hour: hourOf(hour ?? "0", half),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    hasTime: hour !== undefined,
    offset,
    zone: named,
  };
}

const number = (text: string | undefined) => (text === undefined ? null : Number(text));

function hourOf(hour: string, half: string | undefined): number {
  if (half === undefined || Number(hour) > 12) return Number(hour);
  const afternoon = /^p|오후/i.test(half);
  return (Number(hour) % 12) + (afternoon ? 12 : 0);
}

/** RFC 2822 4.3 for two digits. */
function fullYear(year: string | undefined): string | undefined {
  if (year?.length !== 2) return year;
  return String(Number(year) + (Number(year) < 69 ? 2000 : 1900));
}

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isReal({
  year,
  month,
  day,
  hour,
  minute,
  second,
  offset,
}: Omit<Fields, "hasTime" | "zone">): boolean {
  // Date.UTC reads the years 0 to 99 as 1900 to 1999; some generators write 0001-01-01 for "none".
  if (year < 100) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (monthDays[month - 1] ?? 0);
  return (
    day >= 1 && day <= days && hour < 24 && minute < 60 && second < 61 && Math.abs(offset ?? 0) < 24 * 60
  );
}

/** Distinctive beginnings of month names in English, German, French, Spanish, Portuguese, Italian, Hungarian. */
const monthNames: readonly (readonly string[])[] = [
  ["jan", "gen", "ene", "ιαν"],
  ["feb", "fev", "fév", "φεβ"],
  ["mar", "mär", "mrz", "már", "μάρ", "μαρ"],
  ["apr", "avr", "abr", "ápr", "απρ"],
  ["may", "mai", "mag", "máj", "maj", "μάι", "μαΐ", "μαι"],
  ["jun", "juin", "giu", "jún", "ιούν", "ιον"],
  ["jul", "juil", "lug", "júl", "ιούλ", "ιολ"],
  ["aug", "aoû", "aou", "ago", "αύγ", "αυγ"],
  ["sep", "set", "szept", "σεπ"],
  ["oct", "okt", "out", "ott", "οκτ"],
  ["nov", "νοέ", "νοε"],
  ["dec", "dez", "déc", "dic", "δεκ"],
];

function monthOf(name: string | undefined): number | null {
  const lower = name?.toLowerCase() ?? "";
  const index = monthNames.findIndex((starts) => starts.some((start) => lower.startsWith(start)));
  return index === -1 ? null : index + 1;
}
