import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Ground truth and people's rulings, appended and never edited (product.md 3, "labels"). */
export const labels = pgTable(
  'labels',
  {
    projectId: text('project_id').notNull(),
    /** The client's id, or one of ours. */
    id: text('id').notNull(),
    /**
     * `outcome` (sent by the caller), `import` (a label of an imported row), `override` (a person's
     * verdict next to the machine's), `abstention` (a person looked and could not tell), `grade`
     * (stars, no ruling), `action` (what is done about the work, no ruling) or `undo` (takes
     * another row back).
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
    /**
     * The label in the rater's own words, where it is not yes or no; what a person has done about
     * the work.
     */
    value: text('value'),
    /**
     * A grade on the rater's own scale, and what was graded about the subject, where it is not the
     * whole.
     */
    points: doublePrecision('points'),
    dimension: text('dimension'),
    rater: text('rater'),
    source: text('source'),
    note: text('note'),
    /**
     * How the item was chosen (`own_choice`, `reported`, `imported`, `sample`, `queue`: put on the
     * desk for a reason of its own, `reused`), and with what probability; null where no one can
     * tell.
     */
    selection: text('selection'),
    probability: doublePrecision('probability'),
    /** The verifier's version that the verdict is of, `integrity@3`. */
    policyVersion: text('policy_version'),
    /**
     * The version of the verifier's policy that the label was given under; null where it had none.
     */
    policy: integer('policy'),
    /**
     * Given without sight of the verdict and of others' rulings: a vote. A ruling in sight of them
     * settles the item.
     */
    blind: boolean('blind').notNull().default(false),
    /**
     * SHA-256 of what was judged, without ids and times: equal content is ruled on once (`reused`).
     * Null where it was not read.
     */
    contentKey: text('content_key'),
    /**
     * MD5 of the verifier's slug and the verdict's excerpt: rulings on what may be equal are found
     * by it before any content is read.
     */
    excerptKey: text('excerpt_key'),
    /** The ruling on equal content that this one repeats. */
    reuses: text('reuses'),
    /** The desk's item that was ruled on. */
    reviewItemId: text('review_item_id'),
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
    index('labels_given')
      .on(table.projectId, table.id)
      .where(sql`kind in ('override', 'abstention', 'grade')`),
    index('labels_excerpt')
      .on(table.projectId, table.excerptKey)
      .where(sql`excerpt_key is not null`),
    index('labels_reused').on(table.projectId, table.reuses).where(sql`reuses is not null`),
  ],
);

/** The wording that labels of one verifier are given under; a change is the next version. */
export const labelPolicies = pgTable(
  'label_policies',
  {
    projectId: text('project_id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    version: integer('version').notNull(),
    /** Markdown. */
    body: text('body').notNull(),
    message: text('message').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.verifierSlug, table.version] })],
);

/**
 * How a project's desk is filled, a row a verifier; `verifier_slug` '' is for all that have none of
 * their own. No row means the defaults.
 */
export const reviewSettings = pgTable(
  'review_settings',
  {
    projectId: text('project_id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    /** Share of decided verdicts that is drawn at random, 0 to 1. */
    auditRate: doublePrecision('audit_rate').notNull(),
    /**
     * What that share has been, oldest first: `from` in seconds since 1970 by the database's clock.
     * A verdict is drawn by the share of the moment when it settled, whenever it is looked at.
     */
    auditRates: jsonb('audit_rates')
      .$type<readonly { readonly from: number; readonly rate: number }[]>()
      .notNull()
      .default([]),
    /** A score this near to its threshold is uncertain, as a share of the scale. */
    uncertainBand: doublePrecision('uncertain_band').notNull(),
    /** People who rule on an item before it is done. */
    raters: integer('raters').notNull(),
    /** Raters see neither the verdict nor each other's rulings before they have ruled. */
    blind: boolean('blind').notNull(),
    updatedBy: text('updated_by').notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.verifierSlug] })],
);

/**
 * How far a project's desk was filled, by the database's clock. Everything is looked at twice: at
 * once, and once more when no commit can still come.
 */
export const reviewCursors = pgTable('review_cursors', {
  projectId: text('project_id').primaryKey(),
  /**
   * Verdicts that settled before were never looked through, so none of them is drawn, not even
   * where something is reported of it.
   */
  beganAt: at('began_at').notNull(),
  /**
   * What the audit's lots are drawn with, made when the desk began and never told: who knew it
   * could show what will be drawn.
   */
  lotKey: text('lot_key').notNull(),
  /** Verdicts that settled and labels that came up to then were looked at once. */
  drawnTo: at('drawn_to').notNull(),
  /** And up to then again, after every transaction that could have stored one had ended. */
  settledTo: at('settled_to').notNull(),
});

