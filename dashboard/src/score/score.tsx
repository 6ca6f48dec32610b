import { useEffect, useState } from "preact/hooks";
import type { ItemText } from "tapewire";
import { send } from "../api.ts";
import { count, span, words } from "../core/format.ts";
import { useGet } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import type { FeedList, Me, Verdict } from "../core/types.ts";
import { useSignal } from "../draw/drawn.ts";
import { lazy } from "../draw/lazy.tsx";
import { Input, Select, TextArea } from "../forms/field.tsx";
import { useFields } from "../forms/fields.ts";
import { Form } from "../forms/form.tsx";
import { Panel, Screen } from "../parts/screen.tsx";
import { Lock, Problem } from "../parts/states.tsx";
import { EvidenceText, Pieces } from "../why/evidence-text.tsx";
import { factorSpans, piecesOf } from "../why/spans.ts";
import { Why } from "../why/why.tsx";

const ScoreCode = lazy(() => import("../shell/door.ts").then((door) => door.ScoreCode));

/** A text to score, as it is written. */
interface Draft {
  readonly type: string;
  readonly title: string;
  readonly body: string;
  /** Empty: the service chooses by the type. */
  readonly model: string;
}

const requestOf = ({ type, title, body, model }: Draft) => ({
  artifact: { type, title, body },
  options: { include_detailed_analysis: true, ...(model && { model }) },
});

const models = [
  ["", "By the type"],
  ["flash", "Flash"],
  ["pro", "Pro"],
] as const;

const types = ["news", "filing", "research", "ugc"] as const;
const empty: Draft = { type: "news", title: "", body: "", model: "" };
interface Answer {
  readonly draft: Draft;
  readonly verdict: Verdict;
}

/** A text of one's own, scored like an item. */
export default function Score() {
  const me = useGet<Me>("/v1/me");
  const [answer, setAnswer] = useState<Answer | null>(null);
  const { doing, values: draft, field } = useFields({ ...empty }, "artifact.");
  const limit = me.data?.limits.score_per_day;
  const ask = async () => {
    const verdict = await send<Verdict>("POST", "/v1/score", requestOf(draft));
    setAnswer({ draft, verdict });
    me.again();
  };
  return (
    <Screen
      title="Score a text"
      actions={
        me.data !== null && (
          <span class="quiet small num">
            {limit === null
              ? `${count(me.data.usage.score)} calls today`
              : `${count(Math.max(0, (limit ?? 0) - me.data.usage.score))} of ${count(limit ?? 0)} calls left today`}
          </span>
        )
      }
    >
      {limit === 0 ? (
        <Lock text="Scoring your own text is part of the pro plan and higher." />
      ) : !mayWrite.value ? (
        <Lock text="Your role may look, not score." />
      ) : (
        <Form doing={doing} send={ask} label={doing.isBusy ? "Scoring" : "Score"}>
          <Recent field={field} />
          <Asked field={field} />
        </Form>
      )}
      {answer !== null && <Judged key={answer.verdict.id} {...answer} />}
      <Panel title="Code">
        <ScoreCode {...requestOf(draft)} />
      </Panel>
    </Screen>
  );
}

type Field = ReturnType<typeof useFields<Record<keyof Draft, string>>>["field"];

/** Takes the text of an item that came lately; what is chosen meanwhile takes its place. */
function Recent({ field }: { field: Field }) {
  const recent = useGet<FeedList>("/v1/feeds", { limit: 20 });
  const items = recent.data?.data ?? [];
  const [id, choose] = useState("");
  const text = useGet<ItemText>(id === "" ? null : `/v1/feeds/${id}/text`);
  useEffect(() => {
    if (text.data === null) return;
    field("title").set(text.data.title);
    field("body").set(text.data.body);
    field("type").set(items.find((item) => item.id === id)?.type ?? "news");
  }, [text.data]);
  return (
    <>
      <Select
        label="Text to score"
        value={id}
        set={choose}
        options={[["", "My own"], ...items.map((item) => [item.id, item.title ?? item.id] as const)]}
      />
      <Problem failure={text.failure} />
    </>
  );
}

const Asked = ({ field }: { field: Field }) => (
  <>
    <Input label="Title" {...field("title")} required />
    <TextArea label="Text" {...field("body")} required rows={8} />
    <div class="row wrap">
      <Select label="Type" {...field("type")} options={types.map((type) => [type, words(type)])} />
      <Select label="Model" {...field("model")} options={models} />
    </div>
  </>
);

/** The verdict, drawn like the reasons of an item. */
function Judged({ draft, verdict }: Answer) {
  const lit = useSignal<readonly string[]>([]);
  const { actionability, sentiment, detailed_analysis: detail } = verdict;
  const spans = factorSpans(detail);
  const whole = `${draft.title}\n${draft.body}`;
  return (
    <Panel
      title="Verdict"
      aside={
        <span class="quiet small num">
          {verdict.model} {verdict.model_version}, {span(verdict.timing_ms)}
        </span>
      }
    >
      <p class="strong">
        <bdi>
          <Pieces pieces={piecesOf(whole, 0, draft.title.length, spans)} lit={lit} />
        </bdi>
      </p>
      <Why
        scoring={{
          actionability: actionability.actionable,
          actionability_score: actionability.score,
          actionability_comment: actionability.comment,
          sentiment_short: sentiment?.short_direction ?? null,
          sentiment_long: sentiment?.long_direction ?? null,
          sentiment_conviction: sentiment?.conviction ?? null,
          sentiment_comment: sentiment?.comment ?? null,
        }}
        subScores={{ actionability: actionability.sub_scores, sentiment: sentiment?.sub_scores ?? null }}
        detail={detail}
        lit={lit}
      />
      <EvidenceText text={whole} from={draft.title.length + 1} spans={spans} lit={lit} />
    </Panel>
  );
}
