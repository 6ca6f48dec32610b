/** Safe markup: every part was escaped or made by html(). */
export interface Html {
  readonly markup: string;
}

type Part = string | number | Html | readonly Html[];

/** Template tag for markup. It escapes inserted text, also for attributes in double quotes. */
export function html(template: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: template.map((fixed, i) => (i === 0 ? "" : shown(parts[i - 1] ?? "")) + fixed).join("") };
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function shown(part: Part): string {
  if (typeof part === "string" || typeof part === "number")
    return String(part).replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
  return "markup" in part ? part.markup : part.map(({ markup }) => markup).join("");
}

export const nothing = html``;

/** One line of Markdown: text with `code`. */
export function inline(text: string): Html {
  return html`${text.split("`").map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}`;
}

/** Markdown of paragraphs, `-` lists and fenced blocks. */
export function prose(markdown: string): Html {
  const blocks = markdown.split(/^```\n([\s\S]*?)\n```$/m).map((piece, i) =>
    i % 2 === 1
      ? codeBlock(piece)
      : html`${piece
          .split(/\n{2,}/)
          .filter((block) => block.trim() !== "")
          .map(paragraph)}`,
  );
  return html`${blocks}`;
}

function paragraph(block: string): Html {
  const lines = block.trim().split("\n");
  return lines.every((line) => line.startsWith("- "))
    ? html`<ul>${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}</ul>`
    : html`<p>${inline(lines.join(" "))}</p>`;
}

/** Focusable by keyboard, because a long line scrolls. */
export const codeBlock = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`;

/** A table that scrolls horizontally on narrow screens. */
export function table(label: string, heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="table" role="group" aria-label="${label}" tabindex="0"><table><thead><tr>${heads.map(
    (head) => html`<th scope="col">${head}</th>`,
  )}</tr></thead><tbody>${rows}</tbody></table></div>`;
}
