import { useSignal } from "@preact/signals";
import { useState } from "preact/hooks";
import { get } from "../api.ts";
import { at } from "../core/address.ts";
import { useLoad } from "../core/load.ts";
import type { FeedItemDetail, Verdict } from "../core/types.ts";
import { Code } from "../parts/copy.tsx";
import { Loading, Lock } from "../parts/states.tsx";
import { useShortcuts } from "../shell/keyboard.ts";
import { Compare } from "./compare.tsx";
import { EvidenceText } from "./evidence-text.tsx";
import { Explain, useExplanation } from "./explain.tsx";
import { ItemHead } from "./head.tsx";
import { Events, PerSymbol } from "./parties.tsx";
import { allSpans } from "./spans.ts";
import { Versions } from "./versions.tsx";
import { Why } from "./why.tsx";

const tabs = ["Why", "Symbols", "Flash and pro", "Versions", "JSON"] as const;
type Tab = (typeof tabs)[number];

/** One item: what it says, and why it was scored so. */
export default function ItemView({ id, close }: { id: string; close: (() => void) | null }) {
  const item = useLoad(`item ${id}`, (signal) => get<FeedItemDetail>(`/v1/feeds/${id}`, {}, signal));
  return (
    <article class="item">
      <div class="row">
        <span class="grow quiet small">Item</span>
        {close !== null && (
          <>
            <a class="button plain" href={at("item", id)}>
              Open as a page
            </a>
            <button type="button" class="button plain" onClick={close}>
              Close
            </button>
          </>
        )}
      </div>
      <Loading of={item} lines={8}>
        {(data) => <Content item={data} />}
      </Loading>
    </article>
  );
}

interface TextAnswer {
  readonly title: string | null;
  readonly body: string;
}

function Content({ item }: { item: FeedItemDetail }) {
  const [tab, setTab] = useState<Tab>("Why");
  const lit = useSignal<readonly string[]>([]);
  const text = useLoad(`text ${item.id} ${item.seq}`, (signal) =>
    get<TextAnswer>(`/v1/feeds/${item.id}/text`, {}, signal),
  );
  const explanation = useExplanation(item);
  const spans = allSpans(item, explanation.verdict);
  const title = item.title ?? "";
  const whole = text.data === null ? title : `${text.data.title ?? title}\n${text.data.body}`;
  useShortcuts([{ keys: "e", does: "Explain the score", run: explanation.ask }]);
  return (
    <>
      <ItemHead item={item} spans={spans} lit={lit} />
      <div class="tabs" role="tablist" aria-label="About the item">
        {tabs.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={name === tab}
            onClick={() => setTab(name)}
          >
            {name}
          </button>
        ))}
      </div>
      {tab === "Why" && (
        <>
          {item.scoring.locked ? (
            <Lock text={item.scoring.message ?? "Scores are not part of this plan."} />
          ) : (
            <>
              <Why
                scoring={item.scoring}
                subScores={item.sub_scores}
                detail={explanation.verdict?.detailed_analysis}
                lit={lit}
              />
              <Explain explanation={explanation} />
            </>
          )}
          <Events item={item} lit={lit} />
          {text.data !== null && text.data.body !== "" && (
            <EvidenceText text={whole} from={(text.data.title ?? title).length + 1} spans={spans} lit={lit} />
          )}
          {text.failure !== null && <Withheld item={item} verdict={explanation.verdict} />}
        </>
      )}
      {tab === "Symbols" && <PerSymbol item={item} lit={lit} />}
      {tab === "Flash and pro" && <Compare item={item} />}
      {tab === "Versions" && <Versions item={item} />}
      {tab === "JSON" && <Code text={JSON.stringify(item, null, 2)} what="item as JSON" />}
    </>
  );
}

/** Where the source does not let its text be shown: the quotes that the scores rest on, and the extract. */
function Withheld({ item, verdict }: { item: FeedItemDetail; verdict: Verdict | null }) {
  const detail = verdict?.detailed_analysis;
  const factors = [...(detail?.actionability.factors ?? []), ...(detail?.sentiment.factors ?? [])];
  const quotes = new Set([
    ...item.events.flatMap(({ evidence }) => (evidence === null ? [] : [evidence.text])),
    ...item.analysis.flatMap(({ evidence }) => evidence.map(({ text }) => text)),
    ...factors.flatMap(({ evidence }) => evidence.map(({ text }) => text)),
  ]);
  return (
    <section class="stack" aria-label="Quotes">
      {item.summary !== null && (
        <p class="item-text">
          <bdi>{item.summary}</bdi>
        </p>
      )}
      {quotes.size > 0 && <h2>Quotes the scores rest on</h2>}
      {[...quotes].map((quote) => (
        <p key={quote} class="quote">
          <bdi>{quote}</bdi>
        </p>
      ))}
      <p class="quiet small">The source's full text is not shown here; follow its link to read it.</p>
    </section>
  );
}
