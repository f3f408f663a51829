import { sql } from 'drizzle-orm';
import { bigint, boolean, doublePrecision, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Ground truth and people's rulings, appended and never edited (product.md 3, "labels"). */
export const labels = pgTable(
  'labels',
  {
    projectId: text('project_id').notNull(),
    /** The client's id, or one of ours. */
    id: text('id').notNull(),
    /**
     * `outcome` (sent by the caller), `import` (a label of an imported row), `override` (a person's verdict beside the machine's),
     * `grade` (stars, no ruling), `action` (what is done about the work, no ruling) or `undo` (takes another row back).
     */
    kind: text('kind').notNull(),
    /** What it is about: a turn, another subject, or a verdict. */
    subjectId: text('subject_id').notNull(),
    verdictId: text('verdict_id'),
    verifierSlug: text('verifier_slug'),
    /** The verdict that the rater gives, in the verifier's own words. */
    verdict: text('verdict'),
    /** 1 to 5 (VS-48). */
    grade: integer('grade'),
    /** The row that this one takes back. */
    undoes: text('undoes'),
    /** Whether the subject was good, as far as the label says. */
    success: boolean('success'),
    score: doublePrecision('score'),
    /** The label in the rater's own words, where it is not yes or no; what a person has done about the work. */
    value: text('value'),
    rater: text('rater'),
    source: text('source'),
    note: text('note'),
    /** How the item was chosen (`own_choice`, `reported`, `imported`, `sample`), and with what probability; null where nobody can tell. */
    selection: text('selection'),
    probability: doublePrecision('probability'),
    policyVersion: text('policy_version'),
    /** SHA-256 of what was sent: the same id with other content is refused. */
    contentHash: text('content_hash').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('labels_subject').on(table.projectId, table.subjectId),
    index('labels_verdict').on(table.projectId, table.verdictId).where(sql`verdict_id is not null`),
    index('labels_undone').on(table.projectId, table.undoes).where(sql`undoes is not null`),
    index('labels_created').on(table.projectId, table.createdAt),
  ],
);

/**
 * What trials of a prompt version on labelled subjects gave, a row a subject; the trial itself is a job. They
 * count into no measure, and no verdict is made of them.
 */
export const promptTrialSubjects = pgTable(
  'prompt_trial_subjects',
  {
    projectId: text('project_id').notNull(),
    /** The id of its job. */
    trialId: text('trial_id').notNull(),
    /** The order in which they are judged. */
    ordinal: integer('ordinal').notNull(),
    subjectId: text('subject_id').notNull(),
    /** The stored verdict of the subject; null where it has none. */
    verdictId: text('verdict_id'),
    excerpt: text('excerpt').notNull(),
    /** The truth when the trial began, and the kind of label that it came from. */
    good: boolean('good').notNull(),
    truthOf: text('truth_of').notNull(),
    /** When it was judged; null while it waits. */
    triedAt: at('tried_at'),
    /** What the version that is tried gives. */
    outcome: text('outcome'),
    verdict: text('verdict'),
    score: doublePrecision('score'),
    reason: text('reason'),
    judgeModel: text('judge_model'),
    /**
     * What the version in production gives: `stored` is the stored verdict, `run` was judged for the trial, `same` where no judge was
     * asked for the first either. All null where the version that is tried is the one in production.
     */
    productionSource: text('production_source', { enum: ['stored', 'run', 'same'] }),
    productionOutcome: text('production_outcome'),
    productionVerdict: text('production_verdict'),
    productionScore: doublePrecision('production_score'),
    productionReason: text('production_reason'),
    /** Of both runs together. */
    judgeCalls: integer('judge_calls').notNull().default(0),
    tokens: bigint('tokens', { mode: 'number' }).notNull().default(0),
    /** US dollars, of the calls whose price is known. */
    costUsd: doublePrecision('cost_usd').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.trialId, table.ordinal] })],
);
