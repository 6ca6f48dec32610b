import { useState } from "preact/hooks";
import { at, go } from "../core/address.ts";
import { chipsOf } from "../core/filter.ts";
import { span } from "../core/format.ts";
import { mayWrite } from "../core/session.ts";
import { Button } from "../forms/button.tsx";
import { useChanges } from "../forms/changes.ts";
import { Code, Copy } from "../parts/copy.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Panel, Tabs } from "../parts/screen.tsx";
import { Lock, Problem } from "../parts/states.tsx";
import { Until } from "../parts/time.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import type { Webhook } from "./types.ts";
import { verifySnippets } from "./verify.ts";

interface SettingsProps {
  readonly hook: Webhook;
  readonly again: () => void;
  readonly isNew: boolean;
}

/** The endpoint's address, filter and secret, and how it ends. */
export function EndpointSettings({ hook, again, isNew }: SettingsProps) {
  const [isEditing, edit] = useState(false);
  const [isDeleting, remove] = useState(false);
  const path = `/v1/webhooks/${hook.id}`;
  const { failure, isBusy, change } = useChanges(again);
  const erasing = useChanges(() => go(at("webhooks")));
  const chips = chipsOf(hook.filters);
  return (
    <div class="stack wide">
      {isNew && (
        <p class="note live">The endpoint is made. Put its secret into your receiver, then send a test.</p>
      )}
      <Problem failure={failure ?? erasing.failure} />
      {mayWrite.value ? (
        <Secret hook={hook} again={again} />
      ) : (
        <Lock text="Your role may look at webhooks, not at their secrets." />
      )}
      <Panel title="Which items">
        <div class="chips">
          {chips.length === 0 ? (
            <span class="soft">Every item</span>
          ) : (
            chips.map(({ text }) => (
              <bdi key={text} class="badge">
                {text}
              </bdi>
            ))
          )}
        </div>
        <p class="soft">Stops retrying after {span(hook.max_age * 1_000)}.</p>
      </Panel>
      {mayWrite.value && (
        <div class="row wrap">
          <Button run={() => edit(true)}>Change</Button>
          <Button
            disabled={isBusy}
            run={() =>
              change(hook.enabled ? "Deliveries stopped" : "Deliveries go on", "PATCH", path, {
                enabled: !hook.enabled,
              })
            }
          >
            {hook.enabled ? "Disable" : "Enable"}
          </Button>
          <Button look="danger" run={() => remove(true)}>
            Delete
          </Button>
        </div>
      )}
      {isEditing && (
        <EndpointForm hook={hook} filter={hook.filters} close={() => edit(false)} saved={again} />
      )}
      {isDeleting && (
        <Confirm
          title="Delete the endpoint"
          text="Deliveries stop, and what was sent can no longer be looked up. This cannot be taken back."
          word={new URL(hook.url).host}
          label="Delete"
          run={() => erasing.change("Endpoint deleted", "DELETE", path)}
          close={() => remove(false)}
        />
      )}
    </div>
  );
}

const languages = ["SDK", "Node", "Python"] as const;

function Secret({ hook, again }: { hook: Webhook; again: () => void }) {
  const [isShown, show] = useState(false);
  const [language, choose] = useState<(typeof languages)[number]>("SDK");
  const { failure, isBusy, change } = useChanges(again);
  const rotate = () =>
    change("New secret; the old one signs too for 24 hours", "POST", `/v1/webhooks/${hook.id}/rotate`);
  return (
    <Panel title="Signing secret">
      <div class="row wrap">
        <code class={isShown ? "secret grow" : "grow"}>
          {isShown ? hook.secret : "whsec_••••••••••••••••"}
        </code>
        <Button run={() => show(!isShown)}>{isShown ? "Hide" : "Show"}</Button>
        <Copy text={hook.secret} what="secret" />
        <Button disabled={isBusy} run={rotate}>
          Rotate
        </Button>
      </div>
      <Problem failure={failure} />
      {hook.rotation_ends_at !== null && (
        <p class="note live">
          Both secrets sign for another <Until at={hook.rotation_ends_at} />.
        </p>
      )}
      <Tabs label="Verify a delivery with" names={languages} value={language} choose={choose} />
      <Code text={verifySnippets[language]} what={`code for ${language}`} />
    </Panel>
  );
}
