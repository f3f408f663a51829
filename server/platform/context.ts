import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { Sql } from 'postgres';
import type { Clock } from './clock';
import type { Env } from './env';
import type { Logger } from './log';

export type Database = PostgresJsDatabase<Record<string, never>>;

/** What every verb stands on: passed in, never imported, so that a test gives its own. */
export interface Ctx {
  /** Plain SQL, for the statements whose shape is the point. Timestamps come back as strings. */
  readonly sql: Sql;
  /** The same connections through drizzle. */
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly env: Env;
}
