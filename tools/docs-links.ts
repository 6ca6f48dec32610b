/** Finds links and paths in the documentation that do not exist; called by server/test/docs/docs.test.ts. */
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const documents = ["*.md", "docs/**/*.md", "scoring/*.md", "conformance/*.md"];
/** A backticked word of these kinds is a path even when its folder is gone. */
const codeFile = /\.(ts|mjs|json|sql|md|tsv|html|yml)$/;

/** Paths of the Markdown files that are checked, from `root`, sorted. */
export function markdownFiles(root: string): string[] {
  return globSync(documents, {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|data)$/.test(path),
  }).sort();
}

/** Relative links of the Markdown files whose file or heading does not exist, one line each. */
export function brokenLinks(root: string): string[] {
  return markdownFiles(root).flatMap((path) =>
    linkTargets(readFileSync(join(root, path), "utf8")).flatMap((target) => {
      const problem = linkProblem(root, path, target);
      return problem === null ? [] : [`${path}: ${target}: ${problem}`];
    }),
  );
}

/** Code paths in backticks in one file (where-is.md) that match no file; `*` in them stands for any name. */
export function missingPaths(root: string, path: string): string[] {
  if (!existsSync(join(root, path))) return [];
  const text = readFileSync(join(root, path), "utf8");
  const words = [...text.matchAll(/`([^`\s]+)`/g)].flatMap((match) => match[1] ?? []);
  return words
    .map((word) => word.replace(/(:\d+|#.*)$/, ""))
    .filter((word) => isCodePath(root, word))
    .filter((word) => globSync(word, { cwd: root }).length === 0)
    .map((word) => `${path}: \`${word}\` does not exist`);
}

/** A path from the root; not `/v1/feeds`, and not `text/html`. */
function isCodePath(root: string, word: string): boolean {
  const [first, ...rest] = word.split("/");
  if (first === undefined || rest.length === 0 || !/^[\w.@*-]+$/.test(first)) return false;
  return codeFile.test(word) || existsSync(join(root, first));
}

/** Targets of inline links, images and reference definitions, without web addresses. */
function linkTargets(markdown: string): string[] {
  const text = withoutCode(markdown);
  const inline = text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g);
  const definitions = text.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?\s*$/gm);
  return [...inline, ...definitions]
    .flatMap((match) => match[1] ?? [])
    .filter((target) => !/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target));
}

function linkProblem(root: string, from: string, target: string): string | null {
  const [path = "", anchor] = decodeURIComponent(target).split("#", 2);
  const file = path.startsWith("/") ? join(root, path) : join(root, dirname(from), path);
  const found = path === "" ? join(root, from) : file;
  if (relative(root, found).startsWith("..")) return "leaves the repository";
  if (!existsSync(found)) return "no such file";
  if (anchor === undefined || anchor === "" || statSync(found).isDirectory() || !found.endsWith(".md"))
    return null;
  return anchors(readFileSync(found, "utf8")).has(anchor) ? null : "no such heading";
}

/** Anchors as GitHub makes them from headings, and explicit ids. */
function anchors(markdown: string): Set<string> {
  const found = new Set<string>();
  const text = markdown.replaceAll(fence, "");
  for (const [, heading = ""] of text.matchAll(/^ {0,3}#{1,6}\s+(.+?)\s*#*\s*$/gm)) {
    const slug = slugOf(heading);
    let name = slug;
    for (let n = 1; found.has(name); n += 1) name = `${slug}-${n}`;
    found.add(name);
  }
  for (const [, id = ""] of text.matchAll(/<\w+[^>]*\s(?:id|name)="([^"]+)"/g)) found.add(id);
  return found;
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");
}

const fence = /^ {0,3}(```+|~~~+)[^\n]*\n[\s\S]*?^ {0,3}\1[^\n]*$/gm;

function withoutCode(markdown: string): string {
  return markdown.replaceAll(fence, "").replaceAll(/`[^`\n]*`/g, "code");
}
