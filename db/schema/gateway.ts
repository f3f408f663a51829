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
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/** Routes of calls through the gateway; `settings` is `RouteSettings` as stored. */
export const gatewayRoutes = pgTable(
  'gateway_routes',
  {
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    settings: jsonb('settings').notNull(),
    updatedBy: text('updated_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    updatedAt: at('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.name] })],
);

/**
 * One row per proxied model call, with its outcome and the added latency. Written after the
 * response was sent.
 */
export const gatewayCalls = pgTable(
  'gateway_calls',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /** Null if the call has no turn because it failed or has no answer. */
    turnId: text('turn_id'),
    route: text('route').notNull(),
    sessionId: text('session_id').notNull(),
    dialect: text('dialect').notNull(),
    model: text('model'),
    /** As the upstream reports them; null if not reported, or a call of an earlier release. */
    inputTokens: bigint('input_tokens', { mode: 'number' }),
    outputTokens: bigint('output_tokens', { mode: 'number' }),
    stream: boolean('stream').notNull(),
    status: integer('status').notNull(),
    verdict: text('verdict').notNull(),
    reason: text('reason'),
    verificationId: text('verification_id'),
    truncated: boolean('truncated').notNull(),
    partial: boolean('partial').notNull(),
    /**
     * How much the call counts, in thousandths of a turn, and the session's counter at that time,
     * including the call.
     */
    units: integer('units').notNull(),
    counter: integer('counter').notNull(),
    firstByteMs: doublePrecision('first_byte_ms'),
    durationMs: doublePrecision('duration_ms').notNull(),
    deliveryDelayMs: doublePrecision('held_ms'),
    /** `pass`, `steer` or `verifier_failed`; null if the verifier was not called. */
    decision: text('decision'),
    /** The verification of the call, as in the turn's record; null if there was none. */
    episode: jsonb('episode'),
    /** The integrity check of the buffered answer; null if nothing was buffered for it. */
    integrity: jsonb('integrity'),
    createdAt: at('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('gateway_calls_created').on(table.projectId, table.createdAt),
    index('gateway_calls_session').on(table.projectId, table.sessionId, table.createdAt),
    index('gateway_calls_decided').on(table.projectId, table.decision, table.createdAt),
  ],
);

/** Counts of all proxied calls by hour, exact even if `gateway_calls` had to drop rows. */
export const gatewayRollups = pgTable(
  'gateway_rollups',
  {
    projectId: text('project_id').notNull(),
    hour: at('hour').notNull(),
    route: text('route').notNull(),
    verdict: text('verdict').notNull(),
    /** Empty if there is none. */
    reason: text('reason').notNull(),
    calls: bigint('calls', { mode: 'number' }).notNull(),
    /** The number of calls without a row in `gateway_calls`, because the write queue was full. */
    dropped: bigint('dropped', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.projectId, table.hour, table.route, table.verdict, table.reason],
    }),
  ],
);

/**
 * Eligible turns of a session since its last verification, in thousandths (QV-3). Each replica of
 * the gateway writes its own row and reads those of the others; the session's counter is the sum of
 * the rows with its highest epoch. An epoch ends when a verification completes.
 */
export const gatewayCounters = pgTable(
  'gateway_counters',
  {
    projectId: text('project_id').notNull(),
    sessionId: text('session_id').notNull(),
    replica: text('replica').notNull(),
    epoch: bigint('epoch', { mode: 'number' }).notNull(),
    version: bigint('version', { mode: 'number' }).notNull(),
    units: bigint('units', { mode: 'number' }).notNull(),
    /**
     * The latest counted requests by hash, with their counts, so that replicas detect a request
     * that more than one of them counted.
     */
    recent: jsonb('recent').notNull(),
    changedAt: at('changed_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.sessionId, table.replica] }),
    index('gateway_counters_changed').on(table.changedAt),
  ],
);

/**
 * The state of each replica's circuit breaker for a verifier model (QV-33). A reset is pending
 * while `resetAt` is newer than `changedAt`.
 */
export const gatewayBreakers = pgTable(
  'gateway_breakers',
  {
    projectId: text('project_id').notNull(),
    /** The model spec of the verifier. */
    model: text('model').notNull(),
    replica: text('replica').notNull(),
    /** `closed`, `open`, `probing`. */
    state: text('state').notNull(),
    failures: integer('failures').notNull(),
    openUntil: at('open_until'),
    /** The latest failure, in a few words. */
    problem: text('problem'),
    changedAt: at('changed_at').notNull(),
    resetAt: at('reset_at'),
    resetBy: text('reset_by'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.model, table.replica] })],
);
