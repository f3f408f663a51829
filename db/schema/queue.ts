import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' });

/**
 * The work lane: one row for each subject that a verifier still owes a verdict. Written in the intake transaction,
 * claimed in batches, deleted in the commit that stores the verdict.
 * `dueAt` is also the lease: a claim moves it into the future, and a row whose claimer died falls due again by itself.
 * `fence` grows with every claim; a verdict is taken only from the latest.
 */
export const work = pgTable(
  'work',
  {
    projectId: text('project_id').notNull(),
    /** The id of the verdict to come. */
    id: text('id').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    revision: integer('revision').notNull(),
    verifier: text('verifier').notNull(),
    state: text('state', { enum: ['waiting', 'quarantined'] })
      .notNull()
      .default('waiting'),
    dueAt: at('due_at').notNull().defaultNow(),
    owner: text('owner'),
    fence: bigint('fence', { mode: 'number' }).notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** Claims whose worker never came back: a subject that kills its worker is found by this. */
    deaths: integer('deaths').notNull().default(0),
    reason: text('reason'),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('work_due').on(table.dueAt).where(sql`state = 'waiting'`),
    index('work_quarantined').on(table.projectId, table.createdAt).where(sql`state = 'quarantined'`),
  ],
);

/**
 * How earlier attempts ended, for every piece of work that needed more than one. `attempt` is the fence of its claim, which a
 * replay does not reset; a verdict that came too late stands beside its claim under the negative number.
 */
export const workAttempts = pgTable(
  'work_attempts',
  {
    projectId: text('project_id').notNull(),
    workId: text('work_id').notNull(),
    attempt: integer('attempt').notNull(),
    worker: text('worker').notNull(),
    startedAt: at('started_at'),
    endedAt: at('ended_at').notNull().defaultNow(),
    end: text('end', { enum: ['lost', 'failed', 'refused'] }).notNull(),
    reason: text('reason'),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.workId, table.attempt] })],
);
