import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import type { ModelUsage } from '../../server/domain';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * Turns. `payload` is the turn's JSON text as sent: a `text` column preserves number digits, key
 * order, escaped NULs and lone surrogates, `jsonb` would not. There is no foreign key to
 * `projects`, since each insert would lock the project's row.
 */
export const turns = pgTable(
  'turns',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    revision: integer('revision').notNull().default(1),
    sessionId: text('session_id'),
    traceId: text('trace_id'),
    source: text('source'),
    model: text('model'),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    receivedAt: at('received_at').notNull().defaultNow(),
    contentHash: text('content_hash').notNull(),
    payload: text('payload').notNull(),
    /** Remarks for display: `cleaned`, `invalid_utf8`, `conflict`. */
    flags: text('flags').array().notNull(),
    /** How it was received: `api`, `otlp`, `import`, `gateway`; `experiment`: made by one. */
    origin: text('origin').notNull().default('api'),
    /** For a turn from a trace, the span that it was derived from. */
    spanId: text('span_id'),
    /**
     * Later spans showed that this is not a separate answer. Its verdict is kept and shows this.
     */
    superseded: boolean('superseded').notNull().default(false),
    /** The tokens and the sent cost of its calls by model; null if nothing was reported. */
    usage: jsonb('usage').$type<ModelUsage[]>(),
    /** As sent, or computed from `usage`; null if no cost is known. */
    costUsd: doublePrecision('cost_usd'),
    /** Where the cost comes from: `sent`, `own <model>`, `list <provider>/<model>`, `none <model>`. */
    costBasis: text('cost_basis').array(),
    /** The first line of the caller's last message; null without one, and before migration 0030. */
    inputExcerpt: text('input_excerpt'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('turns_received').on(table.projectId, table.receivedAt),
    // To subtract them from counts of all turns, which read `turns_received` alone.
    index('turns_of_experiments')
      .on(table.projectId, table.receivedAt)
      .where(sql`origin = 'experiment'`),
    index('turns_session')
      .on(table.projectId, table.sessionId, table.receivedAt)
      .where(sql`session_id is not null`),
    index('turns_trace').on(table.projectId, table.traceId).where(sql`trace_id is not null`),
  ],
);

/**
 * Spans as received, one row for each trace of a request. The bytes are not re-encoded, so that
 * digits and order survive, and intake writes one row instead of twenty. Repeated bytes are stored
 * once; spans that are repeated in other rows are deduplicated when they are read (`mergeSpans`).
 */
