import { type Logger, pino } from "pino";

export type Log = Logger;

/** JSON lines on stderr; stdout belongs to what the user asked for. Header values and keys are never logged. */
export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination(2));
}

/** For code that runs without an operator: tests and benches. */
export const silentLog: Log = pino({ level: "silent" });
