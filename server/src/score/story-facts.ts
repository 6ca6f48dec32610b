import type { Findings } from "@tapewire/scoring/flash/flash.ts";
import type { Artifact, LinkedSymbol } from "@tapewire/scoring/types.ts";
import { type StoryFacts, type StoryItem, storyFacts } from "../feed/story.ts";

/** A symbol that is this much less relevant than the first is beside the matter: a rival, a partner, an index. */
const besideFrom = 15;

/** What an artifact is compared by; null for a filing, which its accession tells from all others. */
export function factsOf(
  { title, body, publishedAt, filing }: Artifact,
  symbols: readonly LinkedSymbol[],
  findings: Findings,
  told: Pick<StoryItem, "source" | "seenAt">,
): StoryFacts | null {
  if (filing !== null) return null;
  const least = (symbols[0]?.relevance ?? 0) - besideFrom;
  const names = (some: readonly LinkedSymbol[]) => some.map(({ symbol }) => symbol);
  const about = names(symbols.filter(({ relevance }) => relevance > least));
  return storyFacts({ title, body, symbols: names(symbols), about, publishedAt, ...told }, findings);
}
