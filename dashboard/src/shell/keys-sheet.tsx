import { looks, shortcuts } from "../core/settings.ts";
import { Check, Segments } from "../forms/field.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { allShortcuts } from "./keyboard.ts";

const palette = /Mac|iP/.test(navigator.platform) ? "⌘K" : "Ctrl K";

/** Every shortcut that works here, and how the page looks. */
export default function KeysSheet({ close }: { close: () => void }) {
  const listed = new Map(allShortcuts().map((one) => [one.keys, one.does]));
  return (
    <Dialog title="Shortcuts and settings" close={close}>
      <dl class="keys">
        {[...listed].map(([keys, does]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key === "mod+k" ? palette : key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Check isOn={shortcuts.value === "on"} set={(isOn) => (shortcuts.value = isOn ? "on" : "off")}>
        Shortcuts of one key
      </Check>
      <div class="settings">
        {looks.map((look) => (
          <div key={look.name} class="row wrap">
            <span class="soft setting-name">{look.name}</span>
            <Segments
              label={look.name}
              value={look.setting.value}
              choices={look.values}
              choose={(to) => (look.setting.value = to)}
            />
          </div>
        ))}
      </div>
    </Dialog>
  );
}
