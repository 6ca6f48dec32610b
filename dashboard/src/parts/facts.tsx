import type { ComponentChildren } from "preact";

/** A fact with its name; false: it is not known. */
export type Fact = false | readonly [name: string, value: ComponentChildren];

/** Facts, each beside its name. */
export const Facts = ({ of, look = "" }: { of: readonly Fact[]; look?: string }) => (
  <dl class={`facts ${look}`}>
    {of.map(
      (fact) =>
        fact && (
          <>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </>
        ),
    )}
  </dl>
);
