import { sql } from "kysely";

/** A value of a json column. Drivers take an array for one of PostgreSQL's own. */
export const asJson = <T>(value: T) => sql<T>`${JSON.stringify(value)}::json`;
