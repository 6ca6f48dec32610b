import { at, here } from "../core/address.ts";
import { failureOf } from "../core/failure.ts";
import { account, isOperator, openAccount, session, signOut } from "../core/session.ts";
import { themes, turn } from "../core/settings.ts";
import { Options } from "../forms/field.tsx";
import { Sign } from "../parts/brand.tsx";
import { useInView } from "../parts/in-view.ts";
import { tell } from "../parts/toast.tsx";
import { FailingSources, FailingWebhooks } from "./failing.tsx";
import { type Place, places } from "./places.ts";

const groups = ["Watch", "Build", "Account", "Operator"] as const;

const end = () => signOut().catch((error) => tell(`${failureOf(error).title}: you are still signed in`));

/** The way between the screens. */
export function Rail({ openPalette, openKeys }: { openPalette: () => void; openKeys: () => void }) {
  const shown = groups.filter((group) => group !== "Operator" || isOperator.value);
  const { path } = here();
  const row = useInView<HTMLElement>(`${path} ${isOperator.value}`);
  return (
    <nav ref={row} class="rail" aria-label="Screens">
      <a class="brand" href={at("feed")} aria-label="Tapewire, live feed">
        <Sign />
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
        <button type="button" class="place" onClick={() => turn(themes)}>
          Theme: {themes.setting.value}
        </button>
        <button type="button" class="place" onClick={openKeys}>
          Shortcuts <kbd>?</kbd>
        </button>
        <button type="button" class="place" onClick={() => void end()}>
          Sign out
        </button>
      </div>
    </nav>
  );
}

function Group({ name }: { name: Place["group"] }) {
  const { path } = here();
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
            {place.key === "w" && <FailingWebhooks />}
            {place.key === "r" && <FailingSources />} <kbd title={`g then ${place.key}`}>g {place.key}</kbd>
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
      <div class="place clip" title={`${open.name}, plan ${open.plan}; signed in as ${session.value?.name}`}>
        <span class="clip">{open.name}</span>&nbsp;<span class="badge">{open.plan}</span>
      </div>
    );
  return (
    <Options
      class="button"
      aria-label="Account"
      value={open.id}
      options={all.map(({ id, name, plan }) => [id, `${name} (${plan})`])}
      set={openAccount}
    />
  );
}
