import { customType, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * Turns. `payload` is the turn's JSON text as it was sent: number digits, key order, escaped NULs and lone surrogates survive
 * (a `text` column takes them, `jsonb` does not). No foreign key to `projects`: each would cost the intake a row lock.
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
    /** What a reader must know: `cleaned`, `invalid_utf8`, `conflict`. */
    flags: text('flags').array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] }), index('turns_received').on(table.projectId, table.receivedAt)],
);

/** Every different content that came under one turn id, kept beside the merged turn (api.md, Idempotency). */
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

/** Bytes as received, where the stored text is not exactly them (invalid UTF-8). */
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

/** What intake refused, with the reason and the bytes: nothing is dropped silently. */
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

/** Answers given under an `Idempotency-Key`, kept for 24 h. */
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
  (table) => [primaryKey({ columns: [table.projectId, table.key] }), index('idempotency_keys_age').on(table.createdAt)],
);
