/** A declared entity of plain text. Parameter entities, external entities and nested ones are ignored. */
const declaration =
  /<!ENTITY\s{1,20}([A-Za-z_][\w.-]{0,40})\s{1,20}(?:"([^"&<%]{0,200})"|'([^'&<%]{0,200})')\s{0,20}>/g;
const mostDeclared = 100;
/** UTF-16 code units that all replacements together may add. */
const mostAdded = 100_000;

/**
 * The root of a document with the entities of its DOCTYPE replaced by their text: only plain, short ones, each once, up to
 * 100,000 characters in total. CDATA sections stay as they are.
 * @param prolog the text before the root
 */
export function withDeclaredEntities(root: string, prolog: string): string {
  if (!prolog.includes("<!ENTITY")) return root;
  const declared = new Map<string, string>();
  for (const [, name = "", double, single] of prolog.slice(0, mostAdded).matchAll(declaration)) {
    if (!declared.has(name)) declared.set(name, double ?? single ?? "");
    if (declared.size === mostDeclared) break;
  }
  if (declared.size === 0) return root;
  let added = 0;
  return root.replaceAll(cdataOrReference, (found, name: string | undefined) => {
    const value = name === undefined ? undefined : declared.get(name);
    if (value === undefined || added + value.length > mostAdded) return found;
    added += value.length;
    return value.replaceAll(">", "&gt;");
  });
}

const cdataOrReference = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|&([A-Za-z_][\w.-]{0,40});/g;