/** Verdicts that a person is asked to look at, one row a verdict. */
export const reviewItems = pgTable(
  'review_items',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    verdictId: text('verdict_id').notNull(),
    kind: text('kind').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    verifierVersion: integer('verifier_version').notNull(),
    subjectId: text('subject_id').notNull(),
    /**
     * Why it is here, at least one: `must_see`, `contested`, `uncertain`, `disagreement`, `audit`.
     */
    queues: text('queues').array().notNull(),
    /** In a sentence, a line a queue that needs one. */
    reason: text('reason'),
    /** Greater comes first. */
    priority: doublePrecision('priority').notNull(),
    /** With what probability the audit drew it; null where it did not. */
    probability: doublePrecision('probability'),
    raters: integer('raters').notNull(),
    blind: boolean('blind').notNull(),
    /** Accounts that ruled or abstained, and did not take it back. */
    ruledBy: text('ruled_by').array().notNull().default(sql`'{}'`),
    state: text('state', { enum: ['open', 'done', 'withdrawn'] })
      .notNull()
      .default('open'),
    reservedBy: text('reserved_by'),
    /** By the database's clock; a reservation past it is no one's. */
    reservedUntil: at('reserved_until'),
    verdictAt: at('verdict_at').notNull(),
    drawnAt: at('drawn_at').notNull().defaultNow(),
    doneAt: at('done_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('review_items_verdict').on(table.projectId, table.verdictId),
    index('review_items_open')
      .on(table.projectId, table.priority, table.id)
      .where(sql`state = 'open'`),
    /**
     * What waits is counted in it alone; of what someone has said something, which is little, each
     * account takes off its own.
     */
    index('review_items_waiting')
      .on(table.projectId, table.verifierSlug, table.queues, table.blind)
      .where(sql`state = 'open'`),
    index('review_items_ruled')
      .on(table.projectId, table.id)
      .where(sql`state = 'open' and ruled_by <> '{}'`),
    index('review_items_beside')
      .on(table.projectId, table.verifierSlug, table.priority)
      .where(sql`state = 'open' and probability is null`),
    index('review_items_reserved')
      .on(table.projectId, table.reservedBy)
      .where(sql`state = 'open' and reserved_by is not null`),
    index('review_items_done').on(table.projectId, table.doneAt).where(sql`state = 'done'`),
    index('review_items_audit')
      .on(table.projectId, table.verifierSlug, table.verdictAt)
      .where(sql`probability is not null`),
  ],
);

/**
 * Labelled subjects that are frozen: judged again, they tell a judge that changed from traffic that
 * did (calibration.md 5.9).
 */
export const anchorSets = pgTable(
  'anchor_sets',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    name: text('name').notNull(),
    /** SHA-256 over ids, contents and truths of its items, hex. */
    fingerprint: text('fingerprint').notNull(),
    items: integer('items').notNull(),
    /** Five fields and an IANA zone; null: by hand only. */
    cron: text('cron'),
    zone: text('zone').notNull().default('UTC'),
    retiredAt: at('retired_at'),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('anchor_sets_verifier').on(table.projectId, table.verifierSlug),
  ],
);

export const anchorItems = pgTable(
  'anchor_items',
  {
    projectId: text('project_id').notNull(),
    setId: text('set_id').notNull(),
    ordinal: integer('ordinal').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    revision: integer('revision').notNull(),
    contentHash: text('content_hash').notNull(),
    excerpt: text('excerpt').notNull(),
    good: boolean('good').notNull(),
    policy: integer('policy').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.setId, table.ordinal] })],
);

/** One judging of a whole set; its id is its job's. */
export const anchorRuns = pgTable(
  'anchor_runs',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    setId: text('set_id').notNull(),
    verifierVersion: integer('verifier_version').notNull(),
    /**
     * Slugs with versions, as `prompt_version` of scores has them, and judges, as verdicts name
     * them; joined by ' + '.
     */
    prompts: text('prompts'),
    judge: text('judge'),
    /**
     * What was in force when it began, as `JudgedBy` of server/experiments/anchors; null for runs
     * of releases that did not note it.
     */
    setting: jsonb('setting'),
    startedAt: at('started_at').notNull().defaultNow(),
    endedAt: at('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('anchor_runs_set').on(table.projectId, table.setId, table.startedAt),
  ],
);

export const anchorResults = pgTable(
  'anchor_results',
  {
    projectId: text('project_id').notNull(),
    runId: text('run_id').notNull(),
    ordinal: integer('ordinal').notNull(),
    outcome: text('outcome').notNull(),
    verdict: text('verdict'),
    score: doublePrecision('score'),
    reason: text('reason'),
    judge: text('judge'),
    costUsd: doublePrecision('cost_usd').notNull(),
    at: at('at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.runId, table.ordinal] })],
);

/**
 * What trials of a prompt version on labelled subjects gave, a row a subject; the trial itself is a
 * job. They count into no measure, and no verdict is made of them.
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
     * What the other option gives, mostly the version in production: `stored` is the stored
     * verdict, `run` was judged for the trial, `same` where no judge was asked for the first
     * either. All null where there is no other option.
     */
    productionSource: text('production_source', { enum: ['stored', 'run', 'same'] }),
    productionOutcome: text('production_outcome'),
    productionVerdict: text('production_verdict'),
    productionScore: doublePrecision('production_score'),
    productionReason: text('production_reason'),
    productionJudge: text('production_judge'),
    /**
     * Of each alone, US dollars and milliseconds; null where they are not known, as of a verdict
     * that was taken over from equal work.
     */
    ownCostUsd: doublePrecision('own_cost_usd'),
    productionCostUsd: doublePrecision('production_cost_usd'),
    latencyMs: doublePrecision('latency_ms'),
    productionLatencyMs: doublePrecision('production_latency_ms'),
    /**
     * What the subject is a slice of, as `{by, value}`
     * (server/measures/report-input.ts).
     */
    slices: jsonb('slices')
      .$type<readonly { readonly by: string; readonly value: string }[]>()
      .notNull()
      .default([]),
    /** Of both runs together. */
    judgeCalls: integer('judge_calls').notNull().default(0),
    tokens: bigint('tokens', { mode: 'number' }).notNull().default(0),
    /** US dollars, of the calls whose price is known. */
    costUsd: doublePrecision('cost_usd').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.trialId, table.ordinal] })],
);
