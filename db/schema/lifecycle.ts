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
 * Deleted data that must not be stored again: intake, trace assembly and the recording of
 * calls check this table. Rows outlive their project, so that input that is still in transit is
 * rejected.
 */
export const tombstones = pgTable(
  'tombstones',
  {
    projectId: text('project_id').notNull(),
    /**
     * `project`, `session`, `trace`, `turn`, `subject`, `user`, or `verdict` for work that was in
     * progress.
     */
    kind: text('kind').notNull(),
    /** The id; for a user its hex SHA-256; '' for a project. */
    key: text('key').notNull(),
    deletionId: text('deletion_id').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.kind, table.key] }),
    index('tombstones_deletion').on(table.projectId, table.deletionId),
  ],
);

/** Requested deletions, `pending` until all data of their target is deleted. */
export const deletions = pgTable(
  'deletions',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    kind: text('kind', { enum: ['project', 'session', 'trace', 'turn', 'user'] }).notNull(),
    /**
     * The id of the deleted object; for a user, replaced by its SHA-256 once the deletion is done.
     */
    target: text('target').notNull(),
    state: text('state', { enum: ['pending', 'done'] })
      .notNull()
      .default('pending'),
    /** Where the search continues, by table. */
    cursor: jsonb('cursor').notNull().default({}).$type<Readonly<Record<string, string>>>(),
    /** The number of deleted rows, by table. */
    counts: jsonb('counts').notNull().default({}).$type<Readonly<Record<string, number>>>(),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    /** The time from which every statement sees the tombstone. */
    fencedAt: at('fenced_at'),
    doneAt: at('done_at'),
    /**
     * When the final search runs, after every statement that could not see the tombstone has
     * finished or been cancelled; null if it has run.
     */
    sweepAt: at('sweep_at'),
    /** When the lease ends, by the database's clock; another worker then continues the deletion. */
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

/** The retention of a project's data; null or no row means forever. */
export const retentionSettings = pgTable('retention_settings', {
  projectId: text('project_id').primaryKey(),
  /**
   * The number of days for which turns, spans, subjects, proxied calls and model outputs are kept.
   */
  contentDays: integer('content_days'),
  /** The number of days for which verdicts, scores, labels and decisions are kept. */
  recordDays: integer('record_days'),
  /** Whether labelled data and the items of anchor sets are kept forever. */
  keepLabelled: boolean('keep_labelled').notNull().default(true),
  updatedBy: text('updated_by').notNull(),
  updatedAt: at('updated_at').notNull().defaultNow(),
  /** Rows deleted since the last entry in the audit log, by table. */
  counts: jsonb('counts').notNull().default({}).$type<Readonly<Record<string, number>>>(),
  /** When the next pruning runs; also the lease of the pruning worker. */
  nextRunAt: at('due_at').notNull().defaultNow(),
});

/** A project's export as gzip parts, which concatenate to one file. */
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
