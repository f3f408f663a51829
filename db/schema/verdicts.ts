import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
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
import { complexities } from '../../server/domain';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
/**
 * Kinds whose verdicts are the checkpoints of a pipeline; queries that use these indexes repeat the
 * condition literally.
 */
const ofCheckpoints = sql`kind in ('decomposition', 'agent-output', 'synthesis')`;
/**
 * Repeated work: a caller's retry, or a repair of code, which counts its own;
 * `server/measures` repeats the condition literally.
 */
const ofRetries = sql`(retries_used > 0 or (kind = 'code' and detail #> '{repair,iteration}' > '0'))`;
/**
 * The pipeline of a row; null if it belongs to none. Not `coalesce`, which PostgreSQL does not
 * consider leakproof: under row-level security it would use no index on it.
 */
const pipelineOf = ({
  traceId,
  sessionId,
}: {
  readonly traceId: AnyPgColumn;
  readonly sessionId: AnyPgColumn;
}) => sql`(case when ${traceId} is null then ${sessionId} else ${traceId} end)`;
/**
 * A verifier's config never changes: a change is the next version, so that a verdict always names
 * the config that decided it.
 */
export const verifierVersions = pgTable(
  'verifier_versions',
  {
    projectId: text('project_id').notNull(),
    slug: text('slug').notNull(),
    version: integer('version').notNull(),
    kind: text('kind').notNull(),
    config: jsonb('config').notNull().$type<Record<string, unknown>>(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.slug, table.version] })],
);

/** Project settings that are not part of a verifier's config. Without a row the defaults apply. */
export const projectSettings = pgTable('project_settings', {
  projectId: text('project_id').primaryKey(),
  integrityEnabled: boolean('integrity_enabled').notNull().default(true),
  /** A model spec, `provider:model?temperature=0`; null: the first provider that may judge. */
  defaultJudge: text('default_judge'),
  /** Model specs that judge together; empty: one judge. */
  jury: jsonb('jury').notNull().default([]).$type<string[]>(),
  /** Cheaper work is not judged (VS-39). */
  bypassBelowUsd: doublePrecision('bypass_below_usd').notNull().default(0.1),
  /** Maximum cost of judging, as a share of the work's cost (VS-38). */
  costBudgetShare: doublePrecision('cost_budget_share').notNull().default(0.3),
  retries: integer('retries').notNull().default(2),
  /** A session or mission without a turn for this long is verified as it is. */
  sessionIdleSeconds: integer('session_idle_seconds').notNull().default(1800),
  neutralProof: text('neutral_proof', { enum: ['literal', 'rescale'] })
    .notNull()
    .default('literal'),
  semanticJudge: boolean('semantic_judge').notNull().default(false),
  /**
   * Whether a prompt or judge needs a trial that it did not lose, and another person's approval,
   * before it is used in production.
   */
  promotionGate: text('promotion_gate', { enum: ['advise', 'require'] })
    .notNull()
    .default('advise'),
  updatedAt: at('updated_at').notNull().defaultNow(),
});

/** Settings of one mission, instead of the project's. Without a row it has none of its own. */
export const missionSettings = pgTable(
  'mission_settings',
  {
    projectId: text('project_id').notNull(),
    missionId: text('mission_id').notNull(),
    /** A model spec, instead of the project's default judge (VS-33). */
    judge: text('judge'),
    /**
     * US dollars of work and judging above which a person reviews every further verdict (VS-45).
     */
    reviewAboveUsd: doublePrecision('review_above_usd'),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.missionId] })],
);

