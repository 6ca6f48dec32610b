import { z } from "zod";
import { listenLocally } from "./http.ts";
import { recordedLines } from "./recorded.ts";

const tapeLine = z.object({
  accession: z.string(),
  form: z.string(),
  accepted: z.string(),
  filed: z.string(),
  items: z.array(z.string()),
  parties: z.array(z.tuple([z.string(), z.string(), z.string()])),
});
export type Filing = z.infer<typeof tapeLine>;

/** The recorded arrival tape, in order of acceptance. */
export function readTape(): Filing[] {
  return recordedLines("edgar/replay/replay_2025-12-11_12.jsonl").map((line) => tapeLine.parse(line));
}

/** The tape as the SEC's list of current filings shows it: one row a party, newest first, `count` rows from `start`. */
export function renderPage(filings: readonly Filing[], start: number, count: number): string {
  const rows = filings
    .toReversed()
    .flatMap((filing) => filing.parties.map((party) => ({ filing, party })))
    .slice(start, start + count)
    .map(({ filing, party }) => entry(filing, party));
  return `<?xml version="1.0" encoding="ISO-8859-1" ?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>Latest Filings</title>
<id>https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent</id>
${rows.join("\n")}
</feed>
`;
}

function entry(
  { accession, form, accepted, filed, items }: Filing,
  [cik, name, role]: [string, string, string],
): string {
  const folder = accession.replaceAll("-", "");
  const listed = items.map((item) => `&lt;br&gt;Item ${item}`).join("");
  return `<entry>
<title>${xml(`${form} - ${name} (${cik}) (${role})`)}</title>
<link rel="alternate" type="text/html" href="https://www.sec.gov/Archives/edgar/data/${Number(cik)}/${folder}/${accession}-index.htm"/>
<summary type="html"> &lt;b&gt;Filed:&lt;/b&gt; ${filed} &lt;b&gt;AccNo:&lt;/b&gt; ${accession} &lt;b&gt;Size:&lt;/b&gt; 4 KB${xml(listed).replaceAll("&amp;", "&")}</summary>
<updated>${accepted}</updated>
<category scheme="https://www.sec.gov/" label="form type" term="${xml(form)}"/>
<id>urn:tag:sec.gov,2008:accession-number=${accession}</id>
</entry>`;
}

/** As ISO-8859-1 can carry it. */
function xml(text: string): string {
  return text.replaceAll(/[&<>"]|[^\0-\xff]/g, (char) => `&#${char.codePointAt(0)};`);
}

/** A list of current filings over HTTP that shows of the tape what it is told to. */
export async function startTapeServer(tape: readonly Filing[]) {
  const state = { isShown: (_filing: Filing): boolean => true, requests: 0 };
  const server = await listenLocally((request, response) => {
    state.requests += 1;
    const url = new URL(request.url ?? "/", "http://tape");
    const start = Number(url.searchParams.get("start") ?? 0);
    const count = Number(url.searchParams.get("count") ?? 40);
    // As the SEC answers beyond its window.
    if (start > 5000)
      return response.writeHead(503, { "content-type": "text/html" }).end("<html>busy</html>");
    const page = renderPage(tape.filter(state.isShown), start, count);
    return response
      .writeHead(200, { "content-type": "application/atom+xml; charset=ISO-8859-1" })
      .end(Buffer.from(page, "latin1"));
  });
  const query = "action=getcurrent&type=&owner=include&count=100&output=atom";
  return {
    url: `${server.origin}/cgi-bin/browse-edgar?${query}`,
    state,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
