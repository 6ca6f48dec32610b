import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { type ScoreArtifact, scoreArtifact, scoreModel } from "@tapewire/contract/score.ts";
import type { EventMention, SymbolAnalysis, Verdict } from "tapewire";
import { z } from "zod";
import { asKey } from "../client.ts";
import { CliError } from "../errors.ts";
import type { Options } from "../options.ts";

/** Scores a text: JSON of an artifact, or plain text whose first line is the title. */
export async function score([, file]: string[], options: Options): Promise<number> {
  if (file === undefined) throw new CliError("score needs a file, or - for standard input", 2);
  const model = scoreModel.optional().safeParse(options.model);
  if (!model.success) throw new CliError(`--model must be ${scoreModel.options.join(" or ")}`, 2);
  const artifact = artifactOf(await contentOf(file), options);
  const how = { model: model.data, detailed: options.detailed === true };
  const answer = await asKey(options).score(artifact, how);
  if (options.json === true) console.log(JSON.stringify(answer));
  else for (const line of rendered(answer, artifact)) console.log(line);
  return 0;
}

async function contentOf(file: string): Promise<string> {
  try {
    return file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
}

function artifactOf(content: string, { type }: Options): ScoreArtifact {
  const given = jsonOf(content) ?? plainText(content);
  const parsed = scoreArtifact.safeParse({ type: "news", ...given, ...(type === undefined ? {} : { type }) });
  if (parsed.success) return parsed.data;
  throw new CliError(`The artifact is not valid:\n${z.prettifyError(parsed.error)}`);
}

function jsonOf(content: string): object | null {
  if (!content.trimStart().startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** A text of one line is both title and body. */
function plainText(content: string): object {
  const [title = "", ...lines] = content.trim().split("\n");
  const body = lines.join("\n").trim();
  return { title: title.trim(), body: body === "" ? title.trim() : body };
}

function rendered(answer: Verdict, { title }: ScoreArtifact): string[] {
  const { actionability, sentiment, symbols, tags, usage } = answer;
  const tagged = Object.entries(tags).flatMap(([name, values]) =>
    (values ?? []).map((value) => `${name}=${value}`),
  );
  const left =
    usage.remaining === null ? "no limit" : `${usage.remaining} of ${usage.limit} calls left today`;
  return [
    title,
    `actionable  ${actionability.actionable ? "yes" : "no"} (${actionability.score}/100): ${actionability.comment}`,
    ...(sentiment === null
      ? ["sentiment   not scored"]
      : [
          `sentiment   ${signed(sentiment.short_direction)} short, ${signed(sentiment.long_direction)} long, conviction ${sentiment.conviction}/100: ${sentiment.comment}`,
        ]),
    ...answer.events.map(eventLine),
    ...symbols.map(symbolLine),
    ...(tagged.length === 0 ? [] : [`tags        ${tagged.join(", ")}`]),
    ...detailLines(answer),
    `model       ${answer.model} ${answer.model_version}; ${left}`,
  ];
}

function eventLine({ name, role, symbol, evidence }: EventMention): string {
  const who = symbol === null ? "" : `, ${symbol} is ${role}`;
  const quote = evidence === null ? "" : `: '${evidence.text}'`;
  return `event       ${name}${who}${quote}`;
}

function symbolLine({
  symbol,
  primary,
  relevance,
  sentiment_short,
  sentiment_comment,
}: SymbolAnalysis): string {
  const direction = sentiment_short === null ? "" : ` ${signed(sentiment_short)}`;
  const why = sentiment_comment === null ? "" : `: ${sentiment_comment}`;
  return `symbol      ${symbol}${primary ? " (primary)" : ""}, relevance ${relevance}${direction}${why}`;
}

function detailLines({ detailed_analysis: detailed }: Verdict): string[] {
  if (detailed === undefined) return [];
  return [detailed.actionability, detailed.sentiment].flatMap(({ summary, factors }) => [
    "",
    summary,
    ...factors.map(({ name, weight, evidence }) => {
      const quote = evidence[0] === undefined ? "" : `: "${evidence[0].text.slice(0, 120)}"`;
      return `  ${signed(weight)} ${name}${quote}`;
    }),
  ]);
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}
