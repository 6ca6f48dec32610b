import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { listenLocally } from "../support/http.ts";
import { temporaryFolder, writeSources } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { type Filing, renderPage } from "../support/tape.ts";

const filing = (n: number, form: string): Filing => ({
  accession: `0009999999-26-00000${n}`,
  form,
  accepted: "2026-03-02T16:31:54-05:00",
  filed: "2026-03-02",
  items: form === "8-K" ? ["2.02"] : [],
  parties: [["0009999999", "TIDEWANE SHIPPING CORP", "Filer"]],
});

const submission = (accession: string) => `<SEC-DOCUMENT>${accession}.txt : 20260302
<SEC-HEADER>${accession}.hdr.sgml : 20260302
<ACCEPTANCE-DATETIME>20260302163154
ACCESSION NUMBER:		${accession}
CONFORMED SUBMISSION TYPE:	8-K
PUBLIC DOCUMENT COUNT:		1
CONFORMED PERIOD OF REPORT:	20260302
ITEM INFORMATION:		Results of Operations and Financial Condition
FILED AS OF DATE:		20260302

FILER:

	COMPANY DATA:
		COMPANY CONFORMED NAME:			TIDEWANE SHIPPING CORP
		CENTRAL INDEX KEY:			0009999999
</SEC-HEADER>
<DOCUMENT>
<TYPE>8-K
<SEQUENCE>1
<FILENAME>tidewane.htm
<TEXT>
<html><body><p>Item 2.02 Results of Operations and Financial Condition.</p>
<p>Tidewane Shipping reported quarterly revenue of $84 million, up from $61 million a year earlier.</p></body></html>
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;

test("a filing waits for its document, and nothing waits for the filing", async () => {
  const asked: string[] = [];
  await using server = await listenLocally((request, response) => {
    const url = new URL(request.url ?? "/", "http://edgar");
    if (url.pathname === "/current") {
      const page = renderPage([filing(1, "424B2"), filing(2, "8-K"), filing(3, "8-K")], 0, 100);
      return response.end(
        Buffer.from(url.searchParams.get("start") === null ? page : renderPage([], 0, 0), "latin1"),
      );
    }
    const accession = /([\d-]+)\.txt$/.exec(url.pathname)?.[1] ?? "";
    asked.push(accession);
    // Listed before it can be read, as on EDGAR: the first answer is "not there".
    const there = asked.filter((one) => one === accession).length > 1;
    return there ? response.end(submission(accession)) : response.writeHead(404).end();
  });
  using folder = temporaryFolder();
  const source = {
    id: "edgar",
    name: "sec-edgar",
    provider: "sec",
    format: "edgar",
    type: "filing",
    interval_s: 1,
  };
  const sourcesFile = writeSources(folder.path, [
    {
      ...source,
      url: `${server.origin}/current?count=100`,
      archives_url: `${server.origin}/Archives`,
      requests_per_s: 100,
    },
  ]);
  await using service = await startService("pglite", { sourcesFile });
  const { key } = await service.key("pro");
  const listed = async () => feedList.parse(await (await service.get("/v1/feeds", key)).json()).data;
  while ((await listed()).length === 0) await delay(50);
  assert.deepEqual(
    (await listed()).map(({ filing }) => filing?.form),
    ["424B2"],
    "stored while the others wait",
  );
  while ((await listed()).length < 3) await delay(50);
  for (const { id, filing } of await listed()) {
    if (filing?.form !== "8-K") continue;
    const detail = feedItemDetail.parse(await (await service.get(`/v1/feeds/${id}`, key)).json());
    assert.match(detail.summary ?? "", /\$84 million/);
  }
  assert.equal(asked.length, 4, "each document is asked for until it is there, and not by every poll");
});
