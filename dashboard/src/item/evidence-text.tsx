import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
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
  return (
    <section class="stack" aria-label="Text">
      <div class="row">
        <h2 class="grow">Text</h2>
        {spans.some(({ end }) => end > from) && (
          <span class="jump">
            <button type="button" class="button plain small" onClick={() => jump(-1)}>
              Previous
            </button>
            <button type="button" class="button plain small" onClick={() => jump(1)}>
              Next evidence
            </button>
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
        <button type="button" class="button" onClick={() => (isWhole.value = true)}>
          Show the other {paragraphs.length - shown.length} paragraphs
        </button>
      )}
    </section>
  );
}
