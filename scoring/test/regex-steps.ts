/**
 * Counts what a backtracking matcher does for a pattern on a text: one step for each place at which a part of the pattern is
 * tried. Time tells the same only on a quiet machine. Back references are not known here, and no pattern uses them.
 */

/** Tries the rest of the pattern from a place. */
type Next = (at: number) => boolean;
type Match = (at: number, next: Next) => boolean;

const nativeExec = RegExp.prototype.exec;

/** Steps so far; past `most` counting stops with an error. */
export class Steps {
  count = 0;
  readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  add(): void {
    this.count += 1;
    if (this.count > this.most) throw new RangeError(`more than ${this.most} steps`);
  }
}

/** Reads a pattern into a matcher. */
class Reader {
  readonly #source: string;
  readonly #flags: string;
  /** What is searched now. */
  text = "";
  steps = new Steps(0);
  #at = 0;

  constructor({ source, flags }: RegExp) {
    this.#source = source;
    this.#flags = flags.replaceAll(/[gyd]/g, "");
  }

  read(): Match {
    const match = this.#choice();
    if (this.#at < this.#source.length) throw new SyntaxError(`${this.#source} at ${this.#at}`);
    return match;
  }

  #eat(wanted: string): boolean {
    if (!this.#source.startsWith(wanted, this.#at)) return false;
    this.#at += wanted.length;
    return true;
  }

  #choice(): Match {
    const options = [this.#sequence()];
    while (this.#eat("|")) options.push(this.#sequence());
    const [only] = options;
    return options.length === 1 && only !== undefined
      ? only
      : (at, next) => options.some((option) => option(at, next));
  }

  #sequence(): Match {
    const parts: Match[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source.charAt(this.#at)))
      parts.push(this.#term());
    return parts.reduceRight<Match>(
      (rest, part) => (at, next) => part(at, (then) => rest(then, next)),
      (at, next) => next(at),
    );
  }

  #term(): Match {
    for (const [mark, ahead, wanted] of [
      ["(?=", true, true],
      ["(?!", true, false],
      ["(?<=", false, true],
      ["(?<!", false, false],
    ] as const)
      if (this.#eat(mark)) return this.#look(ahead, wanted);
    if (/[$^]/.test(this.#source.charAt(this.#at)) || /^\\[bB]/.test(this.#source.slice(this.#at)))
      return this.#edge();
    if (this.#eat("(")) {
      if (!this.#eat("?:")) {
        const name = /^\?<\w+>/.exec(this.#source.slice(this.#at))?.[0] ?? "";
        this.#at += name.length;
      }
      const inside = this.#choice();
      this.#eat(")");
      return this.#repeated(inside, null);
    }
    const one = this.#character();
    const match: Match = (at, next) => {
      this.steps.add();
      const size = one(at);
      return size > 0 && next(at + size);
    };
    return this.#repeated(match, one);
  }

  #look(ahead: boolean, wanted: boolean): Match {
    const inside = this.#choice();
    this.#eat(")");
    const holds = (at: number): boolean => {
      if (ahead) return inside(at, () => true);
      for (let from = at; from >= Math.max(0, at - 64); from -= 1)
        if (inside(from, (end) => end === at)) return true;
      return false;
    };
    return (at, next) => holds(at) === wanted && next(at);
  }

  /** `^ $ \b \B`, decided by the engine itself on the few characters around. */
  #edge(): Match {
    const mark = this.#source.charAt(this.#at) === "\\" ? this.#source.slice(this.#at, this.#at + 2) : "";
    const edge = mark === "" ? this.#source.charAt(this.#at) : mark;
    this.#at += edge.length;
    const isWord = (character: string): boolean => nativeExec.call(/^\w$/, character) !== null;
    const word = (at: number): boolean => isWord(this.text.charAt(at));
    const line = (at: number): boolean => this.#flags.includes("m") && this.text.charAt(at) === "\n";
    const holds = (at: number): boolean => {
      if (edge === "^") return at === 0 || line(at - 1);
      if (edge === "$") return at === this.text.length || line(at);
      return (word(at - 1) !== word(at)) === (edge === "\\b");
    };
    return (at, next) => {
      this.steps.add();
      return holds(at) && next(at);
    };
  }

  /** One character, class or escape: the size of what it takes at a place, 0 when it does not fit. */
  #character(): (at: number) => number {
    const rest = this.#source.slice(this.#at);
    const unit =
      /^\[(?:\\.|[^\]\\])*\]/.exec(rest)?.[0] ??
      /^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|.)/.exec(rest)?.[0] ??
      rest.slice(0, this.#flags.includes("u") ? String.fromCodePoint(rest.codePointAt(0) ?? 0).length : 1);
    this.#at += unit.length;
    const alone = new RegExp(`^(?:${unit})$`, this.#flags.replace("m", ""));
    const known = new Map<string, boolean>();
    const wide = this.#flags.includes("u");
    return (at) => {
      if (at >= this.text.length) return 0;
      const read = wide ? String.fromCodePoint(this.text.codePointAt(at) ?? 0) : this.text.charAt(at);
      let fits = known.get(read);
      if (fits === undefined) {
        fits = nativeExec.call(alone, read) !== null;
        known.set(read, fits);
      }
      return fits ? read.length : 0;
    };
  }

  /** @param one set for a single character, whose runs need no recursion */
  #repeated(inside: Match, one: ((at: number) => number) | null): Match {
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})/.exec(this.#source.slice(this.#at));
    if (found === null) return inside;
    this.#at += found[0].length;
    const [mark, low, comma, high] = found;
    const least = mark === "*" || mark === "?" ? 0 : mark === "+" ? 1 : Number(low);
    const most =
      mark === "?"
        ? 1
        : mark === "*" || mark === "+" || high === ""
          ? Number.POSITIVE_INFINITY
          : comma === undefined
            ? least
            : Number(high);
    const lazy = this.#eat("?");
    return one === null ? this.#groups(inside, least, most, lazy) : this.#run(one, least, most, lazy);
  }

  #run(one: (at: number) => number, least: number, most: number, lazy: boolean): Match {
    return (at, next) => {
      const ends = [at];
      const longer = (): boolean => {
        this.steps.add();
        const last = ends.at(-1) ?? at;
        const size = ends.length > most ? 0 : one(last);
        if (size > 0) ends.push(last + size);
        return size > 0;
      };
      if (lazy) {
        while (ends.length <= least) if (!longer()) return false;
        do if (next(ends.at(-1) ?? at)) return true;
        while (longer());
        return false;
      }
      while (longer());
      for (let count = ends.length - 1; count >= least; count -= 1) if (next(ends[count] ?? at)) return true;
      return false;
    };
  }

  #groups(inside: Match, least: number, most: number, lazy: boolean): Match {
    const from = (at: number, count: number, next: Next): boolean => {
      this.steps.add();
      const more = (): boolean =>
        count < most && inside(at, (end) => (end > at || count < least) && from(end, count + 1, next));
      const enough = (): boolean => count >= least && next(at);
      return lazy ? enough() || more() : more() || enough();
    };
    return (at, next) => from(at, 0, next);
  }
}

