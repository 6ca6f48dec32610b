import { now } from "../core/clock.ts";
import { clockTime, dayTime, fullTime, inUtc, span } from "../core/format.ts";

/** A time in the viewer's zone: relative below an hour, absolute else; UTC on hover. */
export function Time({ at, empty = "never" }: { at: string | null; empty?: string }) {
  if (at === null) return <span class="quiet">{empty}</span>;
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={`${fullTime(ms)}\n${inUtc(ms)}`}>
      <Relative ms={ms} />
    </time>
  );
}

function Relative({ ms }: { ms: number }) {
  const ago = now.value - ms;
  if (Math.abs(ago) >= 3_600_000) return <>{dayTime(ms)}</>;
  if (Math.abs(ago) < 2_000) return <>now</>;
  return <>{ago > 0 ? `${span(ago)} ago` : `in ${span(-ago)}`}</>;
}

/** A text of the service with its times as the viewer's clock has them. */
export const withTimes = (text: string): string =>
  text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (at) => dayTime(Date.parse(at)));

/** How long until a time, counting. */
export function Until({ at }: { at: string }) {
  return <span class="num">{span(Math.max(0, Date.parse(at) - now.value))}</span>;
}

/** Always absolute, to the second. */
export function Moment({ at }: { at: string | null }) {
  if (at === null) return <span class="quiet">—</span>;
  const ms = Date.parse(at);
  const isToday = new Date(ms).toDateString() === new Date(now.peek()).toDateString();
  return (
    <time dateTime={at} title={inUtc(ms)}>
      {isToday ? clockTime(ms) : fullTime(ms)}
    </time>
  );
}
