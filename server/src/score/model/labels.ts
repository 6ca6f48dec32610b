import { type ClassName, type ClassScores, classNames } from "./types.ts";

const known: Readonly<Record<ClassName, readonly string[]>> = {
  negative: ["negative", "neg", "bearish"],
  neutral: ["neutral", "neu"],
  positive: ["positive", "pos", "bullish"],
};

/**
 * Where each class is among the model's outputs.
 * @param id2label of config.json: "0" is the name of the first output
 * @param labels of tapewire.json: a class for a name that says nothing, such as LABEL_0
 * @returns a sentence about what is wrong, when the names are not three sentiments
 */
export function positionsOf(
  id2label: Readonly<Record<string, string>>,
  labels: Readonly<Record<string, ClassName>>,
): ClassScores | string {
  const names = Object.entries(id2label).toSorted(([a], [b]) => Number(a) - Number(b));
  const shown = names.map(([, name]) => name).join(", ");
  const isNumbered = names.every(([id], index) => Number(id) === index);
  if (names.length !== 3 || !isNumbered)
    return `id2label must name three classes, 0 to 2, and names ${names.length}: ${shown}`;
  const classes = names.map(([, name]) => labels[name] ?? classOf(name));
  const unclear = names.find((_, index) => classes[index] === null)?.[1];
  if (unclear !== undefined)
    return `id2label: ${unclear} is not negative, neutral or positive; say what it is in labels of tapewire.json`;
  const missing = classNames.find((name) => !classes.includes(name));
  if (missing !== undefined) return `id2label: no class is ${missing}: ${shown}`;
  return [classes.indexOf("negative"), classes.indexOf("neutral"), classes.indexOf("positive")];
}

function classOf(name: string): ClassName | null {
  const plain = name.trim().toLowerCase();
  return classNames.find((one) => known[one].includes(plain)) ?? null;
}
