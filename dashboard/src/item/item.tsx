import { useEffect } from "preact/hooks";
import { get } from "../api.ts";
import { at, back, useParams } from "../core/address.ts";
import { loadEventLabels } from "../core/event-labels.ts";
import { useGet, useLoad } from "../core/load.ts";
import type { FeedItemDetail, Verdict } from "../core/types.ts";
import { useChoice } from "../draw/choice.ts";
import { useSignal } from "../draw/drawn.ts";
import { Button } from "../forms/button.tsx";
import { Tabs } from "../parts/screen.tsx";
import { Loading, Lock } from "../parts/states.tsx";
import { Moment } from "../parts/time.tsx";
import { useShortcuts } from "../shell/keyboard.ts";
import { EvidenceText } from "../why/evidence-text.tsx";
import { Explain, useExplanation } from "../why/explain.tsx";
import { allSpans } from "../why/spans.ts";
import { Why } from "../why/why.tsx";
import { Carried } from "./carried.tsx";
import { Compare } from "./compare.tsx";
import { Delivered } from "./delivered.tsx";
import { Filing } from "./filing.tsx";
import { ItemHead } from "./head.tsx";
import { Novelty } from "./novelty.tsx";
import { Events, PerSymbol } from "./parties.tsx";
import { Versions } from "./versions.tsx";

const tabs = ["Why", "Symbols", "Flash and pro", "Versions", "Delivered to", "JSON"] as const;

/** One item: what it says, and why it was scored so. The address holds the tab, and the time when it is seen as of one. */
export default function ItemView({ id, close }: { id: string; close: (() => void) | null }) {
  const [params, change] = useParams();
  const asOf = params.as_of ?? null;
  const item = useGet<FeedItemDetail>(`/v1/feeds/${id}`, { as_of: asOf });
  return (
    <article class="item">
      <div class="row">
        <span class="grow quiet small">Item</span>
        {close === null ? (
          <Button look="plain" run={back}>
            Back
          </Button>
        ) : (
          <>
            <a class="button plain" href={at("item", id)}>
              Open as a page
            </a>
            <Button look="plain" run={close}>
              Close
            </Button>
          </>
        )}
      </div>
      {asOf !== null && (
        <p class="note live row wrap">
          <span class="grow">
            As it was on <Moment at={asOf} />.
          </span>
          <Button run={() => change({ as_of: null })}>Show the newest</Button>
        </p>
      )}
      <Loading of={item} lines={8}>
        {(data) => <Content item={data} isAsOf={asOf !== null} />}
      </Loading>
    </article>
  );
}

interface TextAnswer {
  readonly title: string | null;
  readonly body: string;
  readonly seq: number;
}

function Content({ item, isAsOf }: { item: FeedItemDetail; isAsOf: boolean }) {
  const [tab, setTab] = useChoice("show", tabs);
  useEffect(() => void loadEventLabels().catch(() => {}), []);
  const lit = useSignal<readonly string[]>([]);
  const text = useLoad(`text ${item.id} ${item.seq}`, (signal) =>
    get<TextAnswer>(`/v1/feeds/${item.id}/text`, {}, signal),
  );
  // The text, and reasons that are asked for now, are of the newest version only.
  const isNewest = !isAsOf || text.data?.seq === item.seq;
  const explanation = useExplanation(item, isNewest);
  const spans = allSpans(item, explanation.verdict);
  const title = item.title ?? "";
  const whole = text.data === null ? title : `${text.data.title ?? title}\n${text.data.body}`;
  useShortcuts([{ keys: "e", does: "Explain the score", run: explanation.ask }]);
  return (
    <>
      <ItemHead item={item} spans={spans} lit={lit} />
      <Tabs label="About the item" names={tabs} value={tab} choose={setTab} />
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
              {isNewest && <Explain explanation={explanation} />}
              <Novelty item={item} />
            </>
          )}
          <Filing item={item} />
          <Events item={item} lit={lit} />
          {isNewest && text.data !== null && text.data.body !== "" && (
            <EvidenceText text={whole} from={(text.data.title ?? title).length + 1} spans={spans} lit={lit} />
          )}
          {isNewest && text.failure !== null && <Withheld item={item} verdict={explanation.verdict} />}
        </>
      )}
      {tab === "Symbols" && <PerSymbol item={item} lit={lit} />}
      {tab === "Flash and pro" && <Compare item={item} />}
      {tab === "Versions" && <Versions item={item} />}
      {tab === "Delivered to" && <Delivered item={item} />}
      {tab === "JSON" && <Carried item={item} />}
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
