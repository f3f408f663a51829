import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/**
 * What was deleted and must not come back: the intake, the assembly of traces and the record
 * of calls look here. Outlives its project, so that what is on its way to it finds that it is gone.
 */
export const tombstones = pgTable(
  'tombstones',
  {
    projectId: text('project_id').notNull(),
    /**
     * `project`, `session`, `trace`, `turn`, `subject`, `user`, or `verdict`: work that was under
     * way.
     */
    kind: text('kind').notNull(),
    /** The id; of a user its SHA-256, hex; '' of a project. */
    key: text('key').notNull(),
    deletionId: text('deletion_id').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.kind, table.key] }),
    index('tombstones_deletion').on(table.projectId, table.deletionId),
  ],
);

/** Deletions that were asked for: `pending` until nothing of what they name is left. */
export const deletions = pgTable(
  'deletions',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    kind: text('kind', { enum: ['project', 'session', 'trace', 'turn', 'user'] }).notNull(),
    /** The id of what is deleted; of a user its SHA-256 once it is done. */
    target: text('target').notNull(),
    state: text('state', { enum: ['pending', 'done'] })
      .notNull()
      .default('pending'),
    /** Where the search goes on, by what is searched. */
    cursor: jsonb('cursor').notNull().default({}).$type<Readonly<Record<string, string>>>(),
    /** Rows that were deleted, by table. */
    counts: jsonb('counts').notNull().default({}).$type<Readonly<Record<string, number>>>(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    /** From then on every statement sees the tombstone. */
    fencedAt: at('fenced_at'),
    doneAt: at('done_at'),
    /**
     * When it is looked once more, after every statement that could not see the tombstone was cut;
     * null: that was done.
     */
    sweepAt: at('sweep_at'),
    /** By the database's clock; past it, whoever looks goes on with it. */
    leasedUntil: at('leased_until').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('deletions_pending')
      .on(table.leasedUntil)
      .where(sql`state = 'pending' or sweep_at is not null`),
    index('deletions_done').on(table.projectId, table.doneAt),
  ],
);

/** How long a project keeps what it has; null: for ever. No row means for ever. */
export const retentionSettings = pgTable('retention_settings', {
  projectId: text('project_id').primaryKey(),
  /** Days that turns, spans, subjects, proxied calls and what models said are kept. */
  contentDays: integer('content_days'),
  /** Days that verdicts, scores, labels and decisions are kept. */
  recordDays: integer('record_days'),
  /** What people have labelled, and what anchor sets hold, is kept however old. */
  keepLabelled: boolean('keep_labelled').notNull().default(true),
  updatedBy: text('updated_by').notNull(),
  updatedAt: at('updated_at').notNull().defaultNow(),
  /** Rows deleted since the last one that was noted in the audit log, by table. */
  counts: jsonb('counts').notNull().default({}).$type<Readonly<Record<string, number>>>(),
  /** When it is looked again; also the lease of whoever looks. */
  dueAt: at('due_at').notNull().defaultNow(),
});

/** A project's export as it was made, gzip in parts: one after the other they are one file. */
export const exportParts = pgTable(
  'export_parts',
  {
    projectId: text('project_id').notNull(),
    /** The id of its job. */
    exportId: text('export_id').notNull(),
    ordinal: integer('ordinal').notNull(),
    lines: bigint('lines', { mode: 'number' }).notNull(),
    body: bytea('body').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.exportId, table.ordinal] })],
);
