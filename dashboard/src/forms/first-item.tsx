import { useGet } from "../core/load.ts";
import type { Me, ReplayPage } from "../core/types.ts";
import { Moment } from "../parts/time.tsx";
import { Button } from "./button.tsx";

/** Since when there is something to replay, and the button that begins there. */
export function FirstItem({ set }: { set: (at: string) => void }) {
  const me = useGet<Me>("/v1/me");
  const page = useGet<ReplayPage>(me.data?.limits.replay ? "/v1/replay" : null, { limit: 1 });
  const first = page.data?.data[0]?.logged_at;
  if (first === undefined) return null;
  return (
    <p class="quiet small">
      First item: <Moment at={first} />.{" "}
      <Button look="small" run={() => set(first)}>
        Begin there
      </Button>
    </p>
  );
}
