/** An error that the user can correct; printed without a stack. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Errors of the client library, by name: loading it takes longer than most commands. */
const told: Readonly<Record<string, string>> = {
  TapewireError: "",
  StreamClosed: "",
  ConnectionError: ". Is the service running?",
  TimeoutError: "",
};

/** What to print for an error that a user may meet; null: it is a bug. */
export function expected(error: unknown): { readonly message: string; readonly exitCode: number } | null {
  if (error instanceof CliError) return error;
  const hint = error instanceof Error ? told[error.name] : undefined;
  return error instanceof Error && hint !== undefined ? { message: error.message + hint, exitCode: 1 } : null;
}
