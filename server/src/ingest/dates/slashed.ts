import { zoneName } from "../../config/zone.ts";
import { ianaZone } from "./date-zones.ts";

/** A date such as 03/12/2026, with what stands around it. */
export interface SlashedDate {
  readonly first: number;
  readonly second: number;
  readonly year: number;
  readonly weekday: string | undefined;
  /** "AM" or "PM". */
  readonly half: string | undefined;
  /** The zone that the text names. */
  readonly named: string | undefined;
}

type Order = "month first" | "day first";

const americanZoneNames = /^[ecmp][sd]?t$/i;

const canonical = (names: readonly string[]) => new Set(names.map(zoneName));

/** Canada writes both. */
const monthFirst = canonical([
  "America/Anchorage",
  "America/Boise",
  "America/Chicago",
  "America/Denver",
  "America/Detroit",
  "America/Indiana/Indianapolis",
  "America/Kentucky/Louisville",
  "America/Los_Angeles",
  "America/New_York",
  "America/Phoenix",
  "Pacific/Honolulu",
]);

/** Zones of countries where nobody writes the month first. Source: CLDR, the short dates of their languages. */
const dayFirst = canonical([
  "America/Argentina/Buenos_Aires",
  "America/Bogota",
  "America/Lima",
  "America/Mexico_City",
  "America/Santiago",
  "America/Sao_Paulo",
  "Asia/Hong_Kong",
  "Asia/Jakarta",
  "Asia/Kolkata",
  "Asia/Singapore",
  "Australia/Adelaide",
  "Australia/Brisbane",
  "Australia/Melbourne",
  "Australia/Perth",
  "Australia/Sydney",
  "Europe/Amsterdam",
  "Europe/Athens",
  "Europe/Berlin",
  "Europe/Brussels",
  "Europe/Copenhagen",
  "Europe/Dublin",
  "Europe/Helsinki",
  "Europe/Istanbul",
  "Europe/Lisbon",
  "Europe/London",
  "Europe/Luxembourg",
  "Europe/Madrid",
  "Europe/Oslo",
  "Europe/Paris",
  "Europe/Prague",
  "Europe/Rome",
  "Europe/Vienna",
  "Europe/Warsaw",
  "Europe/Zurich",
  "Pacific/Auckland",
]);

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/**
 * Which number is the month. What tells it, surest first: a number above 12, the weekday, the zone that the text names, the
 * source's zone.
 * @returns null when nothing tells it
 */
export function slashedOrder(date: SlashedDate, zone: string): Order | null {
  const { first, second, half, named } = date;
  if (first > 12) return "day first";
  if (second > 12 || first === second) return "month first";
  const byWeekday = orderOfWeekday(date);
  if (byWeekday !== null) return byWeekday;
  const byZone = (named === undefined ? null : orderOfNamed(named)) ?? orderIn(zone);
  // Software that was not set to its country writes the American form, and that with AM and PM.
  return byZone === "day first" && half !== undefined ? null : byZone;
}

/** null: it is of neither day, or of both, or not English. */
function orderOfWeekday({ first, second, year, weekday }: SlashedDate): Order | null {
  const wanted = weekdays.indexOf(weekday?.slice(0, 3).toLowerCase() ?? "");
  const isMonthFirst = new Date(Date.UTC(year, first - 1, second)).getUTCDay() === wanted;
  const isDayFirst = new Date(Date.UTC(year, second - 1, first)).getUTCDay() === wanted;
  if (isMonthFirst === isDayFirst) return null;
  return isMonthFirst ? "month first" : "day first";
}

function orderOfNamed(named: string): Order | null {
  if (americanZoneNames.test(named)) return "month first";
  const zone = ianaZone(named);
  return zone === null ? null : orderIn(zone);
}

function orderIn(zone: string): Order | null {
  const name = zoneName(zone);
  if (monthFirst.has(name)) return "month first";
  return dayFirst.has(name) ? "day first" : null;
}
