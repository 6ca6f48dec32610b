/**
 * The encoder: a small transformer (MiniLM-L6, int8) that reads what a text says about its chief company, or about a named one.
 * How it was trained, on what, and how it does on texts by other hands: scoring/training/encoder/README.md and docs/models.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Tokenizer } from "@huggingface/tokenizers";
import { z } from "zod";
import { openSession, type Session } from "../../onnx/session.ts";

/** Scores (logits) of negative, neutral, positive. */
export type SignScores = readonly [number, number, number];

/** What the encoder says about one company. */
export interface Said {
  readonly sign: SignScores;
  /** Expected direction over hours to days, -5..5, as lines by our authors have it. */
  readonly short: number;
  /** Over weeks to quarters. */
  readonly long: number;
  /** Log odds that a professional would act on the text. */
  readonly action: number;
  /** Scores of the groups of events, "none" among them. */
  readonly groups: ReadonlyMap<string, number>;
}

/** A text in which null stands for the name of the company of whom is asked. */
export type Marked = readonly (string | null)[];

/** A text to be read. */
export interface ToRead {
  /** Of whom: empty: of whom the text is chiefly about; null: the company marked in the text; else its name. */
  readonly about: Marked;
  readonly text: Marked;
}

const folder = fileURLToPath(new URL("../../../model/encoder/", import.meta.url));

const column = z.tuple([z.int(), z.int()]);
const description = z.object({
  most_tokens: z.int().min(16),
  columns: z.object({ sign_lines: column, short: column, long: column, action: column, group: column }),
  groups: z.array(z.string()),
});
type Description = z.infer<typeof description>;

const files = ["encoder.onnx", "encoder.json", "tokenizer.json"] as const;

/** No English word has so many characters a token; a longer text is cut before it is taken apart. */
const charactersPerToken = 16;
/** Tokens of a company's name. */
const mostOfName = 16;

/** Ids of one reading: of whom, then the text. */
interface Ids {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

export class Encoder {
  readonly #session: Session;
  readonly #tokenizer: Tokenizer;
  readonly #described: Description;
  readonly #width: number;
  readonly #cls: number;
  readonly #sep: number;
  readonly #mask: number;

  private constructor(session: Session, tokenizer: Tokenizer, described: Description) {
    this.#session = session;
    this.#tokenizer = tokenizer;
    this.#described = described;
    this.#width = Math.max(...Object.values(described.columns).map(([, end]) => end));
    const around = tokenizer.encode("").ids;
    this.#cls = around[0] ?? 0;
    this.#sep = around.at(-1) ?? 0;
    this.#mask = tokenizer.token_to_id("[MASK]") ?? 0;
  }

  /** @throws {Error} when the files are not those that were trained */
  static async load(): Promise<Encoder> {
    const [sums, ...contents] = await Promise.all(
      ["SHA256SUMS", ...files].map((name) => readFile(`${folder}${name}`)),
    );
    for (const [at, name] of files.entries()) {
      const digest = createHash("sha256")
        .update(contents[at] ?? "")
        .digest("hex");
      if (!sums?.toString().includes(`${digest}  ${name}`))
        throw new Error(`scoring/model/encoder/${name} is not the file that was trained`);
    }
    const [model, described, tokenizer] = contents;
    return new Encoder(
      await openSession(model ?? new Uint8Array()),
      new Tokenizer(JSON.parse(String(tokenizer)), {}),
      description.parse(JSON.parse(String(described))),
    );
  }

  /** Reads texts in one batch, whose time grows with their number and with the longest. Some 20 ms for a headline. */
  async read(texts: readonly ToRead[]): Promise<readonly Said[]> {
    const most = this.#described.most_tokens;
    const batch = texts.map(({ about, text }) => {
      const first = [this.#cls, ...this.#ids(about, 100).slice(0, mostOfName), this.#sep];
      const words = this.#ids(text, charactersPerToken * most);
      return { first, second: [...words.slice(0, most - first.length - 1), this.#sep] };
    });
    return batch.length === 0 ? [] : this.#run(batch);
  }

  /** @param most characters that are read */
  #ids(text: Marked, most: number): readonly number[] {
    let left = most;
    return text.flatMap((part) => {
      if (part === null) return [this.#mask];
      const read = part.slice(0, left).toWellFormed();
      left -= read.length;
      return this.#tokenizer.encode(read, { add_special_tokens: false }).ids;
    });
  }

  async #run(batch: readonly Ids[]): Promise<readonly Said[]> {
    const length = Math.max(...batch.map(({ first, second }) => first.length + second.length));
    const rows = (of: (ids: Ids) => readonly number[]) =>
      batch.map((ids) => {
        const row = of(ids);
        return [...row, ...new Array<number>(length - row.length).fill(0)];
      });
    const values = await this.#session.run(
      {
        input_ids: rows(({ first, second }) => [...first, ...second]),
        attention_mask: rows(({ first, second }) => new Array<number>(first.length + second.length).fill(1)),
        token_type_ids: rows(({ first, second }) => [...first.map(() => 0), ...second.map(() => 1)]),
      },
      "said",
    );
    return batch.map((_, at) => this.#said(values.subarray(at * this.#width, (at + 1) * this.#width)));
  }

  #said(values: Float32Array): Said {
    const { columns, groups } = this.#described;
    const { sign_lines, short, long, action, group } = columns;
    const at = (index: number): number => values[index] ?? 0;
    const [sign] = sign_lines;
    return {
      sign: [at(sign), at(sign + 1), at(sign + 2)],
      short: at(short[0]),
      long: at(long[0]),
      action: at(action[0]),
      groups: new Map(groups.map((name, index) => [name, at(group[0] + index)])),
    };
  }
}
