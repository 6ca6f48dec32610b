import { placeNames } from "../name-classes.ts";
import type { Section } from "../section.ts";
import type { AliasMatch } from "../types.ts";
import { list } from "./word-list.ts";

/** Names where they stand for a place or an event: in the dateline of a release, before a state, in a conference's title. */

const months =
  "(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)";
const date = `(?:${months}\\.? \\d{1,2}|\\d{1,2} ${months}\\.?)(?:,? ?\\d{4})?`;
const agency =
  /^,? ?(?:\(|\/|--\()(?:globe ?newswire|business ?wire|pr ?newswire|cnw|newsfile|access ?(?:news)?wire|ein presswire|marketwired?|reuters|ap|afp|dpa|efe|ani|pti|ians|xinhua|kyodo|yonhap|bloomberg|dow jones|canadian press|thomson reuters|nikkei)\b/i;
/** Two further place names at most, such as the state and the country, each of up to three words. */
const region = "(?:, \\p{Lu}[\\p{L}.]{0,20}(?: \\p{Lu}[\\p{L}.]{1,20}){0,2}){0,2}";
/** Between a town and the agency: ", N.Y., Nov. 3, 2026 (GLOBE NEWSWIRE)", ", Nov 3 /PRNewswire/", " (Reuters)". */
const regionAndDate = new RegExp(`^(?:${region}, \\(?${date}\\)?|${region})`, "u");
/** ", N.Y. -- ", ", May 3 - ": without an agency, a date or a short form of a state shows what it is. */
const datedRest = new RegExp(`^(?:, \\p{Lu}[\\p{L}. ]{1,24})?, ${date} ?(?:--|[-–—])`, "u");

const stateForms =
  "Ala|Alaska|Ariz|Ark|Calif|Colo|Conn|Del|D\\.C|Fla|Ga|Idaho|Ill|Ind|Iowa|Kan|Ky|La|Maine|Md|Mass|Mich|Minn|Miss|Mo|Mont|Neb|Nev|N\\.H|N\\.J|N\\.M|N\\.Y|N\\.C|N\\.D|Ohio|Okla|Ore|Pa|R\\.I|S\\.C|S\\.D|Tenn|Texas|Tex|Utah|Vt|Va|Wash|W\\. ?Va|Wis|Wyo|Ont|Que|Alta|B\\.C";
/** A short form has its dot or its dash, so that "Ford, Ill workers" is no town. */
const shortState = new RegExp(`^, (?:${stateForms})(?:\\.|,| ?--| ?[-–—])`, "u");
const anyState =
  /^, (?:[A-Z]{2}\b|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Illinois|Indiana|Kansas|Kentucky|Louisiana|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New|North|South|West|Ohio|Oklahoma|Ontario|Oregon|Pennsylvania|Quebec|Tennessee|Texas|Virginia|Washington|Wisconsin|Wyoming|Switzerland|England|Germany|Austria|Bermuda|Canada|China|Ireland|Scotland|Australia|Colombia|Jamaica|France)/u;

const [space, comma, dash, bracket, slash] = [32, 44, 45, 40, 47];

/** Whether what follows the name can be the rest of a dateline at all; most names are done with here. */
function mayEndTown(text: string, end: number): boolean {
  const first = text.charCodeAt(end);
  if (first === comma || first === dash) return true;
  const second = text.charCodeAt(end + 1);
  return first === space && (second === bracket || second === slash || second === dash);
}

/** Whether the name stands where a dateline has its town. */
function inDateline({ text }: Section, end: number): boolean {
  const rest = text.slice(end, end + 110);
  const between = regionAndDate.exec(rest)?.[0].length ?? 0;
  return agency.test(rest.slice(between)) || datedRest.test(rest);
}

const nameIn = ({ tokens }: Section, { first, last }: AliasMatch): string =>
  tokens
    .slice(first, last)
    .map(({ word }) => word)
    .join(" ");

/** Buildings, games and schools that bear a sponsor's or founder's name: "Barclays Center", "Wells Fargo Championship". */
const bearers = list(
  "Center Centre Arena Stadium Field Park Dome Coliseum Amphitheater Amphitheatre Theater Theatre Pavilion Fieldhouse",
  "Speedway Raceway Open Cup Championship Championships Classic Invitational Masters Marathon Bowl Heritage Tower Building",
  "Plaza Museum Hall Foundation University College School Hospital Library Bridge Airport County",
);

function isSponsor({ tokens, text }: Section, { last }: AliasMatch): boolean {
  const next = tokens[last];
  const end = tokens[last - 1]?.end ?? 0;
  return (
    next !== undefined && next.start === end + 1 && text.charCodeAt(end) === space && bearers.has(next.raw)
  );
}

/** "LATHAM, N.Y. --", "in Zurich, Switzerland", "Dover, Del.-based". */
export function isPlace(section: Section, match: AliasMatch): boolean {
  const end = section.tokens[match.last - 1]?.end ?? 0;
  if (isSponsor(section, match)) return true;
  if (!mayEndTown(section.text, end)) return false;
  if (inDateline(section, end)) return true;
  const rest = section.text.slice(end, end + 30);
  return shortState.test(rest) || (anyState.test(rest) && placeNames.has(nameIn(section, match)));
}

const posts = list(
  "post posts posted posting video videos stream streams streamed streaming live livestream available shared wrote writes",
  "page account download",
);

/** "Video on Instagram", "available on Amazon", "join via Zoom": where a thing is shown, and not whom it is about. */
export function isOnPlatform({ tokens }: Section, { first }: AliasMatch): boolean {
  const before = tokens[first - 1]?.word ?? "";
  if (before === "via") return true;
  return before === "on" && posts.has(tokens[first - 2]?.word ?? "");
}

const events = list(
  "conference conferences summit forum symposium conf seminar roundtable roadshow event events expo congress",
);
const mostTitleWords = 11;
const titleWords = list("and of the in for on");

/** "J.P. Morgan 44th Annual Healthcare Conference": the name begins the title of an event. */
function titlesEvent({ tokens }: Section, { last }: AliasMatch): boolean {
  for (let index = last; index < last + mostTitleWords; index += 1) {
    const token = tokens[index];
    if (token === undefined) return false;
    if (events.has(token.word)) return true;
    if (!/^[\p{Lu}\d]/u.test(token.raw) && !titleWords.has(token.word)) return false;
  }
  return false;
}

const attends = list("at in the during from this annual");

/**
 * Whether the name is only that of an event where others speak.
 * @param isHost whether the company is a bank, which holds such events for others
 */
export function isEvent(section: Section, match: AliasMatch, isHost: boolean): boolean {
  const before = section.tokens[match.first - 1]?.word ?? "";
  return (isHost || attends.has(before)) && titlesEvent(section, match);
}
