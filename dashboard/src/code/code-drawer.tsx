import { useState } from "preact/hooks";
import { queryText } from "../api.ts";
import { at, go } from "../core/address.ts";
import { isEmpty, notOnWebhooks, paramsOf } from "../core/filter.ts";
import type { Range } from "../core/range.ts";
import { tab } from "../core/session.ts";
import type { Filters } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { Code } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Tabs } from "../parts/screen.tsx";
import { snippetsOf } from "./code.ts";

/** The filter of the screen as something to run. */
export default function CodeDrawer({
  filter,
  range,
  close,
}: {
  filter: Filters;
  range: Range;
  close: () => void;
}) {
  const [name, setName] = useState("curl");
  const { base_url: baseUrl = location.origin, ws_url: wsUrl = "" } = tab.value ?? {};
  const snippets = snippetsOf(filter, range, baseUrl, wsUrl);
  const shown = snippets.find((one) => one.name === name) ?? snippets[0];
  const lost = notOnWebhooks(filter);
  return (
    <Dialog
      title={isEmpty(filter) ? "Every item, as code" : "This filter, as code"}
      close={close}
      isSide
      isRead
    >
      <Tabs
        label="Ways"
        names={snippets.map((one) => one.name)}
        value={shown?.name ?? name}
        choose={setName}
      />
      {shown !== undefined && (
        <>
          {shown.note !== undefined && <p class="soft">{shown.note}</p>}
          <Code text={shown.text} what={`code for ${shown.name}`} />
          <p class="quiet small">
            <code>$TAPEWIRE_KEY</code> is one of your <a href={at("keys")}>keys</a>; it is never written into
            code here.
          </p>
        </>
      )}
      {name === "Webhook" && lost.length > 0 && (
        <p class="note">
          Webhooks cannot filter by {lost.join(" and ").toLowerCase()}: that part is left out.
        </p>
      )}
      <div class="row wrap">
        <Button run={() => go(at("webhooks") + queryText({ ...paramsOf(filter), create: 1 }))}>
          Make it a webhook
        </Button>
      </div>
    </Dialog>
  );
}
