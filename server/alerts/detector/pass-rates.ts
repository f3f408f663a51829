import type { ProjectCtx } from '../../access';
import { quantityText } from '../../domain';
import { identityOf } from '../../ingest';
import type { DayShare } from '../../stats';
import { percent, verifierName } from '../wording';
import { shareOf, type TestedSeries, testShare } from './series';
import { dailyOf, type DetectorWindow, recentDays, windowDays } from './window';

/** The series with the most verdicts: by model, and by the other dimensions together. */
const modelsMax = 200;
const othersMax = 100;
/** A value that covers this share of a verifier's verdicts is not a series of its own. */
const wholeShare = 0.9;

interface RateRow {
  verifier: string;
  /** `model`, `route`, `tag`, `prompt`, or `all` without a value. */
  dimension: string;
  value: string;
  days: [day: number, passed: number, decided: number][];
}

/** The verdicts of a verifier on a part of the work, by day of the window. */
export interface RateSeries {
  /** Identifies the series among all findings. */
  readonly series: string;
  readonly verifier: string;
  /** A model, or a word with a value, as `route chat`; null for verdicts that name no model. */
  readonly part: string | null;
  readonly days: readonly DayShare[];
}

/** The pass rates of verifiers by model, gateway route, tag of the trace and prompt version. */
export async function testPassRates(
  ctx: ProjectCtx,
  window: DetectorWindow,
): Promise<readonly TestedSeries[]> {
  return (await readRows(ctx, window)).flatMap((row) => testRow(row) ?? []);
}

/** The same series, without a test. */
export async function readRateSeries(
  ctx: ProjectCtx,
  window: DetectorWindow,
): Promise<readonly RateSeries[]> {
  return (await readRows(ctx, window)).map(seriesOf);
}

async function readRows(ctx: ProjectCtx, window: DetectorWindow): Promise<readonly RateRow[]> {
  const [models, otherDimensions] = [await readModels(ctx, window), await readOthers(ctx, window)];
  const decided = ({ days }: RateRow): number => days.reduce((sum, [, , n]) => sum + n, 0);
  const all = new Map(
    otherDimensions
      .filter(({ dimension }) => dimension === 'all')
      .map((row) => [row.verifier, decided(row)]),
  );
  const parts = otherDimensions
    .filter((row) => row.dimension !== 'all')
    .filter(
      (row) => decided(row) < wholeShare * (all.get(row.verifier) ?? Number.POSITIVE_INFINITY),
    )
    .slice(0, othersMax);
  return [...models, ...parts];
}

function readModels(
  ctx: ProjectCtx,
  { first, today }: DetectorWindow,
): Promise<readonly RateRow[]> {
  const { sql, projectId } = ctx;
  return sql<RateRow[]>`
    select verifier, 'model' as dimension, model as value, jsonb_agg(jsonb_build_array(at, passed, decided)) as days from (
      select r.verifier_slug as verifier, ${identityOf(ctx, sql`r.project_id`, sql`r.model`)} as model,
        r.day - ${first}::date as at, sum(r.passed)::int as passed, sum(r.passed + r.failed)::int as decided
      from verdict_rollups r
      where r.project_id = ${projectId} and r.day between ${first}::date and ${today}::date
      group by 1, 2, 3
    ) as counted
    group by 1, 3 order by sum(decided) desc, 1, 3 limit ${modelsMax}`;
}

function readOthers(
  { sql, projectId }: ProjectCtx,
  { first, today }: DetectorWindow,
): Promise<readonly RateRow[]> {
  // Twice as many, since they include totals and values without their own series.
  return sql<RateRow[]>`
    select c ->> 0 as verifier, c ->> 1 as dimension, c ->> 2 as value,
      jsonb_agg(jsonb_build_array(d.day - ${first}::date, c -> 3, c -> 4)) as days
    from finding_days d cross join lateral jsonb_array_elements(d.counts -> 'rates') as c
    where d.project_id = ${projectId} and d.day >= ${first}::date and d.day < ${today}::date
    group by 1, 2, 3 order by sum((c ->> 4)::int) desc, 1, 2, 3 limit ${2 * othersMax}`;
}

const dimensionWords: Readonly<Record<string, string>> = {
  route: 'route ',
  tag: 'tag ',
  prompt: 'prompt ',
};

function seriesOf({ verifier, dimension, value, days: counted }: RateRow): RateSeries {
  const days: DayShare[] = dailyOf(() => ({ passed: 0, decided: 0 }));
  for (const [at, passed, decided] of counted) days[at] = { passed, decided };
  const isModel = dimension === 'model';
  return {
    series: isModel ? `${verifier}/${value}` : `${verifier}/${dimension}:${value}`,
    verifier,
    part: isModel && value === '' ? null : `${dimensionWords[dimension] ?? ''}${value}`,
    days,
  };
}

function testRow(row: RateRow): TestedSeries | null {
  const { series, verifier, part, days } = seriesOf(row);
  const name = `${verifierName(verifier)}, ${part ?? 'no model named'}`;
  return testShare(
    {
      kind: 'pass_rate_fell',
      series,
      name,
      verifier,
      href: (since) => rowsOf(row, since),
    },
    {
      days,
      quiet: ({ passed, decided }) =>
        `${name}: ${percent(passed / decided)} of ${quantityText(decided, 'verdict')} passed in ${windowDays} days, without a significant fall in the last ${recentDays}.`,
      changed: (before, after, since) =>
        `${name}: ${percent(shareOf(after))} of ${quantityText(after.decided, 'verdict')} passed since ${since}, and ${percent(shareOf(before))} of ${quantityText(before.decided, 'verdict')} before.`,
    },
  );
}

function rowsOf({ verifier, dimension, value }: Omit<RateRow, 'days'>, since: Date | null): string {
  const from = since === null ? {} : { from: since.toISOString() };
  if (dimension === 'route')
    return `/gateway/calls?${new URLSearchParams({ route: value, ...from }).toString()}`;
  const part =
    dimension === 'all' || (dimension === 'model' && value === '') ? {} : { [dimension]: value };
  const failed = since === null ? {} : { outcome: 'failed' };
  return `/verdicts?${new URLSearchParams({ verifier, ...part, ...failed, ...from }).toString()}`;
}
