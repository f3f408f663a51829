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

/** Ground truth and human rulings; append-only (product.md 3, "labels"). */
export const labels = pgTable(
  'labels',
  {
    projectId: text('project_id').notNull(),
    /** The client's id, or a generated one. */
    id: text('id').notNull(),
    /**
     * `outcome` (sent by the caller), `import` (a label of an imported row), `override` (a person's
     * own verdict), `abstention` (a person could not decide), `grade` (stars without a ruling),
     * `action` (a person's action on the work without a ruling) or `undo` (undoes another row).
     */
    kind: text('kind').notNull(),
    /** The labelled object: a turn, another subject, or a verdict. */
    subjectId: text('subject_id').notNull(),
    verdictId: text('verdict_id'),
    verifierSlug: text('verifier_slug'),
    /** The rater's verdict, in the verifier's own words. */
    verdict: text('verdict'),
    /** 1 to 5 (VS-48). */
    grade: integer('grade'),
    /** The row that this one undoes. */
    undoes: text('undoes'),
    /** Whether the subject was good, according to the label. */
    success: boolean('success'),
    score: doublePrecision('score'),
    /** The label in the rater's own words, unless it is yes or no; for `action`, the action. */
    value: text('value'),
    /**
     * A grade on the rater's own scale, and the graded aspect of the subject; `dimension` is null
     * if the whole subject was graded.
     */
    points: doublePrecision('points'),
    dimension: text('dimension'),
    rater: text('rater'),
    source: text('source'),
    note: text('note'),
    /**
     * How the item was selected (`own_choice`, `reported`, `imported`, `sample`, `reused`, or
     * `queue`: enqueued for review for a reason other than the sample), and its probability; null
     * if unknown.
     */
    selection: text('selection'),
    probability: doublePrecision('probability'),
    /** The verifier version that made the verdict, for example `integrity@3`. */
    policyVersion: text('policy_version'),
    /**
     * The version of the verifier's label policy at the time of the label; null if there was none.
     */
    policy: integer('policy'),
    /**
     * A vote: the rater did not see the verdict or others' rulings. A ruling by someone who saw
     * them decides the item.
     */
    blind: boolean('blind').notNull().default(false),
    /**
     * SHA-256 of the judged content without ids and times, so that equal content needs only one
     * ruling (`reused`). Null if the content was not read.
     */
    contentKey: text('content_key'),
    /**
     * MD5 of the verifier's slug and the verdict's excerpt, to find rulings on possibly equal
     * content without reading any content.
     */
    excerptKey: text('excerpt_key'),
    /** The ruling on equal content that this one repeats. */
    reuses: text('reuses'),
    /** The review item that was ruled on. */
    reviewItemId: text('review_item_id'),
    /** SHA-256 of the request: a repeated id with other content is refused. */
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

/** The instructions for raters of a verifier; a change creates the next version. */
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
 * Settings of a project's review queue, one row per verifier; `verifier_slug` '' applies to all
 * verifiers without their own row. Without a row the defaults apply.
 */
export const reviewSettings = pgTable(
  'review_settings',
  {
    projectId: text('project_id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    /** The share of decided verdicts that is drawn at random, 0 to 1. */
    auditRate: doublePrecision('audit_rate').notNull(),
    /**
     * The history of that share, oldest first; `from` is in seconds since 1970 by the database's
     * clock. A verdict is drawn at the share that applied when it settled, no matter when it is
     * read.
     */
    auditRates: jsonb('audit_rates')
      .$type<readonly { readonly from: number; readonly rate: number }[]>()
      .notNull()
      .default([]),
    /** A score within this distance of its threshold is uncertain, as a share of the scale. */
    uncertainBand: doublePrecision('uncertain_band').notNull(),
    /** Number of people who must rule on an item. */
    raters: integer('raters').notNull(),
    /** Raters see neither the verdict nor others' rulings before they have ruled. */
    blind: boolean('blind').notNull(),
    updatedBy: text('updated_by').notNull(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.verifierSlug] })],
);

/**
 * The time up to which a project's review queue was filled, by the database's clock. Everything is
 * read twice: immediately, and again once no earlier transaction can still commit.
 */
export const reviewCursors = pgTable('review_cursors', {
  projectId: text('project_id').primaryKey(),
  /**
   * Verdicts settled before this time were never read, so none of them is drawn, even if a report
   * enqueues it.
   */
  beganAt: at('began_at').notNull(),
  /**
   * The secret key of the audit's random draws, generated with the queue. Anyone who knows it can
   * predict every draw.
   */
  lotKey: text('lot_key').notNull(),
  /** Verdicts settled and labels stored up to this time were read once. */
  drawnTo: at('drawn_to').notNull(),
  /**
   * They were reread up to this time, after every transaction that could have stored one had
   * finished.
   */
  settledTo: at('settled_to').notNull(),
});

/** Verdicts for review by people, one row per verdict. */
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
     * The reasons for review, at least one: `must_see`, `contested`, `uncertain`, `disagreement`,
     * `audit`.
     */
    queues: text('queues').array().notNull(),
    /** The reasons as sentences, one line per queue that needs one. */
    reason: text('reason'),
    /** Higher priorities come first. */
    priority: doublePrecision('priority').notNull(),
    /** The probability with which the audit drew it; null if the audit did not draw it. */
    probability: doublePrecision('probability'),
    raters: integer('raters').notNull(),
    blind: boolean('blind').notNull(),
    /** The raters who ruled or abstained, unless undone. */
    ruledBy: text('ruled_by').array().notNull().default(sql`'{}'`),
    state: text('state', { enum: ['open', 'done', 'withdrawn'] })
      .notNull()
      .default('open'),
    reservedBy: text('reserved_by'),
    reservedUntil: at('reserved_until'),
    /** The account that should rule on it; null if none. Others may rule on it too. */
    assignedTo: text('assigned_to'),
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
     * Open items are counted by an index-only scan of this index; the few items that an account has
     * ruled on are subtracted.
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
    index('review_items_assigned')
      .on(table.projectId, table.assignedTo, table.priority, table.id)
      .where(sql`state = 'open' and assigned_to is not null`),
    index('review_items_done').on(table.projectId, table.doneAt).where(sql`state = 'done'`),
    index('review_items_audit')
      .on(table.projectId, table.verifierSlug, table.verdictAt)
      .where(sql`probability is not null`),
  ],
);

