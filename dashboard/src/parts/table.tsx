import type { ComponentChildren } from "preact";
import { Wide } from "./wide.tsx";

/** The head of a column: of texts, of numbers, or of what needs none to be understood by those who see it. */
export type Heading = string | { readonly num: string } | { readonly unseen: string };

/** Rows under their headings; as wide as they must be. */
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
      <table>
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
