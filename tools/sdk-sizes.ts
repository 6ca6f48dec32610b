/** How much of the client library a program loads, held to its budgets; for `npm run check`. */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

/** Most kilobytes of a bundle of everything that an entry exports, minified and after gzip (ADR 0084). */
const budgets = {
  "index.ts": { atOnce: 7.6, all: 9 },
  "stream.ts": { atOnce: 4, all: 6.5 },
  "webhook.ts": { atOnce: 1.1, all: 1.1 },
} as const;

/** Every budget that is exceeded, in words. */
export async function sdkSizes(root: string, tell: (line: string) => void): Promise<string[]> {
  const problems: string[] = [];
  for (const [entry, budget] of Object.entries(budgets)) {
    await using bundle = await rolldown({
      input: join(root, "sdk/src", entry),
      preserveEntrySignatures: "allow-extension",
    });
    const { output } = await bundle.generate({ minify: true });
    const chunks = output.filter((one) => one.type === "chunk");
    const size = (some: typeof chunks) =>
      some.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length / 1_000, 0);
    const measured = { atOnce: size(chunks.filter((chunk) => chunk.isEntry)), all: size(chunks) };
    if (chunks.some((chunk) => !chunk.isEntry && !chunk.isDynamicEntry))
      problems.push(`sdk: ${entry} is split into more files than what is loaded at once and what is not`);
    tell(`  ${entry}: ${measured.atOnce.toFixed(1)} KB at once, ${measured.all.toFixed(1)} KB in all`);
    for (const when of ["atOnce", "all"] as const)
      if (measured[when] > budget[when])
        problems.push(
          `sdk: ${entry} takes ${measured[when].toFixed(2)} KB (${when}); at most ${budget[when]}`,
        );
  }
  return problems;
}
