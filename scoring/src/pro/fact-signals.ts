import type { Metric, NumberFact, Signal } from "./types.ts";

const metricNames: Readonly<Record<Metric, string>> = {
  revenue: "Revenue",
  eps: "Earnings per share",
  net_income: "Net income",
  operating_income: "Operating income",
  ebitda: "EBITDA",
  gross_margin: "Gross margin",
  operating_margin: "Operating margin",
  net_margin: "Net margin",
  free_cash_flow: "Free cash flow",
  bookings: "Bookings",
  backlog: "Backlog",
  deal_value: "Deal value",
};

export const metricName = ({ metric, kind }: NumberFact): string =>
  kind === "guidance" ? `${metricNames[metric]} guidance` : metricNames[metric];

/** `USD 5.2 bn`, `USD 1.20 a share`, `45.2%`. */
export function figure(value: number, { unit, currency }: Pick<NumberFact, "unit" | "currency">): string {
  if (unit === "percent") return `${round(value, 2)}%`;
  const lead = currency === null ? "" : `${currency} `;
  if (unit === "per_share") return `${lead}${value.toFixed(2)} a share`;
  const size = Math.abs(value);
  if (size >= 1e9) return `${lead}${round(value / 1e9, 2)} bn`;
  if (size >= 1e6) return `${lead}${round(value / 1e6, 1)} m`;
  return size >= 1e4 ? `${lead}${round(value / 1e3, 1)} k` : `${lead}${round(value, 2)}`;
}

const round = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

/** A change of this many per cent counts as one plain good or bad sentence. */
const plainChange = 10;

/** What a figure is compared with, and the meaning of that. Empty for a figure without a comparison. */
function comparisons(fact: NumberFact): readonly { label: string; weight: number }[] {
  const { kind, value, previous, yearAgo, consensus, outcome, changePct, unit } = fact;
  const name = metricName(fact);
  const found: { label: string; weight: number }[] = [];
  const isHeavy = fact.metric === "eps" || fact.metric === "revenue" || fact.metric === "net_income";
  if (outcome === "beat" || outcome === "miss") {
    const size = (isHeavy ? 2 : 1.2) * (kind === "guidance" ? 1.2 : 1);
    const than = consensus === null ? "what was expected" : `the ${figure(consensus, fact)} expected`;
    found.push({
      label: `${name} ${outcome === "beat" ? "above" : "below"} ${than}`,
      weight: outcome === "beat" ? size : -size,
    });
  }
  if (kind === "guidance" && previous !== null && Math.abs(value - previous) > Math.abs(previous) * 0.002) {
    const up = value > previous;
    found.push({
      label: `${name} ${up ? "raised" : "cut"} from ${figure(previous, fact)}`,
      weight: up ? 2.4 : -2.4,
    });
  } else if (unit === "percent" && yearAgo !== null && Math.abs(value - yearAgo) >= 0.2) {
    const points = value - yearAgo;
    const size = Math.min(1.5, 0.4 + Math.abs(points) / 4);
    found.push({
      label: `${name} ${points > 0 ? "up" : "down"} from ${figure(yearAgo, fact)}`,
      weight: Math.sign(points) * size,
    });
  } else {
    const change = changePct ?? lossChange(value, yearAgo);
    if (change !== null && Math.abs(change) >= 1) {
      const size = Math.min(1.8, 0.5 + Math.abs(change) / plainChange / 4) * (isHeavy ? 1 : 0.8);
      found.push({ label: `${name} ${changeWords(fact, change)}`, weight: Math.sign(change) * size });
    }
  }
  return found;
}

/** Change of a loss in per cent of its former size: a smaller loss is better. */
function lossChange(value: number, yearAgo: number | null): number | null {
  if (yearAgo === null || yearAgo === 0) return null;
  return Math.max(-200, Math.min(200, ((value - yearAgo) / Math.abs(yearAgo)) * 100));
}

function changeWords(fact: NumberFact, change: number): string {
  const than = fact.yearAgo === null ? "the year before" : `${figure(fact.yearAgo, fact)} the year before`;
  return fact.changePct === null
    ? `${change > 0 ? "better" : "worse"} than ${than}`
    : `${change > 0 ? "up" : "down"} ${round(Math.abs(change), 1)}% on ${than}`;
}

/** Statements for or against that follow from figures. @param owner index of the fact's symbol */
export function factSignals(fact: NumberFact, owner: number | null, sentence: number): readonly Signal[] {
  const { start, end } = fact.evidence;
  return comparisons(fact).map(({ label, weight }) => ({
    start,
    end,
    label,
    weight,
    lasting: true,
    hedged: false,
    alarm: false,
    owner,
    sentence,
  }));
}
