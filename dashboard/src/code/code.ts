import { toCurl } from "tapewire";
import { queryText } from "../api.ts";
import { cannot, listParams, notOnWebhooks, onWebhooks, paramsOf } from "../core/filter.ts";
import { isOpen, type Range } from "../core/range.ts";
import type { Filters } from "../core/types.ts";
import { pythonOf, type Snippet, typeScriptOf } from "./ways.tsx";

const agents = "MCP";

const indented = (value: unknown) => JSON.stringify(value, null, 2);

const pythonLiteral = (value: unknown) =>
  indented(value)
    .replaceAll(/: true\b/g, ": True")
    .replaceAll(/: false\b/g, ": False");

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Axes that the command line has, by its names of them. */
const flags: Readonly<Record<string, string>> = {
  symbol: "--symbol",
  exchange: "--exchange",
  aggregator: "--source",
  event: "--event",
  min_conviction: "--min-conviction",
  min_actionability_score: "--min-actionability-score",
  q: "--q",
};

function commandLine(filter: Filters, baseUrl: string): Snippet {
  const given = Object.entries(paramsOf(filter)).filter(([, value]) => value !== null);
  const isActionable = filter.actionability === true;
  const words = given.flatMap(([name, value]) => {
    const flag = flags[name];
    if (flag === undefined || value === null) return [];
    // What begins with a dash would be taken for another option.
    return [`${flag}${value.startsWith("-") ? "=" : " "}${quoted(value)}`];
  });
  const lost = given.filter(
    ([name]) => flags[name] === undefined && !(name === "actionability" && isActionable),
  );
  const command = ["npm run -s tapewire -- tail", ...words, ...(isActionable ? ["--actionable"] : [])].join(
    " ",
  );
  return {
    name: "Command line",
    text: `TAPEWIRE_URL=${baseUrl} ${command}`,
    ...(lost.length === 0
      ? {}
      : {
          note: cannot(lost.map(([name]) => name).join(", ")),
        }),
  };
}

/** The same filter in every way that the service has; each can be run as it stands. */
export function snippetsOf(
  filter: Filters,
  range: Range,
  baseUrl: string,
  wsUrl: string,
): readonly [Snippet, ...Snippet[]] {
  const [list, ...others] = waysOf(filter, range, baseUrl, wsUrl);
  const lost = "It has no range of time: that part is left out.";
  const rest = isOpen(range)
    ? others
    : others.map((one) =>
        one.name === agents ? one : { ...one, note: one.note === undefined ? lost : `${one.note} ${lost}` },
      );
  return [list, ...rest];
}

function waysOf(
  filter: Filters,
  range: Range,
  baseUrl: string,
  wsUrl: string,
): readonly [Snippet, ...Snippet[]] {
  const lost = notOnWebhooks(filter);
  const hook = { url: "https://example.com/hook", filters: onWebhooks(filter) };
  const query = listParams(filter);
  const note = filter.providers === undefined ? {} : { note: cannot("provider") };
  return [
    {
      name: "curl",
      text: toCurl({ baseUrl, path: `/v1/feeds${queryText({ ...query, ...range, limit: 20 })}` }),
      ...note,
    },
    {
      name: "Live by curl",
      text: toCurl({ baseUrl, path: `/v1/stream/sse${queryText(query)}`, streams: true }),
      ...note,
    },
    {
      name: "WebSocket",
      text: indented({ type: "subscribe", filters: filter, snapshot: 20 }),
      note: `Send this frame to ${wsUrl}?api_key=$TAPEWIRE_KEY`,
    },
    { name: "TypeScript", text: typeScript(filter, baseUrl) },
    { name: "Python", text: python(filter, baseUrl) },
    {
      name: "Webhook",
      text: toCurl({ baseUrl, path: "/v1/webhooks", body: hook }),
      ...(lost && { note: lost }),
    },
    commandLine(filter, baseUrl),
    { name: agents, text: toolCall(filter, range, baseUrl), ...note },
  ];
}

const isText = (name: string) => !/^(actionability|story_copies|min_|sentiment_)/.test(name);

/** The call that an agent makes of the tool, whose arguments have the names of the list's query. */
function toolCall(filter: Filters, range: Range, baseUrl: string): string {
  const given = Object.entries({ ...listParams(filter), ...range }).flatMap(([name, value]) =>
    value === null ? [] : [[name, isText(name) ? value : JSON.parse(value)]],
  );
  const params = { name: "search_feed", arguments: { ...Object.fromEntries(given), limit: 20 } };
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const accept = "-H 'Accept: application/json, text/event-stream'";
  return `${toCurl({ baseUrl, path: "/mcp", body })} \\\n  ${accept}`;
}

const typeScript = (filter: Filters, baseUrl: string) =>
  typeScriptOf(
    baseUrl,
    `await using stream = tw.stream({ filters: ${indented(filter)}, snapshot: 20 });
for await (const event of stream) {
  if (event.type === "item") console.log(event.item.title);
}`,
  );

const python = (filter: Filters, baseUrl: string) =>
  pythonOf(
    baseUrl,
    `with tw.stream(${pythonLiteral(filter)}, snapshot=20) as stream:
    for event in stream:
        if isinstance(event, Item):
            print(event.item["title"])`,
    "Item, ",
  );
