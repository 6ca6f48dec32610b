import { signed, words } from "../core/format.ts";
import type { AnalysisFactor, Scoring, SubScores, Verdict } from "../core/types.ts";
import { Direction } from "../parts/marks.tsx";
import { type Lit, Reason } from "./evidence-text.tsx";
import { factorId } from "./spans.ts";

interface WhyProps {
  readonly scoring: Pick<
    Scoring,
    | "actionability"
    | "actionability_score"
    | "actionability_comment"
    | "sentiment_short"
    | "sentiment_long"
    | "sentiment_conviction"
    | "sentiment_comment"
  >;
  readonly subScores: SubScores | null;
  readonly detail: Verdict["detailed_analysis"];
  readonly lit: Lit;
}

/** Both judgements: score, reason in a line, sub-scores, and what each reason adds. */
export function Why({ scoring, subScores, detail, lit }: WhyProps) {
  return (
    <section class="why" aria-label="Why">
      <div class="stack">
        <h2>
          Actionability <span class="quiet small">0 to 100</span>
        </h2>
        <p class="judged">
          <span class={`score ${scoring.actionability ? "accent" : ""}`}>
            {scoring.actionability_score ?? "—"}
          </span>
          <span>
            {scoring.actionability === null
              ? "Not scored"
              : scoring.actionability
                ? "Actionable"
                : "Not actionable"}
          </span>
        </p>
        {scoring.actionability_comment !== null && <p class="soft">{scoring.actionability_comment}</p>}
        {subScores !== null && <Subs scores={subScores.actionability} />}
        {detail !== undefined && (
          <Factors
            head="actionability"
            of={scoring.actionability_score ?? 0}
            lit={lit}
            {...detail.actionability}
          />
        )}
      </div>
      <div class="stack">
        <h2>
          Sentiment <span class="quiet small">−5 to +5</span>
        </h2>
        <p class="judged">
          <Direction value={scoring.sentiment_short} />
          <span class="quiet small">short term</span>
          <Direction value={scoring.sentiment_long} />
          <span class="quiet small">long term</span>
          {scoring.sentiment_conviction !== null && (
            <span class="quiet small num">conviction {scoring.sentiment_conviction}</span>
          )}
        </p>
        {scoring.sentiment_comment !== null && <p class="soft">{scoring.sentiment_comment}</p>}
        {subScores?.sentiment && <Subs scores={subScores.sentiment} />}
        {detail !== undefined && (
          <Factors head="sentiment" of={scoring.sentiment_short ?? 0} lit={lit} {...detail.sentiment} />
        )}
      </div>
    </section>
  );
}

function Subs({ scores }: { scores: Readonly<Record<string, number>> }) {
  return (
    <div class="subs">
      {Object.entries(scores).map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <span class="soft">{words(name)}</span>
          <span class="bar" aria-hidden="true">
            <i style={{ width: `${value}%` }} />
          </span>
          <span class="num">{value}</span>
        </div>
      ))}
    </div>
  );
}

interface FactorsProps {
  readonly head: "actionability" | "sentiment";
  /** The verdict that is shown. */
  readonly of: number;
  readonly summary: string;
  readonly factors: readonly AnalysisFactor[];
  readonly lit: Lit;
}

const heads = {
  actionability: {
    perStep: 1,
    title: "What leads to it, in points of 100",
    total: "Score",
    more: "accent",
    less: "quiet",
  },
  sentiment: {
    perStep: 20,
    title: "What leads to it, in steps from −5 to +5",
    total: "Short term",
    more: "up",
    less: "down",
  },
} as const;

/** What each reason adds or takes away, one after the other, up to the verdict. Pointing at one lights its words in the text. */
function Factors({ head, of, summary, factors, lit }: FactorsProps) {
  const { perStep, title, total, more, less } = heads[head];
  const all = factors.map(({ weight, ...factor }) => ({ ...factor, value: weight / perStep }));
  const missing = of - factors.reduce((sum, { weight }) => sum + weight, 0) / perStep;
  if (factors.length > 0 && missing !== 0)
    all.push({ name: "Scored by another version", value: missing, evidence: [] });
  let to = 0;
  const steps = all.map((factor) => {
    const from = to;
    to += factor.value;
    return { ...factor, from, to };
  });
  const ends = [0, of, ...steps.map((step) => step.to)];
  const low = Math.min(...ends);
  const size = Math.max(...ends) - low || 1;
  const bar = (from: number, end: number, look: string) => (
    <span class={`fall ${look}`} style={{ "--zero": `${(-low / size) * 100}%` }} aria-hidden="true">
      <i
        style={{
          left: `${((Math.min(from, end) - low) / size) * 100}%`,
          width: `${(Math.abs(end - from) / size) * 100}%`,
        }}
      />
    </span>
  );
  const lookOf = (value: number) => (value > 0 ? more : value < 0 ? less : "quiet");
  return (
    <div class="stack">
      <p class="soft">{summary}</p>
      {steps.length > 0 && (
        <>
          <h3>{title}</h3>
          <ul>
            {steps.map(({ name, value, evidence, from, to: end }, at) => {
              const id = factorId(head, at);
              return (
                <Reason key={id} id={id} lit={lit} title={evidence.map(({ text }) => `“${text}”`).join(" ")}>
                  <bdi>{name}</bdi>
                  <span class="num mono">{signed(value)}</span>
                  {bar(from, end, lookOf(value))}
                </Reason>
              );
            })}
            <li class="factor total">
              {total}
              <span class="num mono">{head === "sentiment" ? signed(of) : of}</span>
              {bar(0, of, lookOf(of))}
            </li>
          </ul>
        </>
      )}
    </div>
  );
}
