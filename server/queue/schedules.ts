import { sql } from 'drizzle-orm';
import { schema } from '../../db';
import { enterProject, type ProjectCtx } from '../access';
import { AssayError, classifyStorageError, type Ctx, type Database } from '../platform';
import { periodsBetween, type Timing } from './schedule-periods';

/** A recurring task of one project. */
export interface Schedule extends Timing {
  readonly projectId: string;
  readonly projectSlug: string;
  /** Its name in the project, prefixed with its kind: `anchors:anc_…`. */
  readonly name: string;
  /** When it was created: earlier periods do not count. */
  readonly since: Date;
}

/**
 * How to handle periods missed while no worker ran: run only the latest (`latest`), run all
 * (`all`), or run none (`none`).
 */
export type CatchUp = 'latest' | 'all' | 'none';

/** A kind of schedule: lists its schedules and starts their jobs. */
export interface ScheduleKind {
  readonly catchUp: CatchUp;
  /** All enabled schedules of all projects. */
  readonly list: (ctx: Ctx) => Promise<readonly Schedule[]>;
  /**
   * Stores the job of one period in `tx` and nothing outside of it; returns the job's id, or null
   * to skip the period. A refusal (`refused`, `conflict`, `not_found`) skips the period too, and
   * its reason is logged.
   */
  readonly start: (
    project: ProjectCtx,
    tx: Database,
    schedule: Schedule,
    period: Date,
  ) => Promise<string | null>;
}

/** Kinds by name; the name is the part before the colon in a schedule's name. */
export type ScheduleKinds = ReadonlyMap<string, ScheduleKind>;

/** A period noticed later than this was missed; up to this it is on time. */
const missedAfterMs = 5 * 60_000;
/**
 * Maximum number of periods of one schedule recorded in one transaction. The next pass takes the
 * rest.
 */
const atOnce = 500;

/**
 * Starts the jobs of all elapsed periods. Each period of a schedule starts exactly once, however
 * many processes run this and however often, because its row is written in the transaction that
 * stores its job (R-48). Uses the database's clock. An error of one schedule is logged and retried
 * in the next pass; the others continue. Returns the number of recorded periods, with or without a
 * job.
 * @throws on storage faults
 */
export async function startScheduledJobs(
  ctx: Ctx,
  kinds: ScheduleKinds,
  readClock: (ctx: Pick<Ctx, 'sql'>) => Promise<Date> = readDatabaseClock,
): Promise<number> {
  let written = 0;
  for (const [, kind] of kinds) {
    const schedules = await kind.list(ctx);
    if (schedules.length === 0) continue;
    const [now, latest] = await Promise.all([readClock(ctx), latestPeriods(ctx, schedules)]);
    for (const schedule of schedules) {
      const after = later(schedule.since, latest.get(keyOf(schedule)));
      if (periodsBetween(schedule, after, now, 1).length > 0)
        written += await startSchedule(ctx, kind, schedule, now);
    }
  }
  return written;
}

async function readDatabaseClock({ sql: query }: Pick<Ctx, 'sql'>): Promise<Date> {
  const [row] = await query<{ now: string }[]>`select clock_timestamp() as now`;
  if (row === undefined) throw new Error('PostgreSQL returned no current time');
  return new Date(row.now);
}

const keyOf = ({ projectId, name }: Pick<Schedule, 'projectId' | 'name'>): string =>
  JSON.stringify([projectId, name]);
const later = (one: Date, other: Date | undefined): Date =>
  other === undefined || other < one ? one : other;

/** The last recorded period of each schedule. */
async function latestPeriods(
  ctx: Ctx,
  schedules: readonly Schedule[],
): Promise<ReadonlyMap<string, Date>> {
  const wanted = JSON.stringify(
    schedules.map(({ projectId, name }) => ({ p: projectId, n: name })),
  );
  const rows = await ctx.sql<{ p: string; n: string; period: string }[]>`
    select k.p, k.n, l.period from jsonb_to_recordset(${wanted}::text::jsonb) as k(p text, n text)
    cross join lateral (
      select period from schedule_periods where project_id = k.p and schedule = k.n order by period desc limit 1
    ) as l`;
  return new Map(
    rows.map(({ p, n, period }) => [keyOf({ projectId: p, name: n }), new Date(period)]),
  );
}

/** @throws on storage faults */
async function startSchedule(
  ctx: Ctx,
  kind: ScheduleKind,
  schedule: Schedule,
  now: Date,
): Promise<number> {
  const project = enterProject(
    ctx,
    { id: schedule.projectId, slug: schedule.projectSlug },
    { kind: 'system', id: 'schedule', label: 'schedule' },
  );
  try {
    return await project.db.transaction((tx) => startPeriods(project, tx, kind, schedule, now));
  } catch (error) {
    if (classifyStorageError(error) !== 'unknown') throw error;
    ctx.log.error(
      { err: error, project: schedule.projectId, schedule: schedule.name },
      'a scheduled job could not be started',
    );
    return 0;
  }
}

async function startPeriods(
  project: ProjectCtx,
  tx: Database,
  kind: ScheduleKind,
  schedule: Schedule,
  now: Date,
): Promise<number> {
  // A second process does nothing here; if the first one dies, the next pass finds the periods
  // unrecorded.
  const [locked] = await tx.execute<{ held: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended(${`schedule ${keyOf(schedule)}`}, 0)) as held`);
  if (locked?.held !== true) return 0;
  const [last] = await tx.execute<{ period: string | null }>(sql`
    select max(period) as period from schedule_periods where project_id = ${schedule.projectId} and schedule = ${schedule.name}`);
  const after = later(schedule.since, last?.period == null ? undefined : new Date(last.period));
  const periods = periodsBetween(schedule, after, now, atOnce);
  // If more periods elapsed than one transaction records, the latest of all is not among them.
  const isWhole = periods.length < atOnce;
  let written = 0;
  for (const [n, period] of periods.entries()) {
    const isLatest = isWhole && n === periods.length - 1;
    const starts = shouldStart(kind.catchUp, isLatest, now.getTime() - period.getTime());
    const jobId = starts ? await startOne(project, tx, kind, schedule, period) : null;
    const recorded = await tx
      .insert(schema.schedulePeriods)
      .values({ projectId: schedule.projectId, schedule: schedule.name, period, jobId })
      .onConflictDoNothing()
      .returning({ period: schema.schedulePeriods.period });
    if (recorded.length === 0)
      throw new Error(`the period ${period.toISOString()} is already recorded`);
    written++;
  }
  return written;
}

function shouldStart(catchUp: CatchUp, isLatest: boolean, lateMs: number): boolean {
  if (catchUp === 'all') return true;
  return isLatest && (catchUp === 'latest' || lateMs <= missedAfterMs);
}

async function startOne(
  project: ProjectCtx,
  tx: Database,
  kind: ScheduleKind,
  schedule: Schedule,
  period: Date,
): Promise<string | null> {
  try {
    return await kind.start(project, tx, schedule, period);
  } catch (error) {
    if (
      !(error instanceof AssayError) ||
      !['refused', 'conflict', 'not_found'].includes(error.code)
    )
      throw error;
    project.log.warn(
      { project: schedule.projectId, schedule: schedule.name, reason: error.message },
      'a period of a schedule was skipped',
    );
    return null;
  }
}
