import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import type { Clock } from './clock';
import type { Env } from './env';
import type { Logger } from './log';

export type Database = PostgresJsDatabase<Record<string, never>>;

/**
 * Dependencies of every function, passed in rather than imported, so that tests can replace them.
 */
export interface Ctx {
  /**
   * Plain SQL, for statements that depend on their exact form. Timestamps are returned as strings.
   */
  readonly sql: Sql;
  /** The same connections through drizzle. */
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly env: Env;
  /** The budget of the current subject; absent in a thread without a budget. */
  readonly budget?: Budget;
}

/**
 * Processor time of a request or subject, measured by the pool thread that runs it.
 */
export interface Budget {
  /**
   * Starts a subject: its processor time counts from here, and an exceeded budget is attributed to
   * it. Plain data, at most 2 KiB of JSON.
   */
  begin(subject: unknown): void;
  /** The part that runs now, as a text for people; reported if it exceeds the budget. */
  enter(part: string): void;
  /**
   * The part that exceeded the budget in an earlier run; this part and all later ones fail. Null if
   * no part did.
   */
  readonly spent: string | null;
}

/** A value of `spent`: the earlier parts exceeded the budget too, on another attempt. */
export const allParts = '*';
