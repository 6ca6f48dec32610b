import type { ComponentChildren } from "preact";
import { isOperator } from "../core/session.ts";
import { Screen } from "../parts/screen.tsx";
import { Lock } from "../parts/states.tsx";

/** A screen for the operator; anybody else reads why there is nothing. */
export function OperatorScreen({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: () => ComponentChildren;
}) {
  return (
    <Screen title={title} actions={isOperator.value && actions}>
      {isOperator.value ? children() : <Lock text="Only the operator of the service sees this." />}
    </Screen>
  );
}
