import { unstatedFilingFacts } from "@tapewire/contract/filings.ts";
import type { Artifact } from "./types.ts";

const named =
  /\b(8-K(?:\/A)?|10-K(?:\/A)?|10-Q(?:\/A)?|6-K|20-F|40-F|S-1|S-3|424B[1-5]|SC 13[DG](?:\/A)?|SC TO-[TCI]|NT 10-[KQ])\b/;
const eventHeading = /^Item[\s.:]{0,5}(\d\.\d{2})\b/gim;
/** In a title the item need not begin the line: "8-K - Item 5.02 Departure of Directors". */
const namedItem = /\bItem[\s.:]{0,5}(\d\.\d{2})\b/gi;
const read = 20_000;

/** For a filing without facts: the artifact with the form that its text names. */
export function withForm(artifact: Artifact): Artifact {
  if (artifact.type !== "filing" || artifact.filing !== null) return artifact;
  const start = artifact.body.slice(0, read);
  const headings = [...artifact.title.matchAll(namedItem), ...start.matchAll(eventHeading)];
  const items = [...new Set(headings.map(([, number = ""]) => number))];
  const form = named.exec(artifact.title)?.[1] ?? named.exec(start)?.[1] ?? (items.length > 0 ? "8-K" : null);
  if (form === null) return artifact;
  return {
    ...artifact,
    filing: {
      form,
      items: form.startsWith("8-K") ? items : [],
      ...unstatedFilingFacts,
    },
  };
}
