import type { Findings } from "@tapewire/scoring/flash/flash.ts";
import type { Artifact, LinkedSymbol } from "@tapewire/scoring/types.ts";
import { type StoryFacts, type StoryItem, storyFacts } from "../feed/story/story.ts";

/** A symbol that is this much less relevant than the first is not what the text is about: a rival, a partner, an index. */
const besideFrom = 15;

/** The facts by which an artifact is compared; null for a filing, whose accession distinguishes it from all others. */
export function factsOf(
  { title, body, publishedAt, filing }: Artifact,
  symbols: readonly LinkedSymbol[],
  findings: Findings,
  origin: Pick<StoryItem, "source" | "seenAt">,
): StoryFacts | null {
  if (filing !== null) return null;
  const least = (symbols[0]?.relevance ?? 0) - besideFrom;
  const names = (some: readonly LinkedSymbol[]) => some.map(({ symbol }) => symbol);
  const about = names(symbols.filter(({ relevance }) => relevance > least));
  return storyFacts({ title, body, symbols: names(symbols), about, publishedAt, ...origin }, findings);
}
