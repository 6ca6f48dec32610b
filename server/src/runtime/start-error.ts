/** The service cannot start for a reason outside its code; the message, one line, tells the operator which. */
export class StartError extends Error {
  override readonly name = "StartError";
  /** 1: a later start may succeed; 2: it cannot before somebody changes the settings or what is started. */
  readonly exitCode: 1 | 2;
  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: 1 | 2 } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
