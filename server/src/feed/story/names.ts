/** Names that a matter has in several sources, such as the number of a press release. */
export interface StoryNames {
  /** That the item's source may give. */
  readonly names?: readonly string[];
  /** That are another source's. */
  readonly claims?: readonly string[];
  /** One of its names is an address on a host that the sources file declares to be its source's. */
  readonly declared?: boolean;
}

/** Whether the item claims a name of the other. It stands for a likeness of their words and no more: it may be false. */
export function claimsName(item: StoryNames, other: StoryNames): boolean {
  const releases = item.claims?.filter((name) => name.startsWith("wire:"));
  return pointsTo(item, other) || share(releases, other.claims);
}

/** Whether the item claims a name that is the other's own. */
export function pointsTo({ claims }: StoryNames, { names }: StoryNames): boolean {
  return share(claims, names);
}

/**
 * Whether the matter is the item's rather than the other's, which came before: who speaks for a name is no copy of one
 * that only claims it, nor of one of less standing.
 */
export function isOwnerOf(item: StoryNames, other: StoryNames): boolean {
  return pointsTo(other, item) || standingOf(item) > standingOf(other);
}

/** A wire's own release, before a page of a declared host, before a page on the host of its feed, before the rest. */
function standingOf({ names = [], declared = false }: StoryNames): number {
  if (names.some((name) => name.startsWith("wire:"))) return 3;
  return declared ? 2 : Math.min(1, names.length);
}

function share(some: readonly string[] = [], others: readonly string[] = []): boolean {
  return some.some((name) => others.includes(name));
}
