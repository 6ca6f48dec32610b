import { z } from "zod";
import type { ClassScores } from "./types.ts";

/** How the scores of a model are read. */
export interface Reading {
  /** Divides the model's scores before they become probabilities. Above 1: the model is surer than it should be. */
  readonly temperature: number;
  /**
   * From which balance, the probability of positive less that of negative, a direction is at least 2, 3, 4 and 5.
   * null: no balance shows that.
   */
  readonly steps: readonly (number | null)[];
}

/** Three classes say how sure a model is, not how far the price goes, so that nothing reads as 4 or 5 by them alone. */
export const uncalibrated: Reading = { temperature: 1, steps: [0.6, 0.85, null, null] };

const share = z.number().min(0).max(1);

/** calibration.json, which `tapewire calibrate` writes into the folder of the model. */
export const calibrationFile = z.strictObject({
  /** Digest of the model that it was made for. */
  model: z.string(),
  temperature: z.number().min(0.01).max(100),
  steps: z.array(share.nullable()).length(4),
  /** Labelled lines that it was made from. */
  lines: z.int().min(1),
  /** Expected calibration error of the conviction: as the model says it, and calibrated, on lines kept back. */
  ece: z.strictObject({ before: share, after: share }),
  accuracy: share,
});
export type Calibration = z.infer<typeof calibrationFile>;

/** What a model says of a text. */
export interface ModelSays {
  readonly probabilities: ClassScores;
  /** -5..+5. */
  readonly direction: number;
  /** 0..100: the probability of the class that the direction is of. */
  readonly conviction: number;
}

/** @param scores of the model, as it gives them */
export function readScores(scores: ClassScores, { temperature, steps }: Reading): ModelSays {
  const probabilities = probabilitiesOf(scores, temperature);
  const [negative, neutral, positive] = probabilities;
  const balance = Math.abs(positive - negative);
  const size = 1 + steps.filter((from) => from !== null && balance >= from).length;
  const top = Math.max(negative, neutral, positive);
  const sign = neutral === top || positive === negative ? 0 : positive === top ? 1 : -1;
  return { probabilities, direction: sign === 0 ? 0 : sign * size, conviction: Math.round(100 * top) };
}

export function probabilitiesOf(scores: ClassScores, temperature: number): ClassScores {
  const most = Math.max(...scores);
  const [negative, neutral, positive] = scores;
  const weight = (score: number): number => Math.exp((score - most) / temperature);
  const weights = [weight(negative), weight(neutral), weight(positive)] as const;
  const total = weights[0] + weights[1] + weights[2];
  return [weights[0] / total, weights[1] / total, weights[2] / total];
}
