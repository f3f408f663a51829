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

/**
 * Where calls through the gateway go, and what is done on the way; `settings` is `RouteSettings` as
 * it was put.
 */
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
 * One row a proxied call to a model: what it was told, and what holding it cost. Written behind the
 * answer.
 */
export const gatewayCalls = pgTable(
  'gateway_calls',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    /** Null where the call left no turn: it failed, or has no answer. */
    turnId: text('turn_id'),
    route: text('route').notNull(),
    sessionId: text('session_id').notNull(),
    dialect: text('dialect').notNull(),
    model: text('model'),
    stream: boolean('stream').notNull(),
    status: integer('status').notNull(),
    verdict: text('verdict').notNull(),
    reason: text('reason'),
    verificationId: text('verification_id'),
    truncated: boolean('truncated').notNull(),
    partial: boolean('partial').notNull(),
    /**
     * What the call counted, in thousandths of a turn, and where the session's counter stood then,
     * itself included.
     */
    units: integer('units').notNull(),
    counter: integer('counter').notNull(),
    firstByteMs: doublePrecision('first_byte_ms'),
    durationMs: doublePrecision('duration_ms').notNull(),
    heldMs: doublePrecision('held_ms'),
    /** `pass`, `steer`, `verifier_failed`; null where the verifier was not asked. */
    decision: text('decision'),
    /** `Episode` as in the turn's record; null where there was none. */
    episode: jsonb('episode'),
    /** `HeldIntegrity`; null where nothing was held for it. */
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

/**
 * Every proxied call, counted by hour: exact where `gateway_calls` may have had to leave rows out.
 */
export const gatewayRollups = pgTable(
  'gateway_rollups',
  {
    projectId: text('project_id').notNull(),
    hour: at('hour').notNull(),
    route: text('route').notNull(),
    verdict: text('verdict').notNull(),
    /** Empty: none. */
    reason: text('reason').notNull(),
    calls: bigint('calls', { mode: 'number' }).notNull(),
    /** Of these, so many left no row in `gateway_calls`: the queue behind the answers was full. */
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
 * the gateway writes its own row and reads the others'; a session is at the sum of those of its
 * highest epoch. An epoch ends when a verification completes.
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
     * Requests counted last, by hash, with what each counted: so that replicas find one that both
     * counted.
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
 * How each replica's breaker of a verifier model stands (QV-33); a reset that a person asked for is
 * newer than the state.
 */
export const gatewayBreakers = pgTable(
  'gateway_breakers',
  {
    projectId: text('project_id').notNull(),
    /** Model spec of the verifier. */
    model: text('model').notNull(),
    replica: text('replica').notNull(),
    /** `closed`, `open`, `probing`. */
    state: text('state').notNull(),
    failures: integer('failures').notNull(),
    openUntil: at('open_until'),
    /** What failed last, in a few words. */
    problem: text('problem'),
    changedAt: at('changed_at').notNull(),
    resetAt: at('reset_at'),
    resetBy: text('reset_by'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.model, table.replica] })],
);
