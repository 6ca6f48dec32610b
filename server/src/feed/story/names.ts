/** Names that a matter has in several sources, such as the number of a press release. */
export interface StoryNames {
  /** That the item's source may give. */
  readonly names?: readonly string[];
  /** That are another source's. */
  readonly claims?: readonly string[];
}

/** Whether the item claims a name of the other. It stands for a likeness of their words and no more: it may be false. */
export function claimsName(item: StoryNames, other: StoryNames): boolean {
  const releases = item.claims?.filter((name) => name.startsWith("wire:"));
  return share(item.claims, other.names) || share(releases, other.claims);
}

/**
 * Whether the matter is the item's rather than the other's, which came before: who speaks for a name is no copy of one
 * that only claims it, and a wire's own release is none of what no wire told.
 */
export function isOwnerOf(item: StoryNames, other: StoryNames): boolean {
  return share(item.names, other.claims) || (isRelease(item) && !isRelease(other));
}

function isRelease({ names = [] }: StoryNames): boolean {
  return names.some((name) => name.startsWith("wire:"));
}

function share(some: readonly string[] = [], others: readonly string[] = []): boolean {
  return some.some((name) => others.includes(name));
}
