import type { StoryFacts } from "./facts.ts";
import { areAlike, base64Of, numbersFrom } from "./minima.ts";
import { claimsName, isOwnerOf } from "./names.ts";
import { takeSides } from "./wording.ts";

/** Facts with their base64 decoded. */
export interface Comparable {
  readonly facts: StoryFacts;
  readonly minima: Uint16Array;
  /** Capitalised words of headline and text. */
  readonly names: Uint16Array;
}

export function comparable({ minima, text, ...facts }: StoryFacts): Comparable {
  return {
    facts: { ...facts, minima: "", text: { ...text, names: "" } },
    minima: numbersFrom(minima),
    names: numbersFrom(text.names),
  };
}

/** The facts as they are stored. */
export function storable({ facts, minima, names }: Comparable): StoryFacts {
  return { ...facts, minima: base64Of(minima), text: { ...facts.text, names: base64Of(names) } };
}

export const windowMs = 48 * 3_600_000;
/** A text without figures and days may be a form, which returns in the same words another day. */
const formMs = 12 * 3_600_000;
/** Figures that texts without symbols must share where their words differ. */
const figuresWithoutSymbol = 2;

/**
 * Whether an item tells the story of an earlier one: a release carried by two wires, or an article that an aggregator
 * took over. The two are about one company and do not contradict each other; they share the headline, half of the text,
 * or a name that the later one claims; and the later one adds nothing of weight.
 * In doubt they are two stories: a copy without a mark costs little, but a wrong mark hides a story.
 */
export function areOneStory(some: Comparable, others: Comparable): boolean {
  const [a, b] = [some.facts, others.facts];
  const apartMs = Math.abs(a.publishedMs - b.publishedMs);
  // Cheap tests first: a template is compared with many of its kind.
  if (apartMs > windowMs || !sharesSubject(a, b) || isOwnerOf(a, b)) return false;
  return resemble(some, others, apartMs) && !contradict(some, others) && !tellsMore(some, others);
}

/** Whether they share a name, the headline, or half of two texts that cover their headlines. */
function resemble(some: Comparable, others: Comparable, apartMs: number): boolean {
  const [a, b] = [some.facts, others.facts];
  const sameHeadline = a.title !== "" && a.title === b.title;
  if (claimsName(a, b)) return true;
  const isForm = !hasFigures(a) || !hasFigures(b);
  if (isForm && (apartMs > formMs || !sameHeadline)) return false;
  if (a.symbols.length + b.symbols.length === 0)
    return sameText(a, b) || (sameHeadline && commonNumbers(a, b) >= figuresWithoutSymbol);
  if (sameHeadline) return isForm ? isSameForm(some, others) : isSameNotice(some, others);
  return a.text.tellsHeadline && b.text.tellsHeadline && areAlike(some.minima, others.minima);
}

/** Whether they differ in the event, the side they take, a figure, a day or a name. */
function contradict(some: Comparable, others: Comparable): boolean {
  const [a, b] = [some.facts, others.facts];
  if (a.direction * b.direction < 0) return true;
  if (takeSides(a.headline.stances, b.headline.stances)) return true;
  if (hasText(a) && hasText(b) && takeSides(a.text.stances, b.text.stances)) return true;
  if (otherFigures(a, b)) return true;
  if (a.title === b.title) return namesApart(some, others);
  const otherEvents =
    a.events.length > 0 && b.events.length > 0 && !a.events.some((one) => b.events.includes(one));
  // An item that claims a name of the other may leave figures out of its headline.
  const otherHeadline = !claimsName(a, b) && otherHeadlineFigures(a, b);
  return otherEvents || otherHeadline || namesApart(some, others);
}

/**
 * Whether the later item has the deciding content that the earlier one lacks: most of its amounts, or a text. An earlier
 * headline alone, or one padded with words, has not told what happened.
 */
export function tellsMore(later: Comparable, earlier: Comparable): boolean {
  const amounts = later.facts.numbers.slice(0, later.facts.early);
  const covered = amounts.filter((amount) => earlier.facts.numbers.includes(amount));
  if (covered.length * 2 < amounts.length) return true;
  if (!isText(later)) return false;
  if (!isText(earlier)) return true;
  return (
    amounts.length === 0 &&
    !areAlike(later.minima, earlier.minima) &&
    namesMore([...later.names], earlier.names)
  );
}

