/** The business of an ordinary day. */
import { type EventEntry, event } from "./event-types.ts";

export const routine: readonly EventEntry[] = [
  event(
    "contract",
    0.62,
    `contract|contracts|awarded
     win|wins|won ~4 order|orders|deal|tender
     order ~3 worth|for|from
     @win ~6 order|orders|contract|deal
     receives|received|bags|secures ~3 order|orders`,
  ),
  event(
    "partnership",
    0.62,
    "partnership|partners|partner|collaboration|collaborate|alliance|mou\nagreement\nteams up\ndeal with\nsupply",
  ),
  event(
    "management",
    0.6,
    `ceo|cfo|coo|cto|chairman
     chief ~1 officer
     appoint+|appointment|names|named|resigns|resignation|retires|ousted
     steps|stepping down
     board of directors
     joins ~3 board|as
     elected|elects ~3 board|director`,
  ),
  event(
    "debt",
    0.57,
    "notes|bond|bonds|debt|loan|loans\ncredit facility|line\nrefinance+|refinancing\nterm loan",
  ),
  event(
    "plant",
    0.6,
    "plant|factory|facility|mine|refinery|production|output|capacity\nstrike|strikes|union|walkout",
  ),
  event(
    "index change",
    0.7,
    "to join|replace ~4 s&p|index|nasdaq|russell|dow\nadded|removed|dropped to|from ~2 index|russell|s&p",
  ),
  event(
    "economic data",
    0.7,
    "fed|fomc|ecb|rbi|boe|gdp|cpi|inflation|payrolls|jobless|pmi|opec|rates\ninterest|rate rates|cut|hike\nconsumer confidence|sentiment|prices",
  ),
  event(
    "product",
    0.52,
    "launch|launches|launched|unveil|unveils|unveiled|introduce|introduces|introduced|release|releases|debuts|rollout\nnew product|products|service|app|model|version|website|store|stores\nopens|opened",
  ),
];
