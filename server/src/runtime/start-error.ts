/** The service cannot start for a reason outside it; the message, one line, tells the operator which. */
export class StartError extends Error {
  override readonly name = "StartError";
  /** 1: it may work another time; 2: not before somebody has changed what is started, or with what settings. */
  readonly exitCode: 1 | 2;
  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: 1 | 2 } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
