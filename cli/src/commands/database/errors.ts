import { ConfigError } from "@tapewire/server/config/config.ts";
import { StartError } from "@tapewire/server/runtime/start-error.ts";
import { DataDirError } from "@tapewire/server/store/engine/data-dir.ts";
import { CliError } from "../../errors.ts";

type ErrorKind = abstract new (...given: never[]) => Error;

/**
 * What to throw when a command that opens the database itself fails. A user may meet what refuses a start, `kinds`, and errors
 * of the system or the database, which have a code: these are told without a stack. All others are bugs.
 * @param wording of what is told
 */
export function databaseError(
  error: unknown,
  kinds: readonly ErrorKind[],
  wording: (error: Error) => string = ({ message }) => message,
): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof StartError) return new CliError(error.message, error.exitCode);
  const isExpected =
    [DataDirError, ConfigError, ...kinds].some((kind) => error instanceof kind) || "code" in error;
  return isExpected ? new CliError(wording(error)) : error;
}
