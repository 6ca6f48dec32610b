import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { at, go } from "../core/address.ts";
import { chipsOf } from "../core/filter.ts";
import { useDoing } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import { Code, Copy } from "../parts/copy.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Panel, Tabs } from "../parts/screen.tsx";
import { Lock, Problem } from "../parts/states.tsx";
import { Until } from "../parts/time.tsx";
import { tell } from "../parts/toast.tsx";
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
  const doing = useDoing();
  const chips = chipsOf(hook.filters);
  const change = (body: object, said: string) =>
    doing.run(async () => {
      await call("PATCH", `/v1/webhooks/${hook.id}`, { body });
      tell(said);
      again();
    });
  const erase = () =>
    doing.run(async () => {
      await call("DELETE", `/v1/webhooks/${hook.id}`);
      tell("Endpoint deleted");
      go(at("webhooks"));
    });
  return (
    <div class="stack wide">
      {isNew && (
        <p class="note live">The endpoint is made. Put its secret into your receiver, then send a test.</p>
      )}
      {doing.failure !== null && <Problem failure={doing.failure} />}
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
      </Panel>
      {mayWrite.value && (
        <div class="row wrap">
          <button type="button" class="button" onClick={() => edit(true)}>
            Change
          </button>
          <button
            type="button"
            class="button"
            disabled={doing.isBusy}
            onClick={() =>
              void change(
                { enabled: !hook.enabled },
                hook.enabled ? "Deliveries stopped" : "Deliveries go on",
              )
            }
          >
            {hook.enabled ? "Disable" : "Enable"}
          </button>
          <button type="button" class="button danger" onClick={() => remove(true)}>
            Delete
          </button>
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
          run={() => void erase()}
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
  const doing = useDoing();
  const rotate = () =>
    doing.run(async () => {
      await call("POST", `/v1/webhooks/${hook.id}/rotate`);
      tell("New secret; the old one signs too for 24 hours");
      again();
    });
  return (
    <Panel title="Signing secret">
      <div class="row wrap">
        <code class={isShown ? "secret grow" : "grow"}>
          {isShown ? hook.secret : "whsec_••••••••••••••••"}
        </code>
        <button type="button" class="button" onClick={() => show(!isShown)}>
          {isShown ? "Hide" : "Show"}
        </button>
        <Copy text={hook.secret} what="secret" />
        <button type="button" class="button" disabled={doing.isBusy} onClick={() => void rotate()}>
          Rotate
        </button>
      </div>
      {doing.failure !== null && <Problem failure={doing.failure} />}
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
