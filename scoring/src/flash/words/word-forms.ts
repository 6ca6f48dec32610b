/** rise -> rise rises rose ...: regular English forms of a base; irregular forms are listed beside the bases. */
export function forms(base: string): readonly string[] {
  const stem = base.endsWith("e") ? base.slice(0, -1) : base;
  if (/[^aeiou]y$/.test(base)) {
    const cut = base.slice(0, -1);
    return [base, `${cut}ies`, `${cut}ied`, `${base}ing`];
  }
  const third = /(?:s|x|z|ch|sh)$/.test(base) ? `${base}es` : `${base}s`;
  const doubled = /^[^aeiou]*[aeiou][bdgmnprt]$/.test(base) ? base + base.slice(-1) : stem;
  return [...new Set([base, third, `${doubled}ed`, `${doubled}ing`, `${stem}ing`])];
}

export const wordsOf = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.trim().split(/\s+/)));

export const verbsOf = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set([...wordsOf(...lines)].flatMap(forms));

export const union = (...sets: readonly ReadonlySet<string>[]): ReadonlySet<string> =>
  new Set(sets.flatMap((set) => [...set]));
