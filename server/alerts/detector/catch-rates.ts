import type { ProjectCtx } from '../../access';
import { quantityText } from '../../domain';
import type { DayShare } from '../../stats';
import { percent, verifierName } from '../wording';
import { shareOf, type TestedSeries, testShare } from './series';
import { dailyOf, type DetectorWindow, recentDays, windowDays } from './window';

/** The share of labelled failures that each verifier caught, by the day of the verdict. */
export async function testCatchRates(
  { sql, projectId }: ProjectCtx,
  { first, today }: DetectorWindow,
): Promise<readonly TestedSeries[]> {
  const rows = await sql<{ series: string; days: [number, number, number][] }[]>`
    select series, jsonb_agg(jsonb_build_array(at, caught, bad)) as days from (
      select series, day - ${first}::date as at, sum(caught)::int as caught, sum(caught + missed)::int as bad
      from judgement_rollups
      where project_id = ${projectId} and origin = 'verifier' and day between ${first}::date and ${today}::date
      group by 1, 2
    ) as counted group by 1 order by 1`;
  return rows.flatMap(({ series, days: counted }) => {
    const days: DayShare[] = dailyOf(() => ({ passed: 0, decided: 0 }));
    for (const [at, passed, decided] of counted) days[at] = { passed, decided };
    return testCaught(series, days) ?? [];
  });
}

/** @param days the number of labelled failures that it caught (`passed`), out of all (`decided`) */
export function testCaught(series: string, days: readonly DayShare[]): TestedSeries | null {
  const name = verifierName(series);
  return testShare(
    {
      kind: 'catch_rate_fell',
      series,
      name,
      verifier: series,
      href: (since) =>
        `/calibration/rows?${new URLSearchParams({ verifier: series, cell: 'missed', ...(since !== null && { from: since.toISOString() }) }).toString()}`,
    },
    {
      days,
      quiet: ({ passed, decided }) =>
        `${name} caught ${percent(passed / decided)} of ${quantityText(decided, 'labelled failure')} in ${windowDays} days, without a significant fall in the last ${recentDays}.`,
      changed: (before, after, since) =>
        `${name} caught ${percent(shareOf(after))} of ${quantityText(after.decided, 'labelled failure')} since ${since}, and ${percent(shareOf(before))} of ${quantityText(before.decided, 'labelled failure')} before.`,
    },
  );
}
