import {
  alternatives,
  type Choice,
  choiceFrom,
  type PhraseLists,
  parse,
  type ReadPhrase,
  type Step,
} from "./phrase.ts";
import { sharedLists } from "./phrase-lists.ts";

/** Reads the phrases of an index. What it keeps for that takes as much memory as the phrases, so it goes with the first text. */
export class PhraseReader<T> {
  readonly phrases: ReadPhrase<T>[] = [];
  readonly #choices = new Map<string, Choice>();
  /** Choices as phrases write them, by the lists that hold for the phrases: most steps are written many times. */
  readonly #written = new Map<PhraseLists, Map<string, Choice>>();
  readonly #steps = new Map<Choice, Step[]>();
  readonly #lists: PhraseLists;
  #order = 0;

  constructor(lists: PhraseLists) {
    this.#lists = lists;
  }

  /** As PhraseIndex.add. */
  add(value: T, source: string, lists: PhraseLists): void {
    const written = this.#written.get(lists) ?? new Map<string, Choice>();
    this.#written.set(lists, written);
    const listNamed = (name: string) => lists[name] ?? this.#lists[name] ?? sharedLists[name];
    const choiceOf = (step: string): Choice => {
      const known = written.get(step);
      if (known !== undefined) return known;
      const choice = this.#choice(alternatives(step, listNamed));
      written.set(step, choice);
      return choice;
    };
    const shared = { choiceOf, stepOf: (step: Step) => this.#step(step) };
    for (const line of source.split("\n").map((text) => text.trim()))
      if (line !== "") this.phrases.push(parse(value, this.#order, line, shared));
    this.#order += 1;
  }

  #step(step: Step): Step {
    const alike = this.#steps.get(step.choice) ?? [];
    const known = alike.find(
      ({ barred, optional, gap }) => barred === step.barred && optional === step.optional && gap === step.gap,
    );
    if (known !== undefined) return known;
    this.#steps.set(step.choice, [...alike, step]);
    return step;
  }

  #choice(taken: readonly string[]): Choice {
    const source = taken.join("|");
    const known = this.#choices.get(source);
    if (known !== undefined) return known;
    const choice = choiceFrom(taken);
    this.#choices.set(source, choice);
    return choice;
  }
}
