import { useEffect } from "preact/hooks";
import { back, setTitle } from "../core/address.ts";
import { useShortcuts } from "../shell/keyboard.ts";
import ItemView from "./item.tsx";

/** The item as a screen of its own. */
export default function ItemPage({ id }: { id: string }) {
  useEffect(() => setTitle("Item"), []);
  useShortcuts([{ keys: "Escape", does: "Back", run: back }]);
  return (
    <div class="item-page">
      <h1 class="unseen">Item</h1>
      <ItemView key={id} id={id} close={null} />
    </div>
  );
}
