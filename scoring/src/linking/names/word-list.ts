/** The words of lines, each separated by a space. */
export const list = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")));
