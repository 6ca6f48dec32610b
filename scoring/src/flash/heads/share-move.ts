/** "Norvik slides after it wins approval": whose share a headline begins with the move of, and what it makes of the rest. */

/** A name with its share's move, and then another statement. */
const moved =
  /^\p{Lu}[\p{L}\p{N}.&'’-]{0,30}(?: [\p{Lu}\p{N}&][\p{L}\p{N}.&'’-]{0,30}){0,3} (?:shares? |stock )?(?:(soar|surge|jump|rise|climb|gain|rally|rallie|leap|spike)|(?:fall|drop|slide|slump|plunge|tumble|sink))(?:s|es|d|ed)?(?: (?:by )?\d[\d.,]{0,6} ?(?:%|pct|percent)?| premarket| sharply| again| further)? (?:as|after|on|despite)\b/u;
const noName =
  /^(?:shares|stocks?|oil|gold|futures|wall|profits?|sales|revenues?|net|orders|markets?|us|u\.s\.|dow|nasdaq)\b/i;

export interface ShareMove {
  /** Whether it is the share of the company whose names were given; else that of one that is not known. */
  readonly isOwn: boolean;
  readonly sign: 1 | -1;
}

/** @param mentions offsets of a company's names @returns null: no move opens the headline, or one of something else */
export function shareMove(title: string, mentions: readonly number[]): ShareMove | null {
  const found = moved.exec(title);
  if (found === null || noName.test(title)) return null;
  const isOwn = mentions.includes(0);
  if (!isOwn && mentions.some((at) => at < found[0].length)) return null;
  return { isOwn, sign: found[1] === undefined ? -1 : 1 };
}
