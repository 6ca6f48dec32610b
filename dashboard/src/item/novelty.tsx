import { at } from "../core/address.ts";
import { plural, span } from "../core/format.ts";
import { useGet } from "../core/load.ts";
import { iso } from "../core/range.ts";
import type { FeedItemDetail, FeedList } from "../core/types.ts";
import { Titles } from "../parts/items.tsx";

/** Stories are remembered for so long. */
const memoryMs = 48 * 3_600_000;
/** A report of a move that has happened gets at most this. */
const echo = 50;

const firstOf = (item: FeedItemDetail) => item.copy_of ?? (item.story_id === item.id ? null : item.story_id);

/** Why the item counts as new or as a repeat, and who else told its story. */
export function Novelty({ item }: { item: FeedItemDetail }) {
  const firstId = firstOf(item);
  const first = useGet<FeedItemDetail>(firstId === null ? null : `/v1/feeds/${firstId}`);
  const novelty = item.sub_scores?.actionability.novelty ?? null;
  return (
    <section class="stack" aria-label="Novelty">
      <h2>
        Novelty{" "}
        {novelty !== null && (
          <>
            <span class="num mono">{novelty}</span>
            <span class="quiet small"> of 100</span>
          </>
        )}
      </h2>
      {firstId === null ? (
        <p class="soft">{wordsOf(novelty)}</p>
      ) : (
        <p class="soft">
          A repeat:{" "}
          <a href={at("item", firstId)}>
            <bdi>{first.data?.title ?? "an earlier item"}</bdi>
          </a>
          {first.data !== null && (
            <>
              {" "}
              by <bdi>{first.data.source}</bdi> told it{" "}
              <span class="num">{span(between(first.data.published_at, item.published_at))}</span> before.
            </>
          )}{" "}
          A repeat begins at 10 and rises to 50 over 48 hours, and its actionability falls with it.
        </p>
      )}
      <Others item={item} />
    </section>
  );
}

const between = (from: string, to: string) => Math.max(0, Date.parse(to) - Date.parse(from));

function wordsOf(novelty: number | null): string {
  if (novelty === null) return "Not scored.";
  if (novelty < echo) return "The market has seen it already, so little is left to act on.";
  return novelty === 100
    ? "New: no item of the 48 hours before told it, or was about its companies."
    : "New: no item of the 48 hours before told it. Other items about its companies take a little away.";
}

/** Other items of the story, among those about its first symbol: lists cannot be asked for a story. */
function Others({ item }: { item: FeedItemDetail }) {
  const symbol = item.symbols[0]?.symbol;
  const time = Date.parse(item.published_at);
  const near = useGet<FeedList>(symbol === undefined ? null : "/v1/feeds", {
    symbol,
    since: iso(time - memoryMs),
    until: iso(time + memoryMs),
    limit: 100,
  });
  const others = (near.data?.data ?? []).filter(
    ({ id, story_id }) => id !== item.id && story_id === item.story_id,
  );
  if (others.length === 0) return null;
  return (
    <details>
      <summary>{plural(others.length, "other item")} of this story</summary>
      <Titles items={others} isBySource />
    </details>
  );
}
