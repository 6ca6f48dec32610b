import type { ComponentChildren } from "preact";
import { Wide } from "./wide.tsx";

/** The head of a column: of texts, of numbers, or of what needs none to be understood by those who see it. */
export type Heading = string | { readonly num: string } | { readonly unseen: string };

const textOf = (one: Heading) => (typeof one === "string" ? one : "num" in one ? one.num : null);

/** For style sheets: on narrow screens each cell has its heading beside it. */
const names = (head: readonly Heading[]) =>
  Object.fromEntries(
    head.flatMap((one, at) => {
      const text = textOf(one);
      return text === null ? [] : [[`--head-${at + 1}`, JSON.stringify(text)]];
    }),
  );

/** Rows under their headings; as wide as they must be, or one below the other where there is no room. */
export function Table({
  label,
  head,
  children,
}: {
  label?: string;
  head: readonly Heading[];
  children: ComponentChildren;
}) {
  return (
    <Wide {...(label !== undefined && { label })}>
      <table class="stacks" style={names(head)}>
        <thead>
          <tr>
            {head.map((one) =>
              typeof one === "string" ? (
                <th key={one}>{one}</th>
              ) : "num" in one ? (
                <th key={one.num} class="num">
                  {one.num}
                </th>
              ) : (
                <th key={one.unseen}>
                  <span class="unseen">{one.unseen}</span>
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Wide>
  );
}