/** Decisions; append-only. One for each subject revision and verifier version. */
export const verdicts = pgTable(
  'verdicts',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    kind: text('kind').notNull(),
    verifierSlug: text('verifier_slug').notNull(),
    verifierVersion: integer('verifier_version').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    revision: integer('revision').notNull(),
    turnId: text('turn_id'),
    traceId: text('trace_id'),
    sessionId: text('session_id'),
    model: text('model'),
    clientId: text('client_id'),
    /** The rule that sent the subject here, or null for a verify call. */
    rule: text('rule'),
    outcome: text('outcome').notNull(),
    verdict: text('verdict'),
    action: text('action').notNull(),
    score: doublePrecision('score'),
    confidence: doublePrecision('confidence'),
    needsHumanReview: boolean('needs_human_review').notNull(),
    decisionState: text('decision_state').notNull(),
    decisionReason: text('decision_reason'),
    issues: jsonb('issues').notNull(),
    feedback: text('feedback'),
    missionId: text('mission_id'),
    taskId: text('task_id'),
    /**
     * The threshold that decided, its source, and its version; null for kinds without one.
     */
    thresholdValue: doublePrecision('threshold_value'),
    thresholdSource: text('threshold_source'),
    thresholdVersion: integer('threshold_version'),
    retriesUsed: integer('retries_used'),
    retriesBudget: integer('retries_budget'),
    judgeCalls: integer('judge_calls').notNull().default(0),
    judgeModel: text('judge_model'),
    crossModel: text('cross_model'),
    costUsd: doublePrecision('cost_usd').notNull().default(0),
    /** The price of some call was unknown: `cost_usd` is a lower bound of the cost of judging. */
    priceUnknown: boolean('price_unknown').notNull().default(false),
    tokens: bigint('tokens', { mode: 'number' }).notNull().default(0),
    /** Of the cost of the judged work; null if that is unknown. */
    shareOfTask: doublePrecision('share_of_task'),
    overBudget: boolean('over_budget').notNull().default(false),
    /** Fields specific to the kind, in the API's format. */
    detail: jsonb('detail').notNull(),
    /**
     * The basis of the decision apart from its thresholds, so that it can be repeated under others;
     * null for kinds that compare nothing.
     */
    basis: jsonb('basis'),
    excerpt: text('excerpt').notNull(),
    /** The verifier judged a later revision of the subject: kept, and in no rate. */
    superseded: boolean('superseded').notNull().default(false),
    createdAt: at('created_at').notNull(),
    settledAt: at('settled_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex('verdicts_subject').on(
      table.projectId,
      table.subjectKind,
      table.subjectId,
      table.revision,
      table.verifierSlug,
      table.verifierVersion,
    ),
    index('verdicts_settled').on(table.projectId, table.settledAt, table.id),
    index('verdicts_listed').on(
      table.projectId,
      table.verifierSlug,
      table.model,
      table.outcome,
      table.settledAt,
      table.id,
    ),
    index('verdicts_judged')
      .on(table.projectId, table.verifierSlug, table.settledAt, table.id)
      .where(sql`subject_kind <> 'turn'`),
    index('verdicts_code_session')
      .on(table.projectId, table.sessionId, table.createdAt)
      .where(sql`kind = 'code'`),
    index('verdicts_code')
      .on(table.projectId, table.model, table.settledAt, table.id)
      .where(sql`kind = 'code'`),
    index('verdicts_pipeline')
      .on(table.projectId, pipelineOf(table), table.createdAt)
      .where(ofCheckpoints),
    index('verdicts_checkpoints').on(table.projectId, table.settledAt).where(ofCheckpoints),
    index('verdicts_mission')
      .on(table.projectId, table.missionId, table.verifierSlug, table.settledAt)
      .where(sql`mission_id is not null`),
    // Both cover every column of their queries, counting retries and the pass rates of sessions:
    // otherwise the table's rows are read one by one.
    index('verdicts_decided')
      .on(
        table.projectId,
        table.verifierSlug,
        table.settledAt,
        table.outcome,
        table.sessionId,
        table.subjectId,
        table.model,
        table.crossModel,
        table.verifierVersion,
      )
      .where(sql`outcome in ('passed', 'failed')`),
    index('verdicts_retried')
      .on(
        table.projectId,
        table.verifierSlug,
        table.settledAt,
        table.subjectKind,
        table.subjectId,
        table.revision,
        table.verifierVersion,
        table.outcome,
        table.verdict,
        table.crossModel,
        table.judgeModel,
        table.sessionId,
      )
      .where(ofRetries),
  ],
);

