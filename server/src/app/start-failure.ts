import { inspect } from "node:util";
import { SecretError } from "../account/sealed-secrets.ts";
import { ConfigError } from "../config/config.ts";
import { withoutSecrets } from "../runtime/log.ts";
import { StartError } from "../runtime/start-error.ts";
import { DataDirError, DataDirInUse } from "../store/engine/data-dir.ts";
import { isUnavailable } from "../store/engine/errors.ts";

/** How the process ends after an error. An error that the operator can correct is one line, a bug comes with its stack. */
export function startFailure(error: unknown): { readonly exitCode: number; readonly message: string } {
  return { exitCode: exitCodeOf(error), message: `tapewire: ${withoutSecrets(textOf(error))}` };
}

function exitCodeOf(error: unknown): number {
  if (error instanceof StartError) return error.exitCode;
  return error instanceof ConfigError || error instanceof SecretError ? 2 : 1;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof DataDirInUse) return `${error.message} ${error.adviceToService}`;
  const isOurs = [ConfigError, DataDirError, SecretError, StartError].some((kind) => error instanceof kind);
  return isOurs || isFromOutside(error) ? error.message : inspect(error);
}

/** The system's errors name the system call, the database's the severity. */
function isFromOutside(error: Error): boolean {
  return "syscall" in error || "severity" in error || isUnavailable(error);
}