/** Whether the item has more than its headline. */
const isText = ({ facts, minima }: Comparable): boolean => hasText(facts) || minima.length > 0;

/** Whether they share a company; true when neither has one. */
const sharesSubject = (a: StoryFacts, b: StoryFacts): boolean =>
  a.about.some((symbol) => b.about.includes(symbol)) || a.symbols.length + b.symbols.length === 0;

const hasText = ({ text }: StoryFacts): boolean => text.leadNames.length > 0;

/** Whether two texts give different amounts, days, periods or codes; one may be an excerpt of the other. */
function otherFigures(a: StoryFacts, b: StoryFacts): boolean {
  const agree =
    isWithin(a.numbers.slice(0, a.early), b.numbers) || isWithin(b.numbers.slice(0, b.early), a.numbers);
  return (
    !agree || !oneWithin(a.days, b.days) || !oneWithin(a.periods, b.periods) || !oneWithin(a.codes, b.codes)
  );
}

/** Whether one item lacks an amount or a day of the other's headline. */
function otherHeadlineFigures(a: StoryFacts, b: StoryFacts): boolean {
  const all = ({ numbers, days, codes }: StoryFacts) => [...numbers, ...days, ...codes];
  return (
    !isWithin(a.headline.figures, all(b)) ||
    !isWithin(b.headline.figures, all(a)) ||
    !oneWithin(a.headline.periods, b.headline.periods)
  );
}

/** Whether the first sentence of each names somebody whom the other does not mention. */
function namesApart(some: Comparable, others: Comparable): boolean {
  if (!hasText(some.facts) || !hasText(others.facts)) return false;
  return (
    namesMore(some.facts.text.leadNames, others.names) && namesMore(others.facts.text.leadNames, some.names)
  );
}

const namesMore = (some: readonly number[], others: Uint16Array): boolean =>
  some.some((name) => !others.includes(name));

/** One source uses one headline for notices about many people ("Director shareholding"), each with the same figures. */
function isSameNotice(some: Comparable, others: Comparable): boolean {
  if (some.facts.source !== others.facts.source) return true;
  return !namesMore([...some.names], others.names) || !namesMore([...others.names], some.names);
}

const hasFigures = ({ numbers, days, periods }: StoryFacts): boolean =>
  numbers.length + days.length + periods.length > 0;

/** Without figures, one source gives many notices one headline, and two sources word one form differently. */
function isSameForm(some: Comparable, others: Comparable): boolean {
  const [a, b] = [some.facts, others.facts];
  if (a.source === b.source) return false;
  return !hasText(a) || !hasText(b) || areAlike(some.minima, others.minima);
}

const sameText = (a: StoryFacts, b: StoryFacts): boolean => a.text.key !== "" && a.text.key === b.text.key;

const commonNumbers = (a: StoryFacts, b: StoryFacts): number =>
  a.numbers.filter((number) => b.numbers.includes(number)).length;

const isWithin = (some: readonly string[], others: readonly string[]): boolean =>
  some.every((one) => others.includes(one));
const oneWithin = (some: readonly string[], others: readonly string[]): boolean =>
  isWithin(some, others) || isWithin(others, some);

/** Whether a caller's text is the stored item itself: same headline, same company, no contradiction. */
export function isItself(some: Comparable, others: Comparable): boolean {
  const [a, b] = [some.facts, others.facts];
  return a.title !== "" && a.title === b.title && sharesSubject(a, b) && !contradict(some, others);
}

/** Whether a revision continues its item: under the same headline, or with half of its words. */
export function goesOn(before: Comparable, after: Comparable): boolean {
  const [a, b] = [before.facts, after.facts];
  const isAlike = (a.title !== "" && a.title === b.title) || areAlike(before.minima, after.minima);
  return a.source === b.source && isAlike && !contradict(before, after);
}

/** Whether a revision tells another story than its item did before. */
export function tellsAnother(before: Comparable, after: Comparable): boolean {
  return before.facts.title !== after.facts.title || contradict(before, after);
}
