import { bigint, date, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const count = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);

/**
 * Counts of verdicts by the UTC hour in which they settled. Written by the settling statement;
 * releases before this table did not count.
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
 * Results of the gateway's verifier by UTC day: the outcomes of steering notes (`efficacyOf`), and
 * how long answers were buffered. Written by the statement that stores the rows of calls; excludes
 * calls without a row, and calls of releases before this table.
 */
export const gatewayDays = pgTable(
  'gateway_days',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    /** Applied steering notes, by the result of the recheck. */
    fixed: count('fixed'),
    notFixed: count('not_fixed'),
    worse: count('worse'),
    unknown: count('unknown'),
    /**
     * Notes that were withheld to measure the effect of steering, and notes that were not
     * delivered.
     */
    withheld: count('withheld'),
    undelivered: count('undelivered'),
    /**
     * How many milliseconds answers were buffered after their last byte, counted by bucket as in
     * `verdict_spreads`.
     */
    held: jsonb('held').notNull().default({}).$type<Record<string, number>>(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day] })],
);

/** How many values masking replaced, by UTC day and type: a type of personal data, or `masked`. */
export const maskedValues = pgTable(
  'masked_values',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    type: text('type').notNull(),
    replaced: count('replaced'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day, table.type] })],
);
