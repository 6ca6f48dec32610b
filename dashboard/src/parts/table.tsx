import type { ComponentChildren } from "preact";
import { Wide } from "./wide.tsx";

/** The head of a column. `num`: of numbers; `unseen`: those who see its cells need no heading. */
export type Heading = readonly [text: string, look?: string];

/** What a column shows of each row, under its heading: on narrow screens beside it. The look is a class of the style sheet. */
export type Column<Row> = readonly [text: string, cell: (row: Row) => ComponentChildren, look?: string];

/** Rows under their headings; as wide as they must be, or one below the other where there is no room. */
export const Frame = ({
  label,
  head,
  children,
}: {
  label?: string | undefined;
  head: readonly Heading[];
  children: ComponentChildren;
}) => (
  <Wide label={label}>
    <table class="stacks">
      <thead>
        <tr>
          {head.map(([text, look]) => (
            <th key={text} class={look === "num" ? look : ""}>
              <span class={look === "unseen" ? look : ""}>{text}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Wide>
);

/** A table of rows that are described by its columns. */
export const Table = <Row,>({
  label,
  columns,
  rows,
  keyOf,
  lookOf,
  point,
}: {
  label?: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** The class of a row. */
  lookOf?: (row: Row) => string;
  /** Called when the pointer comes to a row, and with null when it leaves. */
  point?: (row: Row | null) => unknown;
}) => (
  <Frame label={label} head={columns.map(([text, , look]) => [text, look])}>
    {rows.map((row) => (
      <tr
        key={keyOf(row)}
        class={lookOf?.(row)}
        onMouseEnter={() => void point?.(row)}
        onMouseLeave={() => void point?.(null)}
      >
        {columns.map(([text, cell, look]) => (
          <td
            key={text}
            class={look === "unseen" ? "" : look}
            data-head={look === "unseen" ? undefined : text}
          >
            {cell(row)}
          </td>
        ))}
      </tr>
    ))}
  </Frame>
);
