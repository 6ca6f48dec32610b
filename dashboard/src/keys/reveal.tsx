import { useState } from "preact/hooks";
import { root } from "../core/base.ts";
import { tab } from "../core/session.ts";
import type { Me } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { Code, Copy } from "../parts/copy.tsx";
import { saveFile } from "../parts/save-file.ts";
import type { CreatedKey } from "./types.ts";

/** A new key, shown once, tested on the spot, ready to paste. */
export function Reveal({ made, copied }: { made: CreatedKey; copied: () => void }) {
  const [tested, setTested] = useState<string | null>(null);
  const baseUrl = tab.value?.base_url ?? location.origin;
  const env = `TAPEWIRE_URL=${baseUrl}\nTAPEWIRE_KEY=${made.key}`;
  const test = async () => {
    const answer = await fetch(`${root}v1/me`, { headers: { Authorization: `Bearer ${made.key}` } });
    const me: Partial<Me> = await answer.json();
    setTested(
      answer.ok ? `Tested: ${answer.status}, plan ${me.tier}` : `The service answered ${answer.status}`,
    );
  };
  const download = () => {
    saveFile(
      "tapewire.env",
      `${env}
`,
    );
    copied();
  };
  return (
    <div class="stack">
      <p class="note live">This is the only time the key is shown. Copy it now.</p>
      <div class="row">
        <code class="secret grow">{made.key}</code>
        <Copy text={made.key} what="key" done={copied} />
      </div>
      <Code text={env} what=".env lines" />
      <Code text={`curl -H "Authorization: Bearer $TAPEWIRE_KEY" '${baseUrl}/v1/me'`} what="curl" />
      <div class="row wrap">
        <Button run={test}>Test it</Button>
        <Button run={download}>Download .env</Button>
        <span role="status">{tested}</span>
      </div>
    </div>
  );
}