/**
 * Measurements; append-only. Only those with `state` scored have a value; unscored and failed have
 * none.
 */
export const scores = pgTable(
  'scores',
  {
    projectId: text('project_id').notNull(),
    verdictId: text('verdict_id').notNull(),
    ordinal: integer('ordinal').notNull(),
    name: text('name').notNull(),
    evaluator: text('evaluator').notNull(),
    state: text('state', { enum: ['scored', 'unscored', 'failed'] }).notNull(),
    value: doublePrecision('value'),
    met: boolean('met'),
    mustPass: boolean('must_pass').notNull(),
    weight: doublePrecision('weight').notNull(),
    reasoning: text('reasoning'),
    evidence: jsonb('evidence').notNull(),
    model: text('model'),
    promptVersion: text('prompt_version'),
    costUsd: doublePrecision('cost_usd').notNull(),
    latencyMs: doublePrecision('latency_ms').notNull(),
    cached: boolean('cached').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.verdictId, table.ordinal] })],
);

/**
 * Subjects submitted by callers other than turns: a task's output, outputs to be compared, a
 * mission.
 */
export const subjects = pgTable(
  'subjects',
  {
    projectId: text('project_id').notNull(),
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    revision: integer('revision').notNull().default(1),
    /** Its JSON text as sent, after validation. */
    content: text('content').notNull(),
    /** SHA-256 of `content`, hex. */
    contentHash: text('content_hash').notNull(),
    clientId: text('client_id'),
    missionId: text('mission_id'),
    taskId: text('task_id'),
    sessionId: text('session_id'),
    traceId: text('trace_id'),
    /** The turn that a rule's subject was read from; null for every other subject. */
    turnId: text('turn_id'),
    /** The model that did the work. */
    model: text('model'),
    /** Of the work, not of judging it. */
    costUsd: doublePrecision('cost_usd'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.kind, table.id] }),
    uniqueIndex('subjects_client')
      .on(table.projectId, table.kind, table.clientId)
      .where(sql`client_id is not null`),
    index('subjects_created').on(table.projectId, table.kind, table.createdAt),
    index('subjects_mission')
      .on(table.projectId, table.missionId)
      .where(sql`mission_id is not null`),
    index('subjects_pipeline')
      .on(table.projectId, pipelineOf(table), table.createdAt)
      .where(ofCheckpoints),
  ],
);

/**
 * Pipelines of checkpoint calls, or of an imported file. Their decisions are in the verdicts with
 * the same trace, or the same session if they name no trace.
 */
export const pipelines = pgTable(
  'pipelines',
  {
    projectId: text('project_id').notNull(),
    /** The trace's id, or the session's if the calls name no trace. */
    id: text('id').notNull(),
    /** The request, its first 2,000 characters; null if no call has sent it yet. */
    query: text('query'),
    complexity: text('complexity', { enum: complexities }),
    traceId: text('trace_id'),
    sessionId: text('session_id'),
    origin: text('origin', { enum: ['checkpoints', 'import'] }).notNull(),
    startedAt: at('started_at').notNull().defaultNow(),
    lastAt: at('last_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('pipelines_last').on(table.projectId, table.lastAt, table.id),
  ],
);

/** VS-46: events of the verifications of a mission; append-only. */
export const missionEvents = pgTable(
  'mission_events',
  {
    projectId: text('project_id').notNull(),
    missionId: text('mission_id').notNull(),
    id: text('id').notNull(),
    taskId: text('task_id'),
    event: text('event', {
      enum: ['started', 'completed', 'failed', 'human_review_requested', 'skipped', 'over_budget'],
    }).notNull(),
    verdictId: text('verdict_id').notNull(),
    score: doublePrecision('score'),
    status: text('status'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.missionId, table.id] })],
);

/**
 * VS-43: results of judging the same output, criteria, prompt, model and thresholds. Never contains
 * inconclusive results.
 */
export const judgeCache = pgTable(
  'judge_cache',
  {
    projectId: text('project_id').notNull(),
    key: text('key').notNull(),
    value: jsonb('value').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.key] }),
    index('judge_cache_created').on(table.createdAt),
  ],
);
