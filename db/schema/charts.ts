import { bigint, date, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const count = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);

/**
 * Counts of verdicts by the UTC hour in which they settled. Written by the statement that settles,
 * from the release on that has it.
 */
export const verdictHours = pgTable(
  'verdict_hours',
  {
    projectId: text('project_id').notNull(),
    hour: timestamp('hour', { withTimezone: true, mode: 'date' }).notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    passed: count('passed'),
    failed: count('failed'),
    needsReview: count('needs_review'),
    steered: count('steered'),
    inconclusive: count('inconclusive'),
    skipped: count('skipped'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.hour, table.verifierSlug] })],
);

/**
 * What the gateway's verifier did, by UTC day: how steers came out (`efficacyOf`), and how long
 * answers were held. Written by the statement that stores the rows of calls, from the release on
 * that has it, and so without the calls that left no row.
 */
export const gatewayDays = pgTable(
  'gateway_days',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    /** Steers that were applied, by what their second look found. */
    fixed: count('fixed'),
    notFixed: count('not_fixed'),
    worse: count('worse'),
    unknown: count('unknown'),
    /** Notes that were withheld to measure what steering does, and notes that reached no one. */
    withheld: count('withheld'),
    undelivered: count('undelivered'),
    /**
     * Milliseconds that answers were held after their last byte, counted by bucket as in
     * `verdict_spreads`.
     */
    held: jsonb('held').notNull().default({}).$type<Record<string, number>>(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day] })],
);