export const traceSegments = pgTable(
  'trace_segments',
  {
    projectId: text('project_id').notNull(),
    traceId: text('trace_id').notNull(),
    /** SHA-256 of `body`. */
    hash: text('hash').notNull(),
    /**
     * `json` or `proto`, either with `+gzip` or without: an ExportTraceServiceRequest with only the
     * spans of this trace.
     */
    format: text('format').notNull(),
    /**
     * Stored without PostgreSQL's compression, and inline up to the size of a page (migration
     * 0002): compression and TOAST storage would cost intake more than the rest of the row.
     */
    body: bytea('body').notNull(),
    spans: integer('spans').notNull(),
    receivedAt: at('received_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.traceId, table.hash] })],
);

/**
 * One row per trace, with totals over its spans. Intake creates it, and each assembly updates it;
 * assembly runs again whenever spans arrive.
 */
export const traces = pgTable(
  'traces',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /** 0 until the first assembly. */
    revision: integer('revision').notNull().default(0),
    /** A span without a parent has arrived: the trace is considered complete. */
    hasRoot: boolean('has_root').notNull(),
    receivedAt: at('received_at').notNull().defaultNow(),
    lastReceivedAt: at('last_received_at').notNull().defaultNow(),
    assembledAt: at('assembled_at'),
    name: text('name'),
    service: text('service'),
    sessionId: text('session_id'),
    userId: text('user_id'),
    startedAt: at('started_at'),
    endedAt: at('ended_at'),
    spans: integer('spans').notNull().default(0),
    errors: integer('errors').notNull().default(0),
    turns: integer('turns').notNull().default(0),
    models: text('models').array(),
    inputTokens: bigint('input_tokens', { mode: 'number' }),
    outputTokens: bigint('output_tokens', { mode: 'number' }),
    /** As for turns, over all its calls. */
    usage: jsonb('usage').$type<ModelUsage[]>(),
    costUsd: doublePrecision('cost_usd'),
    costBasis: text('cost_basis').array(),
    flags: text('flags').array(),
    tags: text('tags').array(),
    /** Why spans that look like an answer produced no turn, as `[{spanId, reason}]`. */
    notes: jsonb('notes'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('traces_received').on(table.projectId, table.receivedAt, table.id),
    index('traces_session').on(table.projectId, table.sessionId).where(sql`session_id is not null`),
  ],
);

/** Sessions that turns or traces refer to. Their contents are counted from these. */
export const sessions = pgTable(
  'sessions',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    receivedAt: at('received_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('sessions_received').on(table.projectId, table.receivedAt, table.id),
  ],
);

/**
 * Measurements from other tools: `gen_ai.evaluation.result`, and judges of imported rows. They are
 * never edited, except for their turn, which is updated as spans arrive.
 */
export const foreignScores = pgTable(
  'foreign_scores',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    subjectId: text('subject_id'),
    turnId: text('turn_id'),
    traceId: text('trace_id'),
    spanId: text('span_id'),
    /** `otlp` or `import`. */
    source: text('source').notNull(),
    name: text('name').notNull(),
    value: doublePrecision('value'),
    label: text('label'),
    explanation: text('explanation'),
    /** The judge; null if none is named. */
    model: text('model'),
    /**
     * For imported judgements: `pass_fail` (`label`), `category` (`category`) or `grade` (`value`);
     * null if unknown.
     */
    scale: text('scale'),
    /** The judged aspect of the subject; null if the whole subject was judged. */
    dimension: text('dimension'),
    /** A verdict that is neither pass nor fail: for a pair `1`, `2` or `tie`. */
    category: text('category'),
    /** The order or form in which the judge saw the subject; null if there was only one. */
    presentation: text('presentation'),
    /** The judge's reply could not be parsed; `label` or `category` is then a default. */
    unread: boolean('unread').notNull().default(false),
    measuredAt: at('measured_at'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('foreign_scores_trace')
      .on(table.projectId, table.traceId)
      .where(sql`trace_id is not null`),
    index('foreign_scores_turn').on(table.projectId, table.turnId).where(sql`turn_id is not null`),
    index('foreign_scores_judge')
      .on(table.projectId, table.model, table.subjectId)
      .where(sql`source = 'import'`),
    index('foreign_scores_judged')
      .on(table.projectId, table.subjectId)
      .where(sql`source = 'import' and model is not null`),
  ],
);

/** Counts of input by UTC day. `shard` keeps concurrent writers from waiting for the same row. */
export const intakeRollups = pgTable(
  'intake_rollups',
  {
    projectId: text('project_id').notNull(),
    day: date('day').notNull(),
    shard: text('shard').notNull(),
    turns: bigint('turns', { mode: 'number' }).notNull().default(0),
    spans: bigint('spans', { mode: 'number' }).notNull().default(0),
    duplicates: bigint('duplicates', { mode: 'number' }).notNull().default(0),
    rejected: bigint('rejected', { mode: 'number' }).notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day, table.shard] })],
);

/**
 * Every distinct content received under one turn id, kept in addition to the merged turn (api.md,
 * Idempotency).
 */
export const turnVersions = pgTable(
  'turn_versions',
  {
    projectId: text('project_id').notNull(),
    turnId: text('turn_id').notNull(),
    contentHash: text('content_hash').notNull(),
    payload: text('payload').notNull(),
    receivedAt: at('received_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.turnId, table.contentHash] })],
);

/** The bytes of a turn as received, if the stored text differs from them (invalid UTF-8). */
export const turnOriginals = pgTable(
  'turn_originals',
  {
    projectId: text('project_id').notNull(),
    turnId: text('turn_id').notNull(),
    contentHash: text('content_hash').notNull(),
    body: bytea('body').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.turnId, table.contentHash] })],
);

/** Rejected input with the reason and the bytes, so that nothing is dropped silently. */
export const deadLetters = pgTable(
  'dead_letters',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    receivedAt: at('received_at').notNull().defaultNow(),
    route: text('route').notNull(),
    code: text('code').notNull(),
    message: text('message').notNull(),
    body: bytea('body').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);

/** Responses to requests with an `Idempotency-Key`, kept for 24 h. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    projectId: text('project_id').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    status: integer('status').notNull(),
    answer: text('answer').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
  ],
);
