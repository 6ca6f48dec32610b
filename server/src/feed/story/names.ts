/** Identities that a matter has in several sources, such as the number of a press release. */
export interface StoryNames {
  /** Those that the item's source may give. */
  readonly names?: readonly string[];
  /** Those of other sources. */
  readonly claims?: readonly string[];
  /** One of its names is an address on a host that the sources file declares for its source. */
  readonly declared?: boolean;
}

/** Whether the item claims a name of the other. Such a claim may be false, so it only replaces a likeness of their words. */
export function claimsName(item: StoryNames, other: StoryNames): boolean {
  const releases = item.claims?.filter((name) => name.startsWith("wire:"));
  return pointsTo(item, other) || share(releases, other.claims);
}

/** Whether the item claims a name that the other may give. */
export function pointsTo({ claims }: StoryNames, { names }: StoryNames): boolean {
  return share(claims, names);
}

/**
 * Whether the item owns the matter rather than the earlier item: an item that speaks for a name is no copy of one that
 * only claims it, nor of one with less standing.
 */
export function isOwnerOf(item: StoryNames, other: StoryNames): boolean {
  return pointsTo(other, item) || standingOf(item) > standingOf(other);
}

/** 3: a wire's own release; 2: a page of a declared host; 1: a page on the host of its feed; 0: anything else. */
function standingOf({ names = [], declared = false }: StoryNames): number {
  if (names.some((name) => name.startsWith("wire:"))) return 3;
  return declared ? 2 : Math.min(1, names.length);
}

function share(some: readonly string[] = [], others: readonly string[] = []): boolean {
  return some.some((name) => others.includes(name));
}