const readers = new Map<string, { readonly reader: Reader; readonly match: Match }>();

function readerOf(pattern: RegExp): { readonly reader: Reader; readonly match: Match } {
  const name = `${pattern.source}/${pattern.flags}`;
  const known = readers.get(name);
  if (known !== undefined) return known;
  const reader = new Reader(pattern);
  const made = { reader, match: reader.read() };
  readers.set(name, made);
  return made;
}

/**
 * Searches as the engine does from `lastIndex` on.
 * @returns the end of the match, or -1
 * @throws {RangeError} when the steps run out
 */
export function search(pattern: RegExp, text: string, steps: Steps): number {
  const { reader, match } = readerOf(pattern);
  Object.assign(reader, { text, steps });
  const start = pattern.global || pattern.sticky ? pattern.lastIndex : 0;
  let end = -1;
  const found = (last: number): boolean => {
    end = last;
    return true;
  };
  for (let at = start; at <= text.length; at += 1) {
    steps.add();
    if (match(at, found)) return end;
    if (pattern.sticky) return -1;
  }
  return -1;
}

/** Runs a function while every pattern that it tries is counted; the patterns find what they always do. */
export function regexSteps(run: () => void, most: number): number {
  const steps = new Steps(most);
  let isInside = false;
  const { exec } = RegExp.prototype;
  try {
    Object.assign(RegExp.prototype, {
      exec(this: RegExp, text: string) {
        if (!isInside) {
          isInside = true;
          try {
            search(this, text, steps);
          } finally {
            isInside = false;
          }
        }
        return exec.call(this, text);
      },
    });
    run();
  } finally {
    Object.assign(RegExp.prototype, { exec });
  }
  return steps.count;
}
