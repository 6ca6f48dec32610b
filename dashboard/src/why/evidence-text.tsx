import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { at, here } from "../core/address.ts";
import { useSignal } from "../draw/drawn.ts";
import type { Signal } from "../draw/signal.ts";
import { Button } from "../forms/button.tsx";
import { useShortcuts } from "../shell/keyboard.ts";
import { type Piece, paragraphsOf, piecesOf, type Span } from "./spans.ts";

/** Ids that are pointed at, in the text or in the list of reasons. */
export type Lit = Signal<readonly string[]>;

export function Pieces({ pieces, lit }: { pieces: readonly Piece[]; lit: Lit }) {
  return (
    <>
      {pieces.map(({ text, start, owners, tone }) =>
        owners.length === 0 ? (
          <span key={start}>{text}</span>
        ) : (
          <mark
            key={start}
            class={`${tone} ${owners.some((one) => lit.value.includes(one)) ? "lit" : ""}`}
            data-evidence=""
            onMouseEnter={() => (lit.value = owners)}
            onMouseLeave={() => (lit.value = [])}
          >
            {text}
          </mark>
        ),
      )}
    </>
  );
}

/** Something that has words in the text: pointing at it lights them. */
export const Reason = ({
  id,
  lit,
  title,
  children,
}: {
  id: string;
  lit: Lit;
  title?: string | undefined;
  children: ComponentChildren;
}) => {
  const point = () => (lit.value = [id]);
  const leave = () => (lit.value = []);
  return (
    <li>
      <button
        type="button"
        class={`factor ${lit.value.includes(id) ? "lit" : ""}`}
        title={title}
        onMouseEnter={point}
        onMouseLeave={leave}
        onFocus={point}
        onBlur={leave}
      >
        {children}
      </button>
    </li>
  );
};

const firstShown = 30;

/** The body by paragraphs, with the words that count marked, and a way from one to the next. */
export function EvidenceText({
  text,
  from,
  spans,
  lit,
}: {
  text: string;
  from: number;
  spans: readonly Span[];
  lit: Lit;
}) {
  const box = useRef<HTMLDivElement>(null);
  const place = useSignal(-1);
  const isWhole = useSignal(false);
  const paragraphs = paragraphsOf(text, from);
  const shown = isWhole.value ? paragraphs : paragraphs.slice(0, firstShown);
  const marks = () => [...(box.current?.querySelectorAll("[data-evidence]") ?? [])];
  const jump = (by: number) => {
    const all = marks();
    if (all.length === 0) return;
    place.value = (place.value + by + all.length) % all.length;
    const one = all[place.value];
    one?.scrollIntoView({ block: "nearest" });
    for (const other of all) other.classList.toggle("lit", other === one);
  };
  const hasEvidence = spans.some(({ end }) => end > from);
  // A replay has another meaning for the key.
  useShortcuts(
    hasEvidence && here().path !== at("replay")
      ? [
          { keys: "n", does: "Next evidence", run: () => jump(1) },
          { keys: "p", does: "Previous evidence", run: () => jump(-1) },
        ]
      : [],
  );
  return (
    <section class="stack" aria-label="Text">
      <div class="row">
        <h2 class="grow">Text</h2>
        {hasEvidence && (
          <span class="jump">
            <Button look="plain small" run={() => jump(-1)}>
              Previous
            </Button>
            <Button look="plain small" run={() => jump(1)}>
              Next evidence
            </Button>
          </span>
        )}
      </div>
      <div class="item-text" ref={box}>
        {shown.map(({ start, end }) => (
          <p key={start}>
            <bdi>
              <Pieces pieces={piecesOf(text, start, end, spans)} lit={lit} />
            </bdi>
          </p>
        ))}
      </div>
      {shown.length < paragraphs.length && (
        <Button run={() => (isWhole.value = true)}>
          Show the other {paragraphs.length - shown.length} paragraphs
        </Button>
      )}
    </section>
  );
}
