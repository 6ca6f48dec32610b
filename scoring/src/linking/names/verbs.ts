import { list } from "./word-list.ts";

/**
 * The verbs of news on companies, in every finite form. A headline has its subject first and its verb next, so a verb in the
 * third person or the past shows that the name before it acts or is acted on.
 */

/** Only persons and bodies do these: a thing or a place does not sue, hire or unveil. */
const deeds =
  "accept acquire adopt agree allege announce apply appoint approve ask authorize authorise avert award axe back bag ban bid bless bolster boost " +
  "borrow build bump buy bundle bypass cancel carve cede challenge chase choose chop claim clinch commence commit complain complete concede confirm " +
  "consider construct convert court cram crank curb curtail cut dangle debut decide deck declare decline defend defer defy delay " +
  "deliver demand demote deny deploy discontinue disclose dismiss dispatch dispute ditch divest double downgrade downsize drill " +
  "dump earmark eliminate embrace employ enlist erase evaluate exclude exit expand explore extend eye favor fend file finalize " +
  "finance fire flag forecast forge forgo freeze fund furlough gobble grab guide gut hail halt halve hammer hand hike hire hoard hoist hurry idle " +
  "ignore ink initiate inject insist integrate introduce invest invite issue jettison launch lease lend leverage " +
  "license list lobby lower lure maintain manufacture migrate mine monetize mothball mull nab negotiate nix nominate notify obtain offer offload oust " +
  "outbid overhaul owe parachute pare partner pause pay peg permit pilot plan pledge plot plough plow poach pocket ponder post postpone pour " +
  "preannounce prep prepare present price produce project promise promote propose pump purchase pursue quadruple quit raise ratchet reaffirm " +
  "rebrand rebuff rebut recall recommend recoup redeem redesign refile refinance refocus refund refuse register reinstate reiterate reject " +
  "relaunch release relocate rename renew reopen reorganize repay replace report repurchase rescind resell reset reshuffle restart restate restore " +
  "restructure resume retain retire retool revamp revise revive roll sack safeguard salvage scale scoop scour scrap scrutinize secure select sell separate settle " +
  "shake shave shed shelve ship shop shutter shuffle sideline slash snag snap snub solicit spar spin splash sponsor spurn stage streamline strip " +
  "submit subpoena sue suspend sweeten switch tap target team tease terminate thwart tighten tout trade transfer trim triple trumpet tweak " +
  "unload unveil unwind upgrade uphold urge value veto vow waive weigh withdraw withhold woo yank";
/** What happens to companies, and to much else too; what any speaker or contestant does. */
const events =
  "add advance affirm aim answer appeal appear appease argue assess attract attain await bar beat begin believe bet block blow book bounce break bring broaden burn call cap capture cash cause cease change charge " +
  "cite clash claw clear climb close collaborate collapse combine come compete concentrate consolidate continue contribute cool count crash crater create credit cross crumble cruise deepen depart describe design detail develop " +
  "dip disappoint discuss divide dodge drag draw drive drop ease edge emerge enable encounter end endorse endure engage enhance enjoy enter equip erode escape establish exceed exchange execute " +
  "expect expose face fade fail fall falter fare find fine finish fix flop fly focus follow form fuel gain gather gear generate get give go grant grapple grow head hear hedge help hint hit hold host impose " +
  "improve include increase inch investigate join jump keep kick know lag land lash lay lead leak lean leap learn leave let lift limit link lock look lose make map mark " +
  "match meet merge miss move multiply name near need net nosedive notch note nudge nurse open oppose opt order outline outpace outperform overtake own part pass pick pitch pivot place play pledge plummet plunge pop power predict press probe " +
  "proceed process protest prove provide pull push put qualify question rake rally ramp rank reach react ready reap rebound rebuild receive record recover reduce regain remain remove require resist " +
  "resolve respond restrict retreat return reveal reverse review ride rise rocket run rush sag save say score scramble seal search see seek send serve set shift shine shoot shore show shrink shrug sink sit size skid skip skyrocket slate " +
  "sign slide slip slow slump snare soar soften soothe spare spend spike split spook spotlight squeeze stabilize stake stall stand start stay steer stem step stick stir stop strengthen stretch strike struggle stumble succeed suffer suggest " +
  "supply support surge surpass surrender suspect swallow swap sway sweep swell swing take tank team tell test thank threaten throw tie tip top total tout track trail transform trigger trounce tumble turn underperform undercut undergo underwhelm unite up update urge use vault vie view wait " +
  "walk want warn waver welcome widen win work worry wow wrap write yield zoom";