/**
 * Frozen labelled subjects. Judging them again separates a change in the judge from a change in the
 * traffic (calibration.md 5.9).
 */
export const anchorSets = pgTable(
  'anchor_sets',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    name: text('name').notNull(),
    /** The hex SHA-256 of the ids, contents and truths of its items. */
    fingerprint: text('fingerprint').notNull(),
    items: integer('items').notNull(),
    /**
     * A cron expression with five fields, and an IANA time zone; null if the set is only judged
     * manually.
     */
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

/** One run over a whole set; its id is that of its job. */
export const anchorRuns = pgTable(
  'anchor_runs',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    setId: text('set_id').notNull(),
    verifierVersion: integer('verifier_version').notNull(),
    /**
     * Prompt slugs with versions, like `prompt_version` of scores, and judges as named in verdicts,
     * each joined by ' + '.
     */
    prompts: text('prompts'),
    judge: text('judge'),
    /**
     * The settings when the run began (`JudgedBy` in server/experiments/anchors); null for runs of
     * releases that did not record them.
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
 * Results of trials of a prompt version on labelled subjects, one row per subject; the trial itself
 * is a job. They count in no metric and produce no verdict.
 */
export const promptTrialSubjects = pgTable(
  'prompt_trial_subjects',
  {
    projectId: text('project_id').notNull(),
    /** The id of its job. */
    trialId: text('trial_id').notNull(),
    /** The order in which subjects are judged. */
    ordinal: integer('ordinal').notNull(),
    subjectId: text('subject_id').notNull(),
    /** The stored verdict of the subject; null if it has none. */
    verdictId: text('verdict_id'),
    excerpt: text('excerpt').notNull(),
    /** The truth when the trial began, and the kind of label from which it came. */
    good: boolean('good').notNull(),
    truthOf: text('truth_of').notNull(),
    /** When it was judged; null while it is pending. */
    triedAt: at('tried_at'),
    /** The result of the tried version. */
    outcome: text('outcome'),
    verdict: text('verdict'),
    score: doublePrecision('score'),
    reason: text('reason'),
    judgeModel: text('judge_model'),
    /**
     * The result of the other option, usually the production version: `stored` is the stored
     * verdict, `run` was judged for the trial, and `same` means that no judge was called for the
     * tried version either. All null if there is no other option.
     */
    productionSource: text('production_source', { enum: ['stored', 'run', 'same'] }),
    productionOutcome: text('production_outcome'),
    productionVerdict: text('production_verdict'),
    productionScore: doublePrecision('production_score'),
    productionReason: text('production_reason'),
    productionJudge: text('production_judge'),
    /**
     * The cost and latency of each option, in US dollars and milliseconds; null if unknown, as for
     * a verdict that was reused from equal work.
     */
    ownCostUsd: doublePrecision('own_cost_usd'),
    productionCostUsd: doublePrecision('production_cost_usd'),
    latencyMs: doublePrecision('latency_ms'),
    productionLatencyMs: doublePrecision('production_latency_ms'),
    /** The slices of the subject, as `{by, value}` (server/measures/report-input.ts). */
    slices: jsonb('slices')
      .$type<readonly { readonly by: string; readonly value: string }[]>()
      .notNull()
      .default([]),
    /** The calls of both options together. */
    judgeCalls: integer('judge_calls').notNull().default(0),
    tokens: bigint('tokens', { mode: 'number' }).notNull().default(0),
    /** US dollars, of the calls with a known price. */
    costUsd: doublePrecision('cost_usd').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.trialId, table.ordinal] })],
);
