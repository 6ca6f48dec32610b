import { useLocation } from "preact-iso";
import { at } from "../core/address.ts";
import { account, isOperator, openAccount, session, signOut } from "../core/session.ts";
import { theme, themes, turn } from "../core/settings.ts";
import { useInView } from "../parts/in-view.ts";
import { Failing } from "./failing.tsx";
import { type Place, places } from "./places.ts";

const groups = ["Watch", "Build", "Account", "Operator"] as const;

/** The way between the screens. */
export function Rail({ openPalette, openKeys }: { openPalette: () => void; openKeys: () => void }) {
  const shown = groups.filter((group) => group !== "Operator" || isOperator.value);
  const { path } = useLocation();
  const row = useInView<HTMLElement>(`${path} ${isOperator.value}`);
  return (
    <nav ref={row} class="rail" aria-label="Screens">
      <a class="brand" href={at("feed")} aria-label="Tapewire, live feed">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M2 8h16M2 16h28M2 24h11" stroke="currentColor" stroke-width="3" stroke-linecap="round" />
          <circle cx="26" cy="8" r="3.6" fill="var(--edge)" />
        </svg>
        <span>Tapewire</span>
      </a>
      <button type="button" class="place" onClick={openPalette}>
        Find <kbd>/</kbd>
      </button>
      {shown.map((group) => (
        <Group key={group} name={group} />
      ))}
      <div class="foot">
        <Accounts />
        <button type="button" class="place" onClick={() => turn(theme, themes)}>
          {theme.value === "system"
            ? "Theme: system"
            : theme.value === "dark"
              ? "Theme: dark"
              : "Theme: light"}
        </button>
        <button type="button" class="place" onClick={openKeys}>
          Shortcuts <kbd>?</kbd>
        </button>
        <button type="button" class="place" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </nav>
  );
}

function Group({ name }: { name: Place["group"] }) {
  const { path } = useLocation();
  const isHere = (place: Place) => path === place.path || path.startsWith(`${place.path}/`);
  return (
    <>
      <div class="group">{name}</div>
      {places
        .filter(({ group }) => group === name)
        .map((place) => (
          <a
            key={place.path}
            class="place"
            href={place.path}
            aria-current={isHere(place) ? "page" : undefined}
          >
            {place.name}
            {place.key === "w" && <Failing />} <kbd title={`g then ${place.key}`}>g {place.key}</kbd>
          </a>
        ))}
    </>
  );
}

/** Whose items, keys and usage are shown. */
function Accounts() {
  const all = session.value?.accounts ?? [];
  const open = account.value;
  // Keeps the place until the session is known.
  if (open === null) return <div class="place">&nbsp;</div>;
  if (all.length === 1)
    return (
      <div class="place clip" title={`${open.name}, plan ${open.plan}`}>
        <span class="clip">{open.name}</span>&nbsp;<span class="badge">{open.plan}</span>
      </div>
    );
  return (
    <select
      class="button"
      aria-label="Account"
      value={open.id}
      onChange={({ currentTarget }) => openAccount(currentTarget.value)}
    >
      {all.map((one) => (
        <option key={one.id} value={one.id}>
          {one.name} ({one.plan})
        </option>
      ))}
    </select>
  );
}