/** Third person and past of verbs that do not take -s and -ed alone; an empty past is no verb's. */
const irregularPast: Readonly<Record<string, string>> = {
  beat: "beat",
  become: "became",
  begin: "began",
  bet: "bet",
  bid: "bid",
  blow: "blew",
  break: "broke",
  bring: "brought",
  build: "built",
  buy: "bought",
  choose: "chose",
  come: "came",
  cut: "cut",
  draw: "drew",
  drive: "drove",
  fall: "fell",
  find: "found",
  fly: "flew",
  forecast: "forecast",
  forgo: "forwent",
  freeze: "froze",
  get: "got",
  give: "gave",
  go: "went",
  grow: "grew",
  hear: "heard",
  hit: "hit",
  hold: "held",
  keep: "kept",
  know: "knew",
  lay: "laid",
  lead: "led",
  leave: "left",
  lend: "lent",
  let: "let",
  lose: "lost",
  make: "made",
  meet: "met",
  pay: "paid",
  put: "put",
  quit: "quit",
  repay: "repaid",
  resell: "resold",
  reset: "reset",
  ride: "rode",
  rise: "rose",
  run: "ran",
  say: "said",
  see: "saw",
  seek: "sought",
  sell: "sold",
  send: "sent",
  set: "set",
  shake: "shook",
  shed: "shed",
  shine: "shone",
  shoot: "shot",
  show: "showed",
  shrink: "shrank",
  sink: "sank",
  sit: "sat",
  slide: "slid",
  spend: "spent",
  spin: "spun",
  split: "split",
  stand: "stood",
  stick: "stuck",
  strike: "struck",
  sweep: "swept",
  swell: "swelled",
  swing: "swung",
  take: "took",
  tell: "told",
  throw: "threw",
  undercut: "undercut",
  undergo: "underwent",
  unwind: "unwound",
  uphold: "upheld",
  win: "won",
  withdraw: "withdrew",
  withhold: "withheld",
  write: "wrote",
  overtake: "overtook",
  outbid: "outbid",
};
/** A last consonant that is doubled: "axed" but "scrapped". */
const doubling = list(
  "bag ban bar cap chop clap cram dip drag drop dub flag flop grab gut jet lag lap mop nab net nod opt peg plan plot plug pop prep prop rebut refer rob sag scrap",
  "shed ship shop skid skip slam slip slot snag snap snub spar spin spur stem step stir stop strip sub tag tap tip top trim trip unwrap up wrap zap",
);
/** Auxiliaries, and what stands for one in a headline. */
const auxiliaries = list(
  "seen given taken chosen shown drawn driven shaken stung sunk stuck known",
  "is has was are were have had will would may could can must should to isn't won't can't hasn't doesn't didn't does did",
);

const sibilant = /(?:s|x|z|ch|sh|[^o]o)$/;
const consonantY = /[^aeiou]y$/;

function thirdOf(verb: string): string {
  if (sibilant.test(verb)) return `${verb}es`;
  return consonantY.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

function pastOf(verb: string): string {
  const irregular = irregularPast[verb];
  if (irregular !== undefined) return irregular;
  if (verb.endsWith("e")) return `${verb}d`;
  if (consonantY.test(verb)) return `${verb.slice(0, -1)}ied`;
  return doubling.has(verb) ? `${verb}${verb.at(-1) ?? ""}ed` : `${verb}ed`;
}

/** What a finite verb tells of the name before it: somebody acts, or something happens. */
export type VerbStrength = "deed" | "event";

const plain = new Map<string, VerbStrength>();
const finite = new Map<string, VerbStrength>([...auxiliaries].map((word) => [word, "event"]));
for (const [verbs, strength] of [
  [events, "event"],
  [deeds, "deed"],
] as const)
  for (const verb of verbs.split(" ")) {
    plain.set(verb, strength);
    finite.set(thirdOf(verb), strength);
    // "Principal suspended": what is done to a word's thing.
    if (finite.get(pastOf(verb)) === undefined) finite.set(pastOf(verb), "event");
  }

/** @param word in lower case; @returns what a verb in the third person or the past, or an auxiliary, tells; null for any other word */
export const finiteVerb = (word: string): VerbStrength | null => finite.get(word) ?? null;

/** @param word in lower case, as after two subjects or "to": "agree", "merge"; @returns as finiteVerb */
export const plainVerb = (word: string): VerbStrength | null => plain.get(word) ?? null;

const adverbs = list(
  "now also again still just finally quietly formally once soon already reportedly allegedly instead further never always next once later today abruptly sharply slightly officially temporarily voluntarily briefly",
);

/** "Ford now sees", "Vertex formally opens": a word between the name and its verb. */
export const isAdverb = (word: string): boolean => adverbs.has(word);
