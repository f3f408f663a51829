import {
  bigint,
  boolean,
  date,
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
const count = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0);

/** A verifier's config never changes: a change is the next version, so that a verdict always names what decided it. */
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

/** Project settings that are not a verifier's config. No row means the defaults. */
export const projectSettings = pgTable('project_settings', {
  projectId: text('project_id').primaryKey(),
  integrityEnabled: boolean('integrity_enabled').notNull().default(true),
  updatedAt: at('updated_at').notNull().defaultNow(),
});

/** Decisions, appended and never edited. One for each subject revision and verifier version. */
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
    /** The rule that sent the subject here, or null: a verify call. */
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
    /** What is special to the kind, in the wire's shape. */
    detail: jsonb('detail').notNull(),
    excerpt: text('excerpt').notNull(),
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
  ],
);

/** Measurements, appended and never edited. `state` scored has a value, unscored and failed have none. */
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

/** Counts by UTC day, verifier and model; `model` is '' where the turn names none. Written by the statement that settles. */
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
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day, table.verifierSlug, table.model] })],
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
