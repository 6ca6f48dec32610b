import { words } from "../core/format.ts";
import {
  colour,
  colours,
  densities,
  density,
  shortcuts,
  theme,
  themes,
  zone,
  zones,
} from "../core/settings.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Segments } from "../parts/field.tsx";
import { allShortcuts } from "./keyboard.ts";

const choices = <T extends string>(values: readonly T[]) =>
  values.map((value) => ({ value, label: words(value.replaceAll("-", " / ")) }));

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
      <label class="check">
        <input
          type="checkbox"
          checked={shortcuts.value === "on"}
          onChange={({ currentTarget }) => {
            shortcuts.value = currentTarget.checked ? "on" : "off";
          }}
        />
        Shortcuts of one key
      </label>
      <div class="settings">
        <Setting name="Theme">
          <Segments
            label="Theme"
            value={theme.value}
            choices={choices(themes)}
            choose={(to) => (theme.value = to)}
          />
        </Setting>
        <Setting name="Rows">
          <Segments
            label="Rows"
            value={density.value}
            choices={choices(densities)}
            choose={(to) => (density.value = to)}
          />
        </Setting>
        <Setting name="Up and down">
          <Segments
            label="Up and down"
            value={colour.value}
            choices={choices(colours)}
            choose={(to) => (colour.value = to)}
          />
        </Setting>
        <Setting name="Times">
          <Segments
            label="Times"
            value={zone.value}
            choices={[
              { value: zones[0], label: "Local" },
              { value: zones[1], label: "UTC" },
            ]}
            choose={(to) => (zone.value = to)}
          />
        </Setting>
      </div>
    </Dialog>
  );
}

function Setting({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div class="row wrap">
      <span class="soft setting-name">{name}</span>
      {children}
    </div>
  );
}
