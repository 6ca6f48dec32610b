import { capital } from "./capital.ts";
import { framing } from "./framing.ts";
import { results } from "./results.ts";
import { routine } from "./routine.ts";
import { trouble } from "./trouble.ts";

/** A kind of event under its public name. */
export interface EventKindInfo {
  /** snake_case; never changes its meaning. */
  readonly name: string;
  readonly group: string;
  readonly label: string;
  readonly meaning: string;
}

/** Public names of kinds that the rules call differently. */
const renamed: Readonly<Record<string, string>> = {
  "guidance up": "guidance_raised",
  "guidance down": "guidance_cut",
  contract: "contract_won",
  offering: "share_issue",
};

const groups = { framing, results, capital, trouble, routine };

/** The public name of a kind of the rules. */
export const publicName = (kind: string): string => renamed[kind] ?? kind.replaceAll(/[^a-z]+/g, "_");

const all = Object.entries(groups).flatMap(([group, entries]) =>
  entries.map(([{ name: kind }]): EventKindInfo => {
    const name = publicName(kind);
    const words = name.replaceAll("_", " ");
    const label = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
    return { name, group, label, meaning: `The text tells of this: ${words}.` };
  }),
);

/** Every kind of event that the engine finds, once. */
export const eventCatalogue: readonly EventKindInfo[] = [
  ...new Map(all.map((kind) => [kind.name, kind])).values(),
];
