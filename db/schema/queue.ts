import { sql } from 'drizzle-orm';
import {
  bigint,
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
 * The work queue: one row for each subject and verifier without a verdict yet. Written in the
 * intake transaction, claimed in batches, deleted in the commit that stores the verdict.
 * `nextRunAt` is also the lease: a claim moves it into the future, and a row whose claimer died
 * becomes available again by itself. `fence` grows with every claim; only the latest claim may
 * store a verdict.
 */
export const work = pgTable(
  'work',
  {
    projectId: text('project_id').notNull(),
    /** The id of the future verdict. */
    id: text('id').notNull(),
    subjectKind: text('subject_kind').notNull(),
    subjectId: text('subject_id').notNull(),
    revision: integer('revision').notNull(),
    /** Its slug; `assemble` for a trace whose spans must be assembled. */
    verifier: text('verifier').notNull(),
    /** The rule that sent the subject here, or null. */
    rule: text('rule'),
    /** `held`: its rule waits for the verdict named by `awaits`. */
    state: text('state', { enum: ['waiting', 'held', 'quarantined'] })
      .notNull()
      .default('waiting'),
    /**
     * The verdict that decides whether it runs, and the delay after it:
     *   `{verifier, outcomes, delay_seconds}`; null: it waits for none.
     */
    awaits: jsonb('awaits'),
    nextRunAt: at('due_at').notNull().defaultNow(),
    owner: text('owner'),
    fence: bigint('fence', { mode: 'number' }).notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** Claims whose worker was lost: identifies a subject that crashes its worker. */
    deaths: integer('deaths').notNull().default(0),
    reason: text('reason'),
    /** `slow` waits for a model: its rows are claimed by the jobs that name them. */
    lane: text('lane', { enum: ['fast', 'slow'] })
      .notNull()
      .default('fast'),
    /**
     * When a job was last published for a slow row that is still unclaimed; the job may be lost,
     * and is then published again.
     */
    hintedAt: at('hinted_at'),
    /**
     * In the slow lane: 0 for a waiting caller, 1 normal, 2 after one lost worker, 3 after two: few
     * such rows run at a time.
     */
    priority: integer('priority').notNull().default(1),
    createdAt: at('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('work_due')
      .on(table.projectId, table.nextRunAt)
      .where(sql`state = 'waiting' and owner is null and lane = 'fast'`),
    index('work_leased')
      .on(table.nextRunAt)
      .where(sql`state = 'waiting' and owner is not null and lane = 'fast'`),
    index('work_slow_due')
      .on(table.projectId, table.priority, table.nextRunAt)
      .where(sql`state = 'waiting' and owner is null and lane = 'slow' and hinted_at is null`),
    index('work_slow_hinted')
      .on(table.hintedAt)
      .where(sql`state = 'waiting' and owner is null and lane = 'slow' and hinted_at is not null`),
    index('work_slow_leased')
      .on(table.nextRunAt)
      .where(sql`state = 'waiting' and owner is not null and lane = 'slow'`),
    index('work_held').on(table.projectId, table.subjectId).where(sql`state = 'held'`),
    index('work_quarantined')
      .on(table.projectId, table.createdAt)
      .where(sql`state = 'quarantined'`),
  ],
);

/**
 * The results of earlier attempts, for all work that needed more than one. `attempt` is the fence
 * of its claim, which a replay does not reset; a verdict that came too late is stored next to its
 * claim under the negative number.
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

/**
 * Long-running work requested by a person or a client: imports, backfills. Its progress survives
 * its worker.
 */
export const jobs = pgTable(
  'jobs',
  {
    projectId: text('project_id').notNull(),
    id: text('id').notNull(),
    kind: text('kind').notNull(),
    state: text('state', { enum: ['waiting', 'running', 'done', 'failed', 'cancelled'] })
      .notNull()
      .default('waiting'),
    input: jsonb('input').notNull(),
    /** Where the next step begins; its meaning depends on the kind. */
    cursor: jsonb('cursor'),
    done: bigint('done', { mode: 'number' }).notNull().default(0),
    total: bigint('total', { mode: 'number' }),
    /** At most the first 1,000, as `[{line, message}]`; `errorCount` counts all. */
    errors: jsonb('errors').notNull().default([]),
    errorCount: bigint('error_count', { mode: 'number' }).notNull().default(0),
    result: jsonb('result'),
    /** Why it failed, for people. */
    reason: text('reason'),
    /** As in `work`: the lease, its owner, and a counter that invalidates a late result. */
    nextRunAt: at('due_at').notNull().defaultNow(),
    owner: text('owner'),
    fence: bigint('fence', { mode: 'number' }).notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    createdBy: text('created_by').notNull(),
    createdAt: at('created_at').notNull().defaultNow(),
    finishedAt: at('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index('jobs_due').on(table.nextRunAt).where(sql`state in ('waiting', 'running')`),
    index('jobs_created').on(table.projectId, table.createdAt),
  ],
);

/** The input file of a job, in parts. */
export const jobFiles = pgTable(
  'job_files',
  {
    projectId: text('project_id').notNull(),
    jobId: text('job_id').notNull(),
    ordinal: integer('ordinal').notNull(),
    body: bytea('body').notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.jobId, table.ordinal] })],
);

/**
 * The latest report of each worker on its sandbox for proof gates. A worker without a recent report
 * is gone. Not part of a project: workers serve all of them.
 */
export const workerBoxes = pgTable('worker_boxes', {
  worker: text('worker').primaryKey(),
  state: text('state', { enum: ['ready', 'missing', 'failing', 'unknown'] }).notNull(),
  reason: text('reason'),
  fix: text('fix'),
  /** Capabilities proven by the self-test beyond those of every sandbox; null unless ready. */
  level: jsonb('level').$type<{
    memory: 'cgroup' | 'watchdog';
    users: 'per_box' | 'one';
    at_once: number;
  }>(),
  checkedAt: at('checked_at'),
  notedAt: at('noted_at').notNull(),
});

/**
 * Scheduled work: one row per schedule and period, so that each period runs once, whichever process
 * starts it. Written in the transaction that starts the work.
 */
export const schedulePeriods = pgTable(
  'schedule_periods',
  {
    projectId: text('project_id').notNull(),
    /** `anchors:anc_…`, `report:…` */
    schedule: text('schedule').notNull(),
    /** The first moment of the period. */
    period: timestamp('period', { withTimezone: true, mode: 'date' }).notNull(),
    /**
     * The job of the period; null if it was skipped, since of several missed periods only the
     * latest is made up for.
     */
    jobId: text('job_id'),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.schedule, table.period] })],
);
