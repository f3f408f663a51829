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
 * The kinds whose verdicts are the checkpoints of a pipeline. Queries must repeat this condition
 * literally to use the partial indexes.
 */
const ofCheckpoints = sql`kind in ('decomposition', 'agent-output', 'synthesis')`;
/**
 * Repeated work: a caller's retry, or a repair of code, which has its own count.
 * `server/measures` must repeat this condition literally.
 */
const ofRetries = sql`(retries_used > 0 or (kind = 'code' and detail #> '{repair,iteration}' > '0'))`;
/**
 * The pipeline id of a row; null if it belongs to none. Does not use `coalesce`, which PostgreSQL
 * does not consider leakproof: under row-level security it could not use an index on it.
 */
const pipelineOf = ({
  traceId,
  sessionId,
}: {
  readonly traceId: AnyPgColumn;
  readonly sessionId: AnyPgColumn;
}) => sql`(case when ${traceId} is null then ${sessionId} else ${traceId} end)`;
/**
 * Verifier configs are immutable: a change creates the next version, so that a verdict always
 * refers to the config that decided it.
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
/** The verifiers that a project defined itself; their definitions are in `verifier_versions`. */
export const verifiers = pgTable(
  'verifiers',
  {
    projectId: text('project_id').notNull(),
    slug: text('slug').notNull(),
    /** The kind's name; it never changes. */
    kind: text('kind').notNull(),
    archivedAt: at('archived_at'),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.slug] })],
);

export const projectSettings = pgTable('project_settings', {
  projectId: text('project_id').primaryKey(),
  integrityEnabled: boolean('integrity_enabled').notNull().default(true),
  /**
   * A model spec such as `provider:model?temperature=0`; null if the judge is chosen automatically.
   */
  defaultJudge: text('default_judge'),
  /** The specs of models that judge together with the default judge; empty: one judge. */
  jury: jsonb('jury').notNull().default([]).$type<string[]>(),
  /** Work that costs less is not judged (VS-39). */
  bypassBelowUsd: doublePrecision('bypass_below_usd').notNull().default(0.1),
  /** The maximum cost of judging as a share of the cost of the work (VS-38). */
  costBudgetShare: doublePrecision('cost_budget_share').notNull().default(0.3),
  retries: integer('retries').notNull().default(2),
  /** A session or mission that receives no turn for this long is verified as is. */
  sessionIdleSeconds: integer('session_idle_seconds').notNull().default(1800),
  neutralProof: text('neutral_proof', { enum: ['literal', 'rescale'] })
    .notNull()
    .default('literal'),
  semanticJudge: boolean('semantic_judge').notNull().default(false),
  /**
   * `require`: a prompt or judge needs a trial that it did not lose, and another person's approval,
   * before it is used in production.
   */
  promotionGate: text('promotion_gate', { enum: ['advise', 'require'] })
    .notNull()
    .default('advise'),
  /** The values to replace in input before it is stored; null if masking is off. */
  masking: jsonb('masking').$type<{ types: string[]; regions: string[]; paths: string[] }>(),
  updatedAt: at('updated_at').notNull().defaultNow(),
});

/**
 * Settings of one mission, which replace those of the project. Without a row the project's settings
 * apply.
 */
export const missionSettings = pgTable(
  'mission_settings',
  {
    projectId: text('project_id').notNull(),
    missionId: text('mission_id').notNull(),
    /** A model spec that replaces the project's default judge (VS-33). */
    judge: text('judge'),
    /**
     * The cost of work and judging, in US dollars, above which a person reviews every further
     * verdict (VS-45).
     */
    reviewAboveUsd: doublePrecision('review_above_usd'),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.missionId] })],
);

/** Verdicts; append-only. One for each subject revision and verifier version. */
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
    /** The experiment whose output it is, or null; such a verdict counts in no live number. */
    experimentId: text('experiment_id'),
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
     * The threshold that decided the verdict, its source, and its version; null for kinds without a
     * threshold.
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
    /**
     * The price of at least one call was unknown: `cost_usd` is a lower bound of the cost of
     * judging.
     */
    priceUnknown: boolean('price_unknown').notNull().default(false),
    tokens: bigint('tokens', { mode: 'number' }).notNull().default(0),
    /**
     * The cost of judging as a share of the cost of the judged work; null if the latter is unknown.
     */
    shareOfTask: doublePrecision('share_of_task'),
    overBudget: boolean('over_budget').notNull().default(false),
    /** Members specific to the kind, in the format of the API. */
    detail: jsonb('detail').notNull(),
    /**
     * The basis of the decision, apart from thresholds, so that it can be recomputed with other
     * thresholds; null for kinds that compare nothing.
     */
    basis: jsonb('basis'),
    excerpt: text('excerpt').notNull(),
    /**
     * The verifier judged a later revision of the subject: this verdict is kept, but counts in no
     * rate.
     */
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
    index('verdicts_experiment')
      .on(table.projectId, table.experimentId, table.turnId)
      .where(sql`experiment_id is not null`),
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
    // The next two indexes cover every column of the queries that count pass rates of sessions and
    // retries, so that index-only scans need not read the table's rows. They omit experiments.
    index('verdicts_decided_live')
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
      .where(sql`outcome in ('passed', 'failed') and experiment_id is null`),
    index('verdicts_retried_live')
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
      .where(sql`${ofRetries} and experiment_id is null`),
  ],
);

/** Measurements; append-only. Only those in the state `scored` have a value. */
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

/** Subjects other than turns: the output of a task, outputs to compare, a mission. */
export const subjects = pgTable(
  'subjects',
  {
    projectId: text('project_id').notNull(),
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    revision: integer('revision').notNull().default(1),
    /** The JSON text as sent, after validation. */
    content: text('content').notNull(),
    /** The hex SHA-256 of everything that decides the verdict. */
    contentHash: text('content_hash').notNull(),
    clientId: text('client_id'),
    missionId: text('mission_id'),
    taskId: text('task_id'),
    sessionId: text('session_id'),
    traceId: text('trace_id'),
    /** The turn that a rule read the subject from; null for any other subject. */
    turnId: text('turn_id'),
    /** The model that did the work. */
    model: text('model'),
    /** The cost of the work, not of judging it. */
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
 * Pipelines from checkpoint calls or an imported file. Their verdicts are those with the same
 * trace, or with the same session if they have no trace.
 */
export const pipelines = pgTable(
  'pipelines',
  {
    projectId: text('project_id').notNull(),
    /** The id of the trace, or of the session if the calls have no trace. */
    id: text('id').notNull(),
    /** The first 2,000 characters of the request; null if no call has sent it yet. */
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
 * VS-43: cached judgements for the same output, criteria, prompt, model and thresholds. Never
 * contains inconclusive results.
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
