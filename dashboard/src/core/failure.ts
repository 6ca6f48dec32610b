import type { FieldError, Problem } from "./types.ts";

/** A problem document, or what this page knows of a failure itself. */
export type Told = Partial<Omit<Problem, "code">> & { readonly code?: string };

/** Why a call did not succeed, in words to show. (`declare`: the constructor sets each member.) */
export class Failure extends Error {
  override readonly name = "Failure";
  /** 0: there was no answer. */
  declare readonly status: number;
  declare readonly code: string;
  declare readonly title: string;
  declare readonly fields: readonly FieldError[];
  declare readonly requestId: string | null;
  declare readonly retryAfterS: number | null;

  constructor(status: number, problem: Told, retryAfterS: number | null = null) {
    super(problem.detail ?? problem.title ?? `The service answered ${status}`);
    this.status = status;
    this.code = problem.code ?? "unknown";
    this.title = problem.title ?? "The request failed";
    this.fields = problem.errors ?? [];
    this.requestId = problem.request_id ?? null;
    this.retryAfterS = retryAfterS;
  }

  /** What is wrong with a field of a form; null: nothing. */
  field(name: string): string | null {
    const found = this.fields.find((field) => field.name === name || field.name.startsWith(`${name}.`));
    return found?.detail ?? null;
  }
}

/** Whether the same call may succeed later: there was no answer, or the service was busy or at fault. */
export const mayPass = (error: unknown): error is Failure =>
  error instanceof Failure && (error.status === 0 || error.status >= 429);

/** @returns the error as a Failure; one that is not from the service is a mistake of this page */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const detail = error instanceof Error ? error.message : String(error);
  return new Failure(0, { title: "The page could not do this", detail, code: "page" });
}
