import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { count, span, words } from "../core/format.ts";
import { useDoing, useGet } from "../core/load.ts";
import { mayWrite, tab } from "../core/session.ts";
import { useSignal } from "../core/signal.ts";
import type { Me, Verdict } from "../core/types.ts";
import { EvidenceText, Pieces } from "../item/evidence-text.tsx";
import { factorSpans, piecesOf } from "../item/spans.ts";
import { Why } from "../item/why.tsx";
import { Code } from "../parts/copy.tsx";
import { Input, Select, TextArea } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Panel, Screen } from "../parts/screen.tsx";
import { Lock } from "../parts/states.tsx";

interface Draft {
  readonly type: string;
  readonly title: string;
  readonly body: string;
  readonly model: string;
}

const models = [
  ["", "By the type"],
  ["flash", "Flash"],
  ["pro", "Pro"],
] as const;

const empty: Draft = { type: "news", title: "", body: "", model: "" };
interface Answer {
  readonly draft: Draft;
  readonly verdict: Verdict;
}

const requestOf = ({ type, title, body, model }: Draft) => ({
  artifact: { type, title, body },
  options: { include_detailed_analysis: true, ...(model === "" ? {} : { model }) },
});

/** A text of one's own, scored like an item. */
export default function Score() {
  const me = useGet<Me>("/v1/me");
  const [draft, setDraft] = useState(empty);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const doing = useDoing();
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
          <Fields
            draft={draft}
            setDraft={setDraft}
            wrong={(name) => doing.failure?.field(`artifact.${name}`) ?? null}
          />
        </Form>
      )}
      {answer !== null && <Judged key={answer.verdict.id} {...answer} />}
      <Panel title="The same by curl">
        <Code text={curlOf(draft)} what="curl" />
      </Panel>
    </Screen>
  );
}

const curlOf = (draft: Draft) =>
  `curl -X POST -H "Authorization: Bearer $TAPEWIRE_KEY" \\\n  -H 'Content-Type: application/json' \\\n  '${tab.value?.base_url ?? location.origin}/v1/score' -d '${JSON.stringify(requestOf(draft), null, 2).replaceAll("'", "'\\''")}'`;

interface FieldsProps {
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  readonly wrong: (name: string) => string | null;
}

function Fields({ draft, setDraft, wrong }: FieldsProps) {
  return (
    <>
      <Input
        label="Title"
        wrong={wrong("title")}
        required
        value={draft.title}
        set={(to) => setDraft({ ...draft, title: to })}
      />
      <TextArea
        label="Text"
        wrong={wrong("body")}
        required
        rows={8}
        value={draft.body}
        set={(to) => setDraft({ ...draft, body: to })}
      />
      <div class="row wrap">
        <Select
          label="Type"
          wrong={wrong("type")}
          value={draft.type}
          set={(to) => setDraft({ ...draft, type: to })}
          options={["news", "filing", "research", "ugc"].map((type) => [type, words(type)])}
        />
        <Select
          label="Model"
          value={draft.model}
          options={models}
          set={(model) => setDraft({ ...draft, model })}
        />
      </div>
    </>
  );
}

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
