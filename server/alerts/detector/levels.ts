import type { ProjectCtx } from '../../access';
import { identityOf } from '../../ingest';
import { dollars, percent, verifierName } from '../wording';
import { type TestedSeries, testLevel } from './series';
import { dailyOf, type DetectorWindow, windowDays } from './window';

/** Smaller changes are not reported: of costs and volumes as a factor, of failures in points. */
const costFactor = 1.1;
const volumeFactor = 0.8;
const failurePoints = 0.01;
/** Fewer per day are not enough to measure volume. */
const minPerDay = 5;

/** A sum and the number of its values on one day. */
export interface DaySum {
  readonly sum: number;
  readonly count: number;
}

type Counted = readonly (readonly [day: number, sum: number, count: number])[];

/** Adds several counts of a day, such as those of two names of a model. */
function sumsOf(counted: Counted): readonly DaySum[] {
  const days = dailyOf((): DaySum => ({ sum: 0, count: 0 }));
  for (const [at, sum, count] of counted) {
    const day = days[at] ?? { sum: 0, count: 0 };
    days[at] = { sum: day.sum + sum, count: day.count + count };
  }
  return days;
}

const total = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);

/** The mean over the events of some days. */
const meanOf =
  (days: readonly DaySum[]) =>
  (of: readonly number[]): number =>
    total(of.map((day) => days[day]?.sum ?? 0)) / total(of.map((day) => days[day]?.count ?? 0));

const meanPerDay = ({ sum, count }: DaySum): number | null => (count === 0 ? null : sum / count);

/** The mean cost of an answer of each model. */
export async function testCosts(
  ctx: ProjectCtx,
  { first, today }: DetectorWindow,
): Promise<readonly TestedSeries[]> {
  const { sql, projectId } = ctx;
  const rows = await sql<{ model: string; days: Counted }[]>`
    select model, jsonb_agg(jsonb_build_array(at, usd, answers)) as days from (
      select ${identityOf(ctx, sql`d.project_id`, sql`(c ->> 0)`)} as model, d.day - ${first}::date as at, c -> 1 as answers, c -> 2 as usd
      from finding_days d cross join lateral jsonb_array_elements(d.counts -> 'costs') as c
      where d.project_id = ${projectId} and d.day >= ${first}::date and d.day < ${today}::date
    ) as counted group by 1 order by 1`;
  return rows.flatMap(({ model, days }) => testCost(model, sumsOf(days)) ?? []);
}

/** @param days US dollars and answers */
export function testCost(model: string, days: readonly DaySum[]): TestedSeries | null {
  const name = model === '' ? 'no model named' : model;
  return testLevel(
    {
      kind: 'cost_rose',
      series: model,
      name,
      verifier: null,
      href: (since) =>
        `/traces?${new URLSearchParams({ ...(model !== '' && { model }), ...(since !== null && { from: since.toISOString() }) }).toString()}`,
    },
    {
      side: 'higher',
      period: 7,
      days: days.map(meanPerDay),
      levelOf: meanOf(days),
      isReported: (before, after) => after >= before * costFactor,
      quiet: (usd) =>
        `Cost per answer of ${name}: ${dollars(usd)} in ${windowDays} days, without a significant rise.`,
      changed: (before, after, since) =>
        `Cost per answer of ${name} rose from ${dollars(before)} to ${dollars(after)} since ${since}.`,
    },
  );
}

/** The share of calls to each judge that got no answer. */
export async function testJudgeFailures(
  { sql, projectId }: ProjectCtx,
  { first, today }: DetectorWindow,
): Promise<readonly TestedSeries[]> {
  const rows = await sql<{ judge: string; days: Counted }[]>`
    select c ->> 0 as judge, jsonb_agg(jsonb_build_array(d.day - ${first}::date, c -> 1, c -> 2)) as days
    from finding_days d cross join lateral jsonb_array_elements(d.counts -> 'judges') as c
    where d.project_id = ${projectId} and d.day >= ${first}::date and d.day < ${today}::date
    group by 1 order by 1`;
  return rows.flatMap(({ judge, days }) => testJudge(judge, sumsOf(days)) ?? []);
}

