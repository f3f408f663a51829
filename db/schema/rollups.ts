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
 * Counts by UTC day, verifier and model; `model` is '' where the turn names none. Written by the
 * statement that settles.
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
     * Of `passed` and `failed` what the model that did the work said of it itself; null: a
     * release that did not count it has written here.
     */
    selfPassed: bigint('self_passed', { mode: 'number' }),
    selfFailed: bigint('self_failed', { mode: 'number' }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.day, table.verifierSlug, table.model] }),
  ],
);

/**
 * What passed and failed, by all that a report can be narrowed to. Written by the statement that
 * settles, from the release on that has it: a verifier's days of which the sums are not those of
 * `verdict_rollups` are counted from the verdicts.
 */
export const verdictPopulations = pgTable(
  'verdict_populations',
  {
    projectId: text('project_id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    day: date('day').notNull(),
    version: integer('version').notNull(),
    /** That did the work, and that judged it; '' where none is named. */
    model: text('model').notNull(),
    judge: text('judge').notNull(),
    /** The model that did the work judged it. */
    self: boolean('self').notNull(),
    /**
     * `tier:large` of code, `complexity:simple` of a checkpoint (`populationPart`,
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

/** INT-23: how often models fail to answer in the envelope, and whether the re-prompt helps. */
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
 * How scores, costs and times of verdicts are spread, by UTC day, verifier and model: counts of
 * buckets whose ends are in a fixed ratio, so that a percentile is known to 2 % of its value.
 * Written by the statement that settles; all buckets in one row, since a row a bucket cost that a
 * third of its rate.
 */
export const verdictSpreads = pgTable(
  'verdict_spreads',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    model: text('model').notNull(),
    /**
     * `score` on the verifier's own scale, `failed_score` of those that failed, `cost` in US
     * dollars of judging, of what was judged, `wait` in milliseconds from due to settled.
     */
    measure: text('measure', { enum: ['score', 'failed_score', 'cost', 'wait'] }).notNull(),
    /** Counts by the number of the bucket. */
    counts: jsonb('counts').notNull().$type<Record<string, number>>(),
  },
  (table) => [
    primaryKey({
      columns: [table.projectId, table.day, table.verifierSlug, table.model, table.measure],
    }),
  ],
);
