import type { ProjectCtx } from '../access';
import type { CorrelationOf } from '../stats';
import { type CountRow, cellCounts, cellSums, countsOf } from './cells';
import { splitPeriod } from './count-outcomes';
import { areNamed, labelledVerdictRows, type Wanted } from './labelled-verdicts';
import type { Origin } from './measure-input';
import type { DaySpan } from './populations';
import type { Counts } from './rates';
import { aboutMeans, correlationOfRow, type PairRow } from './score-pairs';

/** The counts of one series: a verifier, or an imported judge. */
export interface Counted {
  readonly series: string;
  readonly counts: Counts;
  readonly correlation: CorrelationOf;
}

/**
 * The matrix of each series. Reads whole UTC days from the rollups, and the rest of the first and
 * last day from the rows. If the rulings of an account outweigh others, reads everything from the
 * rows.
 */
export async function countLabelledVerdicts(
  ctx: ProjectCtx,
  origin: Origin,
  wanted: Wanted,
): Promise<Counted[]> {
  const { sql } = ctx;
  const outweighs = origin === 'verifier' && (wanted.outweighing ?? []).length > 0;
  const { days, edges } = outweighs ? { days: null, edges: [wanted] } : splitPeriod(wanted);
  const parts = [
    ...(days === null
      ? []
      : [
          sql`select j.series, ${cellSums(ctx)} from ${rollups(ctx, origin, wanted, days)} group by j.series`,
        ]),
    ...edges.map(
      ({ from, to }) =>
        sql`select series, ${cellCounts(ctx)} from (${labelledVerdictRows(ctx, origin, { ...wanted, from, to })}) as judged group by series`,
    ),
  ];
  const all = parts.reduce((before, part) => sql`${before} union all ${part}`);
  const rows = await sql<
    (CountRow & PairRow & { series: string })[]
  >`select series, ${cellSums(ctx)}, ${aboutMeans(ctx)} from (${all}) as parts group by series order by series`;
  return rows
    .map((row) => ({
      series: row.series,
      counts: countsOf(row),
      correlation: correlationOfRow(row),
    }))
    .filter(({ counts }) => anyCounted(counts));
}

/** Rollup rows of these days, as `j`, for use in a `from` clause. */
export function rollups(ctx: ProjectCtx, origin: Origin, wanted: Wanted, days: DaySpan) {
  const { sql, projectId } = ctx;
  return sql`
    judgement_rollups j where j.project_id = ${projectId} and j.origin = ${origin} ${areNamed(ctx, origin, wanted)}
    ${days.from === undefined ? sql`` : sql`and j.day >= ${days.from}::date`} ${days.to === undefined ? sql`` : sql`and j.day < ${days.to}::date`}`;
}

/** Excludes series whose counts have all returned to zero. */
function anyCounted({ sample: _, drawn, audit: __, ...counts }: Counts): boolean {
  return drawn.n > 0 || Object.values(counts).some((count) => count !== 0);
}
