import { queryText } from "../api.ts";
import { at, go } from "../core/address.ts";
import { isEmpty, paramsOf } from "../core/filter.ts";
import type { Range } from "../core/range.ts";
import { tab } from "../core/session.ts";
import type { Filters } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { snippetsOf } from "./code.ts";
import { Ways } from "./ways.tsx";

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
  const { base_url: baseUrl = location.origin, ws_url: wsUrl = "" } = tab.value ?? {};
  return (
    <Dialog
      title={isEmpty(filter) ? "Every item, as code" : "This filter, as code"}
      close={close}
      isSide
      isRead
    >
      <Ways snippets={snippetsOf(filter, range, baseUrl, wsUrl)} />
      <div class="row wrap">
        <Button run={() => go(at("webhooks") + queryText({ ...paramsOf(filter), create: 1 }))}>
          Make it a webhook
        </Button>
      </div>
    </Dialog>
  );
}
