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
        <h2>Actionability</h2>
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
        {detail !== undefined && <Factors head="actionability" lit={lit} {...detail.actionability} />}
      </div>
      <div class="stack">
        <h2>Sentiment</h2>
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
        {detail !== undefined && <Factors head="sentiment" lit={lit} {...detail.sentiment} />}
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
  readonly summary: string;
  readonly factors: readonly AnalysisFactor[];
  readonly lit: Lit;
}

/** Of which model the reasons are, and the score that they lead to; where the summary is in words only, neither is known. */
const wholeIn = (summary: string) => /^(?:.*read whole by (\S+): )?(\d+) of 100, /s.exec(summary);

/** The reasons are those of the text read whole, whose score may be another than the verdict's. */
function titleOf(head: "actionability" | "sentiment", summary: string, sum: number): string {
  if (head === "sentiment") return "Statements, −100 to +100 each by their strength";
  const [, model = "pro", score] = wholeIn(summary) ?? [];
  if (score === undefined) return "Reasons, in points";
  const most = sum > Number(score) ? `, the most that such a text may have of ${sum}` : "";
  return `How ${model}, reading the whole text, gets to ${score} points of 100${most}`;
}

/**
 * What each reason adds or takes away: points one after the other, statements each from zero. Pointing at one lights its
 * words in the text.
 */
function Factors({ head, summary, factors, lit }: FactorsProps) {
  let sum = 0;
  const steps = factors.map((factor) => {
    const before = head === "sentiment" ? 0 : sum;
    sum += factor.weight;
    const after = before + factor.weight;
    return { factor, from: Math.min(before, after), to: Math.max(before, after) };
  });
  const low = Math.min(0, ...steps.map(({ from }) => from));
  const high = Math.max(1, ...steps.map(({ to }) => to));
  const share = (value: number) => ((value - low) / (high - low)) * 100;
  return (
    <div class="stack">
      <p class="soft">{summary}</p>
      {factors.length > 0 && <h3>{titleOf(head, summary, sum)}</h3>}
      <ul>
        {steps.map(({ factor: { name, weight, evidence }, from, to }, at) => {
          const id = factorId(head, at);
          return (
            <Reason key={id} id={id} lit={lit} title={evidence.map(({ text }) => `“${text}”`).join(" ")}>
              <bdi>{name}</bdi>
              <span
                class={`num mono ${head === "actionability" ? "" : weight > 0 ? "up" : weight < 0 ? "down" : "quiet"}`}
              >
                {signed(weight)}
              </span>
              <span
                class={`fall ${head === "actionability" ? (weight > 0 ? "accent" : "quiet") : weight > 0 ? "up" : "down"}`}
                style={{ "--zero": `${share(0)}%` }}
                aria-hidden="true"
              >
                <i style={{ left: `${share(from)}%`, width: `${share(to) - share(from)}%` }} />
              </span>
            </Reason>
          );
        })}
      </ul>
    </div>
  );
}
