import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  numeric,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const count = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);
const weight = (name: string) => doublePrecision(name).notNull().default(0);
const exact = (name: string) => numeric(name).notNull().default('0');

/**
 * Labelled verdicts: the result of a verifier or an imported judge next to the truth. One row per
 * verdict or imported measurement with truth, a ruling, or a place in the audit sample. Derived
 * from verdicts and labels by one relation, and recomputed whenever one of them changes.
 */
export const labelledVerdicts = pgTable(
  'judgements',
  {
    projectId: text('project_id').notNull(),
    origin: text('origin', { enum: ['verifier', 'imported'] }).notNull(),
    /** Of the verdict, or of the imported measurement. */
    id: text('id').notNull(),
    /** The verifier's slug, or the imported judge's name. */
    slug: text('slug').notNull(),
    /** `slug`, or `slug:self` for self-judged work. */
    series: text('series').notNull(),
    version: integer('version').notNull(),
    kind: text('kind').notNull(),
    at: at('at').notNull(),
    /** UTC day of `at`. */
    day: date('day').notNull(),
    subjectId: text('subject_id').notNull(),
    verdictId: text('verdict_id'),
    turnId: text('turn_id'),
    sessionId: text('session_id'),
    /** The model that did the work; '' if unknown. */
    model: text('model').notNull(),
    /** The model that judged; '' if none did. */
    judge: text('judge').notNull(),
    missionId: text('mission_id'),
    complexity: text('complexity'),
    tier: text('tier'),
    machine: text('machine', { enum: ['failed', 'passed'] }),
    word: text('word').notNull(),
    /** The score on the verifier's own scale, and the threshold it was compared with. */
    score: doublePrecision('score'),
    threshold: doublePrecision('threshold'),
    confidence: doublePrecision('confidence'),
    costUsd: doublePrecision('cost_usd').notNull(),
    excerpt: text('excerpt').notNull(),
    good: boolean('good'),
    truthOf: text('truth_of', { enum: ['override', 'outcome', 'import'] }),
    rater: text('rater'),
    /**
     * How the item of the ruling that is the truth was selected, for a repeat that of the original
     * ruling (`labels.selection`); null if the truth is not a ruling.
     */
    selection: text('selection'),
    /** Blind votes disagree, and no one has decided. */
    contested: boolean('contested').notNull(),
    /** Version of the policy under which the truth was given; 0 if there was none. */
    policy: integer('policy').notNull(),
    overruled: boolean('overruled'),
    /** Of the latest ruling that counts. */
    account: text('account'),
    ruledAt: at('ruled_at'),
    /** The latest grade that was not undone, 1 to 5. */
    grade: integer('grade'),
    /** The probability of its item's random draw; null if it was not drawn. */
    probability: doublePrecision('probability'),
    unread: boolean('unread').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.origin, table.id] }),
    index('judgements_series').on(table.projectId, table.origin, table.series, table.at, table.id),
    index('judgements_subject').on(table.projectId, table.subjectId),
    index('judgements_verdict')
      .on(table.projectId, table.verdictId)
      .where(sql`verdict_id is not null`),
  ],
);

/**
 * Counts of `judgements` by UTC day; written by the statement that writes those. The sample's four
 * cells count rows that the audit drew and that were ruled on for it, with the sums of 1 /
 * probability and of its square, each rounded to a power of two (`weightOf`,
 * server/measures/sampled.ts), so that adding and subtracting leaves no remainder.
 */
export const labelledVerdictRollups = pgTable(
  'judgement_rollups',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    origin: text('origin', { enum: ['verifier', 'imported'] }).notNull(),
    slug: text('slug').notNull(),
    series: text('series').notNull(),
    version: integer('version').notNull(),
    model: text('model').notNull(),
    judge: text('judge').notNull(),
    policy: integer('policy').notNull(),
    caught: count('caught'),
    missed: count('missed'),
    rejected: count('rejected'),
    passed: count('passed'),
    undecided: count('undecided'),
    unparseable: count('unparseable'),
    contested: count('contested'),
    ruled: count('ruled'),
    overruled: count('overruled'),
    decided: count('decided'),
    passes: count('passes'),
    /** Decided, with truth by a ruling on an item that a queue selected by its verdict. */
    queued: count('queued'),
    sampleCaught: count('sample_caught'),
    sampleMissed: count('sample_missed'),
    sampleRejected: count('sample_rejected'),
    samplePassed: count('sample_passed'),
    /** All decided and drawn ones, labelled or not. */
    sampleDrawn: count('sample_drawn'),
    weightCaught: weight('weight_caught'),
    weightMissed: weight('weight_missed'),
    weightRejected: weight('weight_rejected'),
    weightPassed: weight('weight_passed'),
    weightDrawn: weight('weight_drawn'),
    squareCaught: weight('square_caught'),
    squareMissed: weight('square_missed'),
    squareRejected: weight('square_rejected'),
    squarePassed: weight('square_passed'),
    squareDrawn: weight('square_drawn'),
    /**
     * Rows with truth and a score, the good ones among them, and sums of their scores, rounded to 4
     * decimals (SOAR-33).
     */
    pairs: count('pairs'),
    goodPairs: count('good_pairs'),
    scoreSum: exact('score_sum'),
    goodScoreSum: exact('good_score_sum'),
    scoreSquare: exact('score_square'),
  },
  (table) => [
    primaryKey({
      columns: [
        table.projectId,
        table.day,
        table.origin,
        table.series,
        table.version,
        table.model,
        table.judge,
        table.policy,
        table.slug,
      ],
    }),
  ],
);

/**
 * How often each account ruled, and how often it overruled the verifier, over all time (S-35);
 * written with `judgement_rollups`.
 */
export const labelledVerdictAccounts = pgTable(
  'judgement_accounts',
  {
    projectId: text('project_id').notNull(),
    slug: text('slug').notNull(),
    account: text('account').notNull(),
    ruled: count('ruled'),
    overruled: count('overruled'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.slug, table.account] })],
);

/**
 * The refresh queue: subjects whose labelled verdicts must be recomputed. Written by every writer
 * of a label or a sample draw, and on settling a verdict of a labelled subject. Deleted once
 * recomputed.
 */
export const refreshQueue = pgTable(
  'judgement_dues',
  {
    projectId: text('project_id').notNull(),
    subjectId: text('subject_id').notNull(),
    /**
     * By the database's clock: immediately, and once more after the longest statement that could
     * not see the label.
     */
    nextRunAt: at('due_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.subjectId, table.nextRunAt] }),
    index('judgement_dues_due').on(table.projectId, table.nextRunAt),
  ],
);
