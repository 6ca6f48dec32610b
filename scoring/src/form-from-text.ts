import { unstatedFilingFacts } from "@tapewire/contract/filings.ts";
import type { Artifact } from "./types.ts";

const named =
  /\b(8-K(?:\/A)?|10-K(?:\/A)?|10-Q(?:\/A)?|6-K|20-F|40-F|S-1|S-3|424B[1-5]|SC 13[DG](?:\/A)?|SC TO-[TCI]|NT 10-[KQ])\b/;
const eventHeading = /^Item[\s.:]{0,5}(\d\.\d{2})\b/gim;
/** In a title the item need not begin the line: "8-K - Item 5.02 Departure of Directors". */
const namedItem = /\bItem[\s.:]{0,5}(\d\.\d{2})\b/gi;
const read = 20_000;

const itemsIn = (title: string, start: string): readonly string[] => [
  ...new Set(
    [...title.matchAll(namedItem), ...start.matchAll(eventHeading)].map(([, number = ""]) => number),
  ),
];

/** A filing with the form that its text names, where it has no facts, and the items of an 8-K whose facts state none. */
export function withForm(artifact: Artifact): Artifact {
  const { type, filing, title } = artifact;
  if (type !== "filing") return artifact;
  const start = artifact.body.slice(0, read);
  if (filing !== null) {
    if (filing.items.length > 0 || !/^(?:form )?8-K/i.test(filing.form)) return artifact;
    return { ...artifact, filing: { ...filing, items: [...itemsIn(title, start)] } };
  }
  const items = [...itemsIn(title, start)];
  const form = named.exec(title)?.[1] ?? named.exec(start)?.[1] ?? (items.length > 0 ? "8-K" : null);
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
