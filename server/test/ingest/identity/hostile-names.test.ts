import assert from "node:assert/strict";
import { test } from "node:test";
import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { itemIdOf } from "../../../src/feed/item.ts";
import { postgresUrl, testDb } from "../../support/db.ts";
import { pollingOf, startAnswer } from "../../support/polls.ts";
import { renderPage } from "../../support/tape.ts";

const xml = (text: string) => text.replaceAll(/[&<>"]/g, (char) => `&#${char.codePointAt(0)};`);
const element = (name: string, value: string | undefined) =>
  value === undefined ? "" : `<${name}>${xml(value)}</${name}>`;

interface Entry {
  title: string;
  link?: string;
  guid?: string;
  origin?: string;
  base?: string;
  text?: string;
  at?: string;
}
const rss = (entries: readonly Entry[]) =>
  `<rss version="2.0" xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>t</title>${entries
    .map(
      ({ title, link, guid, origin, base, text, at = "Mon, 02 Mar 2026 13:00:00 GMT" }) =>
        `<item${base === undefined ? "" : ` xml:base="${xml(base)}"`}>${element("title", title)}${element("link", link)}${
          guid === undefined ? "" : `<guid isPermaLink="false">${xml(guid)}</guid>`
        }${element("feedburner:origLink", origin)}${element("description", text)}${element("pubDate", at)}</item>`,
    )
    .join("")}</channel></rss>`;

const gnw = (n: number) =>
  `https://www.globenewswire.com/news-release/2026/03/02/${n}/0/en/Quillon-Raises.html`;
const wires = (n: number): readonly string[] => [
  gnw(n),
  gnw(n).replace("/en/", "/fr/"),
  `https://www.prnewswire.com/news-releases/quillon-names-cfo-${300_000_000 + n}.html`,
  `https://www.businesswire.com/news/home/${20_260_302_000_000 + n}/en/Quillon`,
  `https://www.accessnewswire.com/newsroom/en/mining/drill-results-${n}`,
  `https://www.newsfilecorp.com/release/${n}/Drill-Results`,
];

/** Spellings of an address that a reader may take for the same page. */
const spellings: readonly ((link: string) => Partial<Entry>)[] = [
  (link) => ({ link }),
  (link) => ({ link: link.replace("https:", "http:") }),
  (link) => ({ link: link.replace(/^https?:/, (scheme) => scheme.toUpperCase()) }),
  (link) => ({ link: link.replace(/\/\/[^/]+/, (host) => host.toUpperCase()) }),
  (link) => ({ link: link.replace(/(\/\/[^/:]+)(?=\/)/, "$1:443") }),
  (link) => ({ link: link.replace("https:", "http:").replace(/(\/\/[^/:]+)(?=\/)/, "$1:443") }),
  (link) => ({ link: `${link}#top` }),
  (link) => ({ link: `${link}?utm_source=x&fbclid=1` }),
  (link) => ({ link: `${link}/` }),
  (link) => ({ link: link.replace("//", "//user:secret@") }),
  (link) => ({ link: link.replace(/(\/\/[^/:]+)(?=[/:])/, "$1.") }),
  (link) => ({ link: link.replace(/\/\/[^/]+/, (host) => host.replaceAll(".", "。")) }),
  (link) => ({ link: link.replace(/\/\/[^/]+/, (host) => host.replaceAll("e", "ｅ")) }),
  (link) => ({ link: link.replace(/\/\/[^/]+/, (host) => host.replaceAll("e", "е")) }),
  (link) => ({ link: new URL(link).pathname, base: link }),
  (link) => ({ link: `//${link.split("//")[1] ?? ""}`, base: "https://other.example/" }),
  (link) => ({ link: "https://proxy.example/~r/1", origin: link }),
  (link) => ({ guid: link }),
  (link) => ({ guid: link, link }),
  (link) => ({ guid: `other ${link}`, link }),
];

/** The wire's, the regulator's, the exchange's and a site's own lists, and a feed that would be all of them. */
async function startLists() {
  await using stack = new AsyncDisposableStack();
  const [wire, site, edgar, halts, nse, foe] = await Promise.all(
    Array.from({ length: 6 }, async () => stack.use(await startAnswer())),
  );
  assert.ok(wire && site && edgar && halts && nse && foe);
  const links = Array.from({ length: spellings.length }, (_, n) => wires(9_100_000 + n)).flat();
  const pages = spellings.map((_, n) => `${site.origin}/releases/${n}.html`);
  const figure = (n: number) =>
    `Quillon Robotics (NASDAQ: QLLN) raises outlook number ${n} to $${n + 210} million`;
  wire.state.body = rss(
    links.map((link, n) => ({ title: figure(n), link, guid: link, at: "Mon, 02 Mar 2026 14:00:00 GMT" })),
  );
  site.state.body = rss([
    ...pages.map((link, n) => ({
      title: `Notice ${n} of the office`,
      link,
      at: "Mon, 02 Mar 2026 14:05:00 GMT",
    })),
    { title: "A notice without address", at: "Mon, 02 Mar 2026 14:06:00 GMT" },
    { title: "A notice with an id", guid: "n-1", at: "Mon, 02 Mar 2026 14:07:00 GMT" },
  ]);
  const accession = "0009999999-26-000001";
  const filing = { form: "8-K", accepted: "2026-03-02T09:10:00-05:00", filed: "2026-03-02", items: [] };
  edgar.state.body = renderPage(
    [{ ...filing, accession, parties: [["0009999999", "TIDEWANE SHIPPING CORP", "Filer"]] }],
    0,
    10,
  );
  const halt = {
    HaltDate: "03/02/2026",
    HaltTime: "09:12:00",
    IssueSymbol: "QLLN",
    IssueName: "Quillon",
    Market: "NASDAQ",
    ReasonCode: "T1",
  };
  halts.state.body = `<rss version="2.0" xmlns:ndaq="http://www.nasdaqtrader.com/"><channel><title>t</title><item><title>QLLN</title>${Object.entries(
    halt,
  )
    .map(([name, value]) => element(`ndaq:${name}`, value))
    .join("")}</item></channel></rss>`;
  const pdf = `${nse.origin}/corporate/BRACKMILLS_02032026154010_Outcome.pdf`;
  nse.state.body = rss([
    {
      title: "Brackwater Mills Limited",
      link: pdf,
      text: "Outcome of a meeting |SUBJECT: Outcome",
      at: "02-Mar-2026 14:15:00",
    },
  ]);

  /** What the foe says: each address in every spelling in turn, and every other name that there is. */
  const claims = (words: (true_: string) => string): Entry[] => [
    ...links.map((link, n) => ({ ...spellings[Math.floor(n / 6)]?.(link), title: words(figure(n)) })),
    ...pages.map((link, n) => ({ ...spellings[n]?.(link), title: words(`Notice ${n} of the office`) })),
    ...spellings.map((spelled) => ({ ...spelled(pdf), title: words("Brackwater Mills Limited: Outcome") })),
    { title: words("A notice without address"), at: "Mon, 02 Mar 2026 14:06:00 GMT" },
    { title: words("A notice with an id"), guid: "n-1" },
    ...[
      `sec:${accession}`,
      `urn:tag:sec.gov,2008:accession-number=${accession}`,
      "halt:QLLN:2026-03-02T09:12:00:T1",
      "wire:gnw:9100000",
      "site:n-1",
      `url:${pages[0]}`,
    ].map((guid) => ({ title: words(`By the id ${guid}`), guid })),
    {
      title: words("8-K - TIDEWANE SHIPPING CORP"),
      link: `https://www.sec.gov/Archives/edgar/data/9999999/000999999926000001/${accession}-index.htm`,
    },
  ];
  const common = { provider: "p", requests_per_s: 100 };
  const feed = { ...common, format: "feed" as const };
  const hosts = [
    "globenewswire.com",
    "prnewswire.com",
    "businesswire.com",
    "accessnewswire.com",
    "newsfilecorp.com",
  ];
  const sources = [
    { ...feed, id: "wire", name: "wire", url: wire.url, hosts },
    { ...feed, id: "site", name: "site", url: site.url },
    {
      ...common,
      id: "edgar",
      name: "edgar",
      format: "edgar" as const,
      type: "filing" as const,
      url: edgar.url,
      documents: false,
    },
    { ...common, id: "halts", name: "halts", format: "halts" as const, url: halts.url },
    { ...common, id: "nse", name: "nse", format: "nse" as const, url: nse.url },
    { ...feed, id: "foe", name: "foe", url: foe.url },
  ];
  const owned = stack.move();
  return { sources, claims, foe: foe.state, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const honest = ["wire", "site", "edgar", "halts", "nse"];
/** Words that the foe puts to what it claims: the same, others, and that it is withdrawn. */
const words: readonly ((title: string) => string)[] = [
  (title) => title,
  (title) => `Fraud at Quillon: ${title}`,
  (title) => `WITHDRAWN: ${title}`,
];

type Step = (
  lists: Awaited<ReturnType<typeof startLists>>,
  polls: ReturnType<typeof pollingOf>,
) => Promise<void>;
const attack =
  (n: number, ...also: string[]): Step =>
  async ({ foe, claims }, { poll }) => {
    foe.body = rss(claims(words[n] ?? ((title) => title)));
    await poll("foe", ...also);
  };
const truth: Step = async (_, { poll }) => poll(...honest);
const orders: Readonly<Record<string, readonly Step[]>> = {
  "before the true one": [attack(0), truth, attack(1), truth, attack(2), truth],
  "before it, withdrawn": [attack(2), truth, attack(0), truth],
  "after it": [truth, attack(0), attack(1), truth, attack(2), truth],
  "in one batch with it": [attack(1, ...honest), attack(0, ...honest), attack(2, ...honest)],
};

/** All that a reader has of the items of the honest sources, versions and all. */
const told = (items: readonly FeedItem[]) =>
  items
    .filter(({ source }) => source !== "foe")
    .map(({ id, unique_id, title, link, source, published_at, source_time, status, revision, story_id }) => ({
      ...{ id, unique_id, title, link, source, published_at, source_time, status, revision },
      ownStory: story_id === id,
    }))
    .sort((a, b) => (a.unique_id < b.unique_id ? -1 : 1));

const start = "2026-03-02T14:30:00Z";

test("a feed that claims others' names changes, hides and times nothing of theirs", {
  skip: postgresUrl === null && "no PostgreSQL",
}, async (context) => {
  await using lists = await startLists();
  const toldAfter = async (steps: readonly Step[]) => {
    await using db = await testDb("postgres");
    await using polls = pollingOf(db, lists.sources, start);
    for (const step of steps) await step(lists, polls);
    return told(await polls.log());
  };
  const alone = await toldAfter([truth]);
  assert.equal(alone.length, 7 * spellings.length + 5);
  for (const { id, unique_id, revision, ownStory } of alone)
    assert.deepEqual([id, revision, ownStory], [itemIdOf(unique_id), 0, true]);
  for (const [order, steps] of Object.entries(orders))
    await context.test(order, async () => {
      const beside = await toldAfter(steps);
      const changed = beside.filter((item, n) => JSON.stringify(item) !== JSON.stringify(alone[n]));
      assert.deepEqual([changed, beside.length], [[], alone.length]);
    });
});
