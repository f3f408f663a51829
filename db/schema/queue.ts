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
 * The work queue: one row for each subject and verifier without a verdict yet. Rows are inserted in
 * the intake transaction, claimed in batches, and deleted in the transaction that stores the
 * verdict. `nextRunAt` is also the lease: a claim moves it into the future, so a row whose worker
 * died becomes claimable again without further action. `fence` grows with every claim; only the
 * latest claim may store a verdict.
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
    /** The verifier's slug, or `assemble` for a trace whose spans must be assembled. */
    verifier: text('verifier').notNull(),
    /** The rule that sent the subject here, or null. */
    rule: text('rule'),
    /** The experiment whose output it is, or null. */
    experimentId: text('experiment_id'),
    /** `held`: waits for the verdict that `awaits` describes. */
    state: text('state', { enum: ['waiting', 'held', 'quarantined'] })
      .notNull()
      .default('waiting'),
    /**
     * The verdict that decides whether the work runs, and the delay after it, as `{verifier,
     * outcomes, delay_seconds}`; null if it waits for none.
     */
    awaits: jsonb('awaits'),
    nextRunAt: at('due_at').notNull().defaultNow(),
    owner: text('owner'),
    fence: bigint('fence', { mode: 'number' }).notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /**
     * The number of claims whose worker was lost, to identify a subject that crashes its worker.
     */
    deaths: integer('deaths').notNull().default(0),
    reason: text('reason'),
    /** `slow`: needs a model; queue jobs claim these rows by id. */
    lane: text('lane', { enum: ['fast', 'slow'] })
      .notNull()
      .default('fast'),
    /**
     * When a job was last published for a slow row that is still unclaimed. The job may be lost,
     * and is then published again.
     */
    hintedAt: at('hinted_at'),
    /**
     * In the slow lane: 0 if a caller waits, 1 normally, 2 after one lost worker, 3 after two. Few
     * rows with priority 2 or 3 run at a time.
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
 * The results of failed attempts at work. `attempt` is the fence of the claim, which a replay does
 * not reset. The row of a verdict that was refused because it came too late has the negative fence
 * of its claim.
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
 * Long-running work that a person or a client requested, such as imports and backfills. Its
 * progress survives the loss of its worker.
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
    /** Why it failed, as display text. */
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
 * is considered stopped. It is not part of a project, since workers serve all projects.
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
 * Scheduled work: one row per schedule and period, so that each period runs only once, no matter
 * which process starts it. Written in the transaction that starts the work.
 */
export const schedulePeriods = pgTable(
  'schedule_periods',
  {
    projectId: text('project_id').notNull(),
    /** `anchors:anc_…`, `report:…` */
    schedule: text('schedule').notNull(),
    /** The start of the period. */
    period: timestamp('period', { withTimezone: true, mode: 'date' }).notNull(),
    /**
     * The job of the period; null if the period was skipped: of several missed periods, only the
     * latest runs.
     */
    jobId: text('job_id'),
    createdAt: timestamp('created_at', { withTimezone: true, mode: 'date' }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.schedule, table.period] })],
);
