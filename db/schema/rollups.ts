import {
  bigint,
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';

const count = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);

/**
 * Counts of verdicts by UTC day, verifier and model; `model` is '' if unknown. Written by the
 * settling statement.
 */
export const verdictRollups = pgTable(
  'verdict_rollups',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    model: text('model').notNull(),
    passed: count('passed'),
    failed: count('failed'),
    needsReview: count('needs_review'),
    steered: count('steered'),
    inconclusive: count('inconclusive'),
    skipped: count('skipped'),
    /**
     * The self-judged verdicts among `passed` and `failed`; null if written by a release that
     * did not count them.
     */
    selfPassed: bigint('self_passed', { mode: 'number' }),
    selfFailed: bigint('self_failed', { mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.day, table.verifierSlug, table.model] }),
  ],
);

/**
 * Passed and failed verdicts by every dimension that a report can filter. Written by the settling
 * statement. Earlier releases did not write this table: if the sums of a verifier's day differ from
 * `verdict_rollups`, the day is counted from the verdicts.
 */
export const verdictPopulations = pgTable(
  'verdict_populations',
  {
    projectId: text('project_id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    day: date('day').notNull(),
    version: integer('version').notNull(),
    /** The model that did the work, and the model that judged it; '' if there is none. */
    model: text('model').notNull(),
    judge: text('judge').notNull(),
    /** The model that did the work also judged it. */
    self: boolean('self').notNull(),
    /**
     * `tier:large` for code, `complexity:simple` for a checkpoint (`populationPart`,
     * server/verdicts/populations.ts), or ''.
     */
    part: text('part').notNull(),
    passed: count('passed'),
    failed: count('failed'),
  },
  (table) => [
    primaryKey({
      columns: [
        table.projectId,
        table.verifierSlug,
        table.day,
        table.version,
        table.model,
        table.judge,
        table.self,
        table.part,
      ],
    }),
  ],
);

/** INT-23: how often a model's answer has no valid envelope, and how often the re-prompt helps. */
export const integrityRollups = pgTable(
  'integrity_rollups',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    model: text('model').notNull(),
    answers: count('answers'),
    fallbackScans: count('fallback_scans'),
    figures: count('figures'),
    unsourced: count('unsourced'),
    reprompts: count('reprompts'),
    repromptsHelped: count('reprompts_helped'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day, table.model] })],
);

/**
 * Distributions of scores, costs and waiting times of verdicts by UTC day, verifier and model. They
 * are counts in buckets whose bounds have a fixed ratio, so that a percentile is accurate to 2%.
 * Written by the settling statement. All buckets are in one row, since one row per bucket reduced
 * the statement's throughput by a third.
 */
export const verdictSpreads = pgTable(
  'verdict_spreads',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    model: text('model').notNull(),
    /**
     * `score`: on the verifier's own scale. `failed_score`: the scores of failed verdicts. `cost`:
     * the cost of judging in US dollars, for judged verdicts. `wait`: milliseconds from becoming
     * available to settling.
     */
    measure: text('measure', { enum: ['score', 'failed_score', 'cost', 'wait'] }).notNull(),
    /** Counts by bucket number. */
    counts: jsonb('counts').notNull().$type<Record<string, number>>(),
  },
  (table) => [
    primaryKey({
      columns: [table.projectId, table.day, table.verifierSlug, table.model, table.measure],
    }),
  ],
);
