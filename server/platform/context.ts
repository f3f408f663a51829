import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import type { Clock } from './clock';
import type { Env } from './env';
import type { Logger } from './log';

export type Database = PostgresJsDatabase<Record<string, never>>;

/** What every verb is on: passed in, never imported, so that a test gives its own. */
export interface Ctx {
  /** Plain SQL, for the statements whose shape is the point. Timestamps come back as strings. */
  readonly sql: Sql;
  /** The same connections through drizzle. */
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly env: Env;
  /** Of the subject in hand; absent in a thread that has no budget. */
  readonly budget?: Budget;
}

/**
 * Processor time of a request or subject, kept by whoever runs it in a thread of the pool.
 */
export interface Budget {
  /**
   * A subject begins: processor time counts from here, and over budget it is named. Plain data, 2
   * KiB of JSON.
   */
  begin(subject: unknown): void;
  /** What runs now, for people: named where it uses up the budget. */
  enter(part: string): void;
  /**
   * The part that used up the budget in an earlier run: it fails, and so does what comes after it.
   * Null: none did.
   */
  readonly spent: string | null;
}

/** As `spent`: the parts before the one that used up the budget did so too, on another try. */
export const allParts = '*';
