import { useState } from "preact/hooks";
import { tab } from "../core/session.ts";
import { Code } from "../parts/copy.tsx";
import { Tabs } from "../parts/screen.tsx";

const indented = (value: object) => JSON.stringify(value, null, 2);

/** A variable of the client's own. */
const bearer = (variable: string) => `Bearer \${${variable}}`;

/** How clients of the Model Context Protocol are told of a server. The key comes from where they keep secrets. */
const ways = {
  "Claude Code": (url: string) =>
    `claude mcp add --transport http tapewire ${url} --header "Authorization: Bearer $TAPEWIRE_KEY"`,
  Cursor: (url: string) =>
    indented({ mcpServers: { tapewire: { url, headers: { Authorization: bearer("env:TAPEWIRE_KEY") } } } }),
  "VS Code": (url: string) =>
    indented({
      inputs: [{ type: "promptString", id: "tapewire-key", description: "Tapewire API key", password: true }],
      servers: {
        tapewire: { type: "http", url, headers: { Authorization: bearer("input:tapewire-key") } },
      },
    }),
} as const;
type Way = keyof typeof ways;

const places: Readonly<Record<Way, string>> = {
  "Claude Code": "Run this line where TAPEWIRE_KEY is a key of yours.",
  Cursor: "Put this into .cursor/mcp.json, and TAPEWIRE_KEY into the environment.",
  "VS Code": "Put this into .vscode/mcp.json. It asks for the key once.",
};

/** The lines that connect an agent with a key. */
export function ConnectAgent() {
  const [way, choose] = useState<Way>("Claude Code");
  const url = `${tab.value?.base_url ?? location.origin}/mcp`;
  return (
    <section class="stack">
      <h2>Connect an agent</h2>
      <p class="soft">Agents use the feed by the Model Context Protocol, within the plan of their key.</p>
      <Tabs label="Agent" names={["Claude Code", "Cursor", "VS Code"]} value={way} choose={choose} />
      <p class="soft">{places[way]}</p>
      <Code text={ways[way](url)} what={way} />
    </section>
  );
}
