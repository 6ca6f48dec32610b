import { useState } from "preact/hooks";
import { root } from "../core/base.ts";
import { tab } from "../core/session.ts";
import type { Me } from "../core/types.ts";
import { Code, Copy } from "../parts/copy.tsx";
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
    const url = URL.createObjectURL(new Blob([`${env}\n`], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = "tapewire.env";
    link.click();
    setTimeout(() => URL.revokeObjectURL(url));
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
        <button type="button" class="button" onClick={() => void test()}>
          Test it
        </button>
        <button type="button" class="button" onClick={download}>
          Download .env
        </button>
        <span role="status">{tested}</span>
      </div>
    </div>
  );
}
