import type { TestContext } from "node:test";
import type { Seeded } from "./items.ts";
import type { Live } from "./live.ts";

/** Tests one rule of the interface on a live service. Throws when the service breaks the rule. */
export type Rule = (live: Live, items: Seeded) => Promise<void>;

/** The rules of one section of the interface, by their text. */
export interface Section {
  readonly name: string;
  readonly rules: Readonly<Record<string, Rule>>;
}

/** Thrown by a rule that cannot be tested on this service. The message says why. */
export class NotApplicable extends Error {
  override readonly name = "NotApplicable";
}

/** Registers a test, at the top level or as a part of another test. */
type Register = (name: string, body: (context: TestContext) => Promise<void>) => Promise<void>;

/**
 * Runs every rule whose name matches, one after the other, because rules count the run's use of quotas.
 * @returns the number of rules run
 */
export async function runSections(
  sections: readonly Section[],
  { register, only = /^/, live, items }: { register: Register; only?: RegExp; live: Live; items: Seeded },
): Promise<number> {
  const chosen = sections
    .flatMap(({ name, rules }) =>
      Object.entries(rules).map(([sentence, rule]) => ({ name: `${name}: ${sentence}`, rule })),
    )
    .filter(({ name }) => only.test(name));
  for (const { name, rule } of chosen)
    await register(name, (context) => hold(rule, { context, live, items }));
  return chosen.length;
}

async function hold(
  rule: Rule,
  { context, live, items }: { context: TestContext; live: Live; items: Seeded },
) {
  try {
    await rule(live, items);
  } catch (error) {
    if (!(error instanceof NotApplicable)) throw error;
    context.skip(error.message);
  }
}
