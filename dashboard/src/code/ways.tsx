import { useState } from "preact/hooks";
import { at } from "../core/address.ts";
import { Code } from "../parts/copy.tsx";
import { Tabs } from "../parts/screen.tsx";

/** One way to have something done, as it can be run. */
export interface Snippet {
  readonly name: string;
  readonly text: string;
  readonly note?: string;
}

/** Code for one thing in several ways, of which one is shown. */
export function Ways({ snippets }: { snippets: readonly [Snippet, ...Snippet[]] }) {
  const [name, setName] = useState(snippets[0].name);
  const { text, note, ...shown } = snippets.find((one) => one.name === name) ?? snippets[0];
  return (
    <>
      <Tabs label="Ways" names={snippets.map((one) => one.name)} value={shown.name} choose={setName} />
      {note !== undefined && <p class="soft">{note}</p>}
      <Code text={text} what={`code for ${shown.name}`} />
      <p class="quiet small">
        <code>$TAPEWIRE_KEY</code> is one of your <a href={at("keys")}>keys</a>; it is never written into code
        here.
      </p>
    </>
  );
}

// The libraries are installed from the repository: they are in no registry.
export const typeScriptOf = (
  baseUrl: string,
  work: string,
) => `// First, where Tapewire is: npx node tools/sdk-build.ts
// Then here: npm install /path/to/tapewire/sdk/dist
import { Tapewire } from "tapewire";

const tw = new Tapewire({ baseUrl: "${baseUrl}", key: process.env.TAPEWIRE_KEY });
${work}`;

/** @param names what it takes from the library beside the client, each before a comma */
export const pythonOf = (
  baseUrl: string,
  work: string,
  names = "",
) => `# First: pip install /path/to/tapewire/clients/python
import os
from tapewire import ${names}Tapewire

tw = Tapewire("${baseUrl}", os.environ["TAPEWIRE_KEY"])
${work}`;
