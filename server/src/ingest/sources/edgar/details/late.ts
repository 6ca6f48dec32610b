import type { DetailsOf } from "@tapewire/contract/filings.ts";
import { foldSpace } from "../../../text/text.ts";
import { shortText } from "./xml.ts";

/** The form is two pages; the rest is an attachment. */
const mostText = 60_000;

/**
 * A notice of late filing (Form 12b-25, filed as NT 10-K and the like), from its text.
 * @param form as filed
 * @returns null when the text has neither a narrative nor the question on results
 * Source: SEC, Form 12b-25, parts III and IV.
 */
export function parseLate(form: string, text: string): DetailsOf<"late"> | null {
  const start = text.slice(0, mostText);
  const reason = narrative(start);
  const expects_change = answer(start);
  if (reason === null && expects_change === null) return null;
  return { kind: "late", form: form.replace(/^NT(N)? /, "").replace(/\/A$/, ""), reason, expects_change };
}

/** Part III, without the form's own instruction before it. */
function narrative(text: string): string | null {
  const part = between(text, /\bPART\s+III\b/i, /\bPART\s+IV\b/i);
  if (part === null) return null;
  const own = foldSpace(part.replaceAll(/[\u2013\u2014]/g, " "))
    .replace(/^[\s:.-]*NARRATIVE[\s:.-]*/i, "")
    .replace(/^State below in reasonable detail.{0,300}?prescribed time period\.?/i, "")
    .replace(/^\s*\(Attach extra sheets if needed\.?\)/i, "");
  return shortText(own, 300);
}

/** Part IV (3): "Is it anticipated that any significant change in results of operations ... Yes [ ] No [ ]". */
function answer(text: string): boolean | null {
  const question = between(
    text,
    /significant\s+change\s+in\s+results\s+of\s+operations/i,
    /\bIf so\b/i,
    1_500,
  );
  return question === null ? null : tickedYes(foldSpace(question));
}

function between(text: string, from: RegExp, to: RegExp, atMost = 20_000): string | null {
  const start = from.exec(text);
  if (start === null) return null;
  const rest = text.slice(start.index + start[0].length, start.index + start[0].length + atMost);
  const end = to.exec(rest);
  return end === null ? rest : rest.slice(0, end.index);
}

/** Boxes as filers write them, Wingdings included. */
const ticked = String.raw`(?:\[ ?x ?\]|\( ?x ?\)|[\u2612\u2611\u2713\u2714\u25a0\u00fe\u00fd\u00fc]|(?<![a-z])_{0,5}x_{0,5}(?![a-z]))`;
const unticked = String.raw`(?:\[ ?_{0,5} ?\]|\( ?_{0,5} ?\)|[\u2610\u25a1\u00a8\u00a3\u2751]|\bo\b|_{1,10})`;
const box = `(${ticked}|${unticked})`;
/** The boxes stand before their words, or after them, where an empty one may be left out. */
const boxesInFront = new RegExp(`${box} ?Yes ?${box} ?No`, "i");
const boxesBehind = new RegExp(`Yes ?${box}? ?No ?${box}?`, "i");
const isTicked = new RegExp(`^${ticked}$`, "i");

function tickedYes(question: string): boolean | null {
  const found = boxesInFront.exec(question) ?? boxesBehind.exec(question);
  const [yes, no] = [found?.[1], found?.[2]].map((mark) => mark !== undefined && isTicked.test(mark));
  return yes === undefined || yes === no ? null : yes;
}
