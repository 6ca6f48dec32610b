import { Component, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Failure, failureOf } from "../core/failure.ts";
import { clockTime, count } from "../core/format.ts";
import { forgetAll, type Loaded } from "../core/load.ts";
import { Button } from "../forms/button.tsx";
import { Copy } from "./copy.tsx";

/** Why something could not be shown or done, where it could not: the service's words, the fields, the request's id, and Retry. */
export function Problem({ failure, again }: { failure: Failure | null; again?: () => void }) {
  if (failure === null) return null;
  if (failure.code === "plan_required") return <Lock text={failure.message} />;
  const named = failure.fields.filter(({ name }) => name !== "");
  return (
    <div class="note wrong stack" role="alert">
      <div>
        <strong class="strong">{failure.title}</strong>
        {failure.message !== failure.title && named.length === 0 && <p>{failure.message}</p>}
        {named.map((field) => (
          <p key={field.name}>
            <code>{field.name}</code> {field.detail}
          </p>
        ))}
      </div>
      <div class="row wrap">
        {again !== undefined && <Retry seconds={failure.retryAfterS} again={again} />}
        {failure.requestId !== null && (
          <span class="row small quiet">
            Request <code>{failure.requestId}</code> <Copy text={failure.requestId} what="request id" />
          </span>
        )}
      </div>
    </div>
  );
}

/** What cannot be drawn, as an answer of another version may have it, is told in its place: the rest of the page goes on. */
export class Guard extends Component<{ children: ComponentChildren }, { failure: Failure | null }> {
  override componentDidCatch(error: unknown): void {
    forgetAll();
    this.setState({ failure: failureOf(error) });
  }
  override render(): ComponentChildren {
    const { failure } = this.state;
    return failure ? (
      <Problem failure={failure} again={() => this.setState({ failure: null })} />
    ) : (
      this.props.children
    );
  }
}

/** A button that counts the Retry-After of the answer down before it can be pressed. */
function Retry({ seconds, again }: { seconds: number | null; again: () => void }) {
  const [left, setLeft] = useState(Math.min(seconds ?? 0, 3_600));
  useEffect(() => {
    setLeft(Math.min(seconds ?? 0, 3_600));
  }, [seconds]);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <Button disabled={left > 0} run={again}>
      {left > 0 ? `Retry in ${left} s` : "Retry"}
    </Button>
  );
}

/** What a plan does not include, in one line. */
export function Lock({ text }: { text: string }) {
  return (
    <p class="note row" role="note">
      <svg width="12" height="14" viewBox="0 0 12 14" aria-hidden="true">
        <path d="M3 6V4a3 3 0 0 1 6 0v2" fill="none" stroke="currentColor" stroke-width="1.5" />
        <rect x="1" y="6" width="10" height="7" rx="1.5" fill="currentColor" />
      </svg>
      <span>{text}</span>
    </p>
  );
}

/** One sentence, and the one action that fills the place. */
export function Empty({ text, children }: { text: string; children?: ComponentChildren }) {
  return (
    <div class="empty row wrap">
      <p class="soft">{text}</p>
      {children}
    </div>
  );
}

/** Lines of the height that the content will have. */
export function Skeleton({
  lines = 4,
  height = 20,
}: {
  lines?: number | undefined;
  height?: number | undefined;
}) {
  return (
    <div class="stack" aria-hidden="true">
      {Array.from({ length: lines }, (_, at) => (
        <div
          key={at}
          class="skeleton"
          style={{ height: `${height}px`, width: lines === 1 ? "100%" : `${96 - ((at * 17) % 40)}%` }}
        />
      ))}
    </div>
  );
}

/** Loading, error, stale and content of something that is read from the service. */
export function Loading<T>({
  of: loaded,
  lines,
  height,
  children,
}: {
  of: Loaded<T>;
  lines?: number;
  height?: number;
  children: (data: T) => ComponentChildren;
}) {
  const { data, failure, readAt, again } = loaded;
  if (data === null)
    return failure === null ? (
      <Skeleton lines={lines} height={height} />
    ) : (
      <Problem failure={failure} again={again} />
    );
  return (
    <>
      {failure !== null && readAt !== null && (
        <p class="note wrong row wrap">
          <span class="grow">
            {failure.message} Shown as of {clockTime(readAt)}.
          </span>
          <Button run={again}>Retry</Button>
        </p>
      )}
      {children(data)}
    </>
  );
}

interface ShareProps {
  readonly label: string;
  readonly used: number;
  readonly limit: number | null;
  readonly daily?: boolean;
}

/** A share of a limit, in words and as a bar: amber from 80 %, red when used up. What is held frees itself; what is `daily` waits. */
export function Share({ label, used, limit, daily }: ShareProps) {
  const share = limit === null || limit === 0 ? 0 : used / limit;
  const state = share >= 1 ? "full" : share >= 0.8 ? "warm" : "";
  return (
    <div class="share">
      <div class="row">
        <span class="grow">{label}</span>
        <span class="num">
          {count(used)}
          <span class="quiet">
            {limit === null
              ? " used, no limit"
              : limit === 0
                ? ": not on this plan"
                : ` of ${count(limit)} used`}
          </span>
        </span>
      </div>
      {limit !== null && (
        <span class={`bar ${state}`}>
          <i style={{ width: `${Math.min(100, share * 100)}%` }} />
        </span>
      )}
      {share >= 0.8 && limit !== null && (
        <p class={`small ${share >= 1 ? "bad" : "accent"}`}>
          {`${share >= 1 ? "Used up" : `${count(limit - used)} left`}${daily ? " until the reset" : ""}.`}
        </p>
      )}
    </div>
  );
}
