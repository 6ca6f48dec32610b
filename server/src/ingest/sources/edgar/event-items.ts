/**
 * Items of Form 8-K since August 2004: our label, and the beginnings of the SEC's own headings (compared in lower case).
 * A beginning is enough, since the SEC has reworded the ends over the years. Source: Form 8-K, general instructions.
 */
const eventItems: Readonly<Record<string, readonly [label: string, ...headings: string[]]>> = {
  "1.01": ["Entry into a material agreement", "entry into"],
  "1.02": ["Termination of a material agreement", "termination of a material"],
  "1.03": ["Bankruptcy or receivership", "bankruptcy"],
  "1.04": ["Mine safety", "mine safety"],
  "1.05": ["Material cybersecurity incident", "material cybersecurity"],
  "2.01": ["Completion of acquisition or disposition of assets", "completion of acq"],
  "2.02": ["Results of operations and financial condition", "results of operation"],
  "2.03": ["New direct financial obligation", "creation of a direct"],
  "2.04": ["Acceleration of a financial obligation", "triggering events"],
  "2.05": ["Exit or disposal costs", "costs associated", "cost associated"],
  "2.06": ["Material impairments", "material impairment"],
  "3.01": ["Notice of delisting or listing transfer", "notice of delisting"],
  "3.02": ["Unregistered sales of equity securities", "unregistered sale"],
  "3.03": ["Change to rights of security holders", "material modification"],
  "4.01": ["Change of auditor", "changes in registrant", "change in registrant"],
  "4.02": ["Non-reliance on previous financial statements", "non-reliance", "nonreliance"],
  "5.01": ["Change in control", "changes in control", "change in control"],
  "5.02": [
    "Departure, election or pay of directors or officers",
    "departure of",
    "election of director",
    "appointment of",
    "compensatory arrangement",
  ],
  "5.03": ["Amended articles, bylaws or fiscal year", "amendments to articles", "amendment to articles"],
  "5.04": ["Trading suspended under employee benefit plans", "temporary suspension"],
  "5.05": [
    "Change or waiver of the code of ethics",
    "amendments to the registrant",
    "amendment to the registrant",
  ],
  "5.06": ["Change in shell company status", "change in shell", "changes in shell"],
  "5.07": ["Votes of security holders", "submission of matters"],
  "5.08": ["Shareholder director nominations", "shareholder"],
  "6.01": ["ABS informational material", "abs informational"],
  "6.02": ["Change of servicer or trustee", "change of servicer", "change in servicer"],
  "6.03": ["Change in credit enhancement", "change in credit"],
  "6.04": ["Failure to make a required distribution", "failure to make"],
  "6.05": ["Securities Act updating disclosure", "securities act updating"],
  "6.06": ["Static pool", "static pool"],
  "7.01": ["Regulation FD disclosure", "regulation fd", "reg fd"],
  "8.01": ["Other events", "other event"],
  "9.01": ["Financial statements and exhibits", "financial statement", "exhibits"],
};

/** Number of an 8-K item by the SEC's heading; null for an unknown heading (as all before 2004). */
export function itemNumber(heading: string): string | null {
  const wanted = heading.trim().toLowerCase();
  for (const [number, [, ...beginnings]] of Object.entries(eventItems))
    if (beginnings.some((beginning) => wanted.startsWith(beginning))) return number;
  return null;
}

/** Whether this is the number of an 8-K item, for example 2.02. */
export function isItemNumber(number: string): boolean {
  return Object.hasOwn(eventItems, number);
}

/** "Results of operations and financial condition (2.02)" for each item. */
export function itemLabels(items: readonly string[]): string[] {
  return items.map((item) => {
    const label = eventItems[item]?.[0];
    return label === undefined ? `Item ${item}` : `${label} (${item})`;
  });
}
