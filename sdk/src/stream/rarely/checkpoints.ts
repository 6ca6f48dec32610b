import type { Checkpoint } from "../types.ts";

const everyMs = 1_000;

/** Saves the newest cursor, at most once a second and one at a time. */
export class Checkpoints {
  readonly #checkpoint: Checkpoint;
  #wanted: string | null = null;
  #saved: string | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #saving: Promise<void> = Promise.resolve();
  readonly #failed: (error: unknown) => void;

  constructor(checkpoint: Checkpoint, failed: (error: unknown) => void) {
    this.#checkpoint = checkpoint;
    this.#failed = failed;
  }

  async load(): Promise<string | null> {
    this.#saved = (await this.#checkpoint.load()) ?? null;
    return this.#saved;
  }

  note(cursor: string | null): void {
    if (cursor === null || cursor === this.#saved) return;
    this.#wanted = cursor;
    this.#timer ??= setTimeout(() => this.#save(), everyMs);
  }

  /** Saves what is noted. */
  end(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#save();
    return this.#saving;
  }

  #save(): void {
    this.#timer = null;
    this.#saving = this.#saving.then(async () => {
      const cursor = this.#wanted;
      if (cursor === null || cursor === this.#saved) return;
      try {
        await this.#checkpoint.save(cursor);
        this.#saved = cursor;
      } catch (error) {
        this.#failed(error);
      }
    });
  }
}