/** @param days failed calls and all calls */
export function testJudge(judge: string, days: readonly DaySum[]): TestedSeries | null {
  return testLevel(
    {
      kind: 'judge_failures_rose',
      series: judge,
      name: judge,
      verifier: null,
      href: () => '/settings/providers',
    },
    {
      side: 'higher',
      period: 1,
      days: days.map(meanPerDay),
      levelOf: meanOf(days),
      isReported: (before, after) => after >= before + failurePoints,
      quiet: (share) =>
        `${percent(share)} of calls to ${judge} failed in ${windowDays} days, without a significant rise.`,
      changed: (before, after, since) =>
        `Failed calls to ${judge} rose from ${percent(before)} to ${percent(after)} since ${since}.`,
    },
  );
}

/** The counted rows: all turns, the verdicts of a verifier, or the calls of a gateway route. */
type VolumeOf = 'turns' | 'verifier' | 'route';

/** The numbers of received turns, settled verdicts and calls, by past day. */
export async function testVolumes(
  { sql, projectId }: ProjectCtx,
  { first, today }: DetectorWindow,
): Promise<readonly TestedSeries[]> {
  const start = `${first}T00:00:00Z`;
  const rows = await sql<{ of: VolumeOf; value: string; days: Counted }[]>`
    select of, value, jsonb_agg(jsonb_build_array(day - ${first}::date, n, 1)) as days from (
      select of, value, day, sum(n)::int as n from (
        select 'turns' as of, '' as value, day, turns as n from intake_rollups where project_id = ${projectId}
        union all
        select 'turns', '', (received_at at time zone 'UTC')::date, -1 from turns
        where project_id = ${projectId} and received_at >= ${start}::timestamptz and origin = 'experiment'
        union all
        select 'verifier', verifier_slug, day, passed + failed + needs_review + steered + inconclusive + skipped
        from verdict_rollups where project_id = ${projectId}
        union all
        select 'route', route, (hour at time zone 'UTC')::date, calls from gateway_rollups
        where project_id = ${projectId} and hour >= ${start}::timestamptz
      ) as each
      where day >= ${first}::date and day < ${today}::date group by 1, 2, 3
    ) as counted group by 1, 2 order by 1, 2`;
  return rows.flatMap(({ of, value, days }) => {
    const counts = sumsOf(days).map(({ sum }) => sum);
    return testVolume(of, value, counts) ?? [];
  });
}

/** @param counts of the days of the window; today's is not used, nor those before the first */
export function testVolume(
  of: VolumeOf,
  value: string,
  counts: readonly number[],
): TestedSeries | null {
  const name = {
    turns: 'Turns',
    verifier: `Verdicts of ${verifierName(value)}`,
    route: `Calls of route ${value}`,
  }[of];
  const began = counts.findIndex((count) => count > 0);
  const countOf = (day: number): number => counts[day] ?? 0;
  const mean = (days: readonly number[]): number => total(days.map(countOf)) / days.length;
  return testLevel(
    {
      kind: 'volume_fell',
      series: of === 'turns' ? of : `${of}:${value}`,
      name,
      verifier: null,
      href: (since) => volumePage(of, value, since),
    },
    {
      side: 'lower',
      period: 7,
      days: counts.map((count, day) =>
        began === -1 || day < began || day === windowDays - 1 ? null : count,
      ),
      levelOf: mean,
      expectedOf: (before, after) =>
        total(after.map((day) => mean(before.filter((each) => each % 7 === day % 7)))) /
        after.length,
      isReported: (before, after) => before >= minPerDay && after <= before * volumeFactor,
      quiet: (level) =>
        `${name}: ${perDay(level)} in ${windowDays} days, without a significant fall.`,
      changed: (before, after, since) =>
        after === 0
          ? `${name} stopped on ${since}: there were ${perDay(before)} before.`
          : `${name} fell from ${perDay(before)} to ${perDay(after)} since ${since}, compared by weekday.`,
    },
  );
}

const perDay = (count: number): string =>
  `${count.toLocaleString('en', { maximumFractionDigits: count < 10 ? 1 : 0 })} a day`;

function volumePage(of: VolumeOf, value: string, since: Date | null): string {
  const from = since === null ? {} : { from: since.toISOString() };
  const query = (filters: Record<string, string>): string =>
    new URLSearchParams({ ...filters, ...from }).toString();
  return {
    turns: '/received',
    verifier: `/verdicts?${query({ verifier: value })}`,
    route: `/gateway/calls?${query({ route: value })}`,
  }[of];
}
