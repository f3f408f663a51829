import type { ProjectCtx } from '../access';
import { cells, sampledIn } from './cells';
import { rollups } from './count-labelled-verdicts';
import { countOutcomes } from './count-outcomes';
import { areNamed, type Wanted } from './labelled-verdicts';
import type { AuditReach } from './rates';
import { countSlice } from './report-population';
import { type ReportScope, reportRows } from './report-rows';
import type { Slice } from './report-input';

const dayMs = 86_400_000;

interface ReachRow {
  aged: string;
  aged_labelled: string;
  first: string | null;
}

/**
 * Counts, by series, the verdicts that each verifier's audit sample represents: those decided from
 * the first drawn one on. An audit that began within the period has drawn no earlier verdicts.
 * Omits verifiers without a draw.
 */
export async function readAuditReach(
  ctx: ProjectCtx,
  wanted: Wanted,
): Promise<Map<string, AuditReach>> {
  const { sql, projectId } = ctx;
  const labelled = cells
    .map((cell) => sql`${sql(`sample_${cell}`)}`)
    .reduce((before, each) => sql`${before} + ${each}`);
  const old = sql`day < ${agedBefore(ctx).toISOString().slice(0, 10)}::date`;
  const days = {
    from: wanted.from?.toISOString().slice(0, 10),
    to: wanted.to && dayAfter(wanted.to),
  };
  const rows = await sql<(ReachRow & { series: string })[]>`
    with drawn as (
      select series, min(day) filter (where sample_drawn > 0) as first_day, coalesce(sum(sample_drawn) filter (where ${old}), 0) as aged,
        coalesce(sum(${labelled}) filter (where ${old}), 0) as aged_labelled
      from ${rollups(ctx, 'verifier', wanted, days)} group by series having sum(sample_drawn) > 0
    )
    select d.series, d.aged, d.aged_labelled, f.first::text from drawn d cross join lateral (
      select min(j.at) as first from judgements j
      where j.project_id = ${projectId} and j.origin = 'verifier' and j.series = d.series ${areNamed(ctx, 'verifier', wanted)}
        and j.at >= d.first_day::timestamp at time zone 'UTC' and ${sampledIn(ctx, 'drawn')}
        ${wanted.from === undefined ? sql`` : sql`and j.at >= ${wanted.from.toISOString()}::timestamptz`}
    ) as f`;
  const found = await Promise.all(
    rows.map(async ({ series, first, ...row }): Promise<[string, AuditReach] | null> => {
      if (first === null) return null;
      const counted = await countOutcomes(ctx, {
        ...wanted,
        verifier: wanted.verifier ?? series,
        from: new Date(first),
      });
      return [series, { ...(counted.get(series) ?? { decided: 0, passes: 0 }), ...agedOf(row) }];
    }),
  );
  return new Map(found.flatMap((each) => (each === null ? [] : [each])));
}

/** The same for a slice, computed from the rows. */
export async function readSliceReach(
  ctx: ProjectCtx,
  scope: ReportScope,
  slice: Slice,
): Promise<AuditReach | undefined> {
  const { sql } = ctx;
  const ruled = cells
    .map((cell) => sampledIn(ctx, cell))
    .reduce((before, each) => sql`${before} or ${each}`);
  const old = sql`at < ${agedBefore(ctx).toISOString()}::timestamptz`;
  const [row] = await sql<ReachRow[]>`
    select min(at)::text as first, count(*) filter (where ${old}) as aged, count(*) filter (where ${old} and (${ruled})) as aged_labelled
    from (${reportRows(ctx, scope, ['policy'])}) as reported where ${sampledIn(ctx, 'drawn')}`;
  if (row === undefined || row.first === null) return undefined;
  return {
    ...(await countSlice(ctx, { ...scope, from: new Date(row.first) }, slice)),
    ...agedOf(row),
  };
}

const agedOf = ({
  aged,
  aged_labelled: labelled,
}: Pick<ReachRow, 'aged' | 'aged_labelled'>): Pick<AuditReach, 'aged' | 'agedLabelled'> => ({
  aged: Number(aged),
  agedLabelled: Number(labelled),
});

/**
 * Aligned to a whole UTC day to make daily counts and rows agree. Older verdicts were drawn at
 * least a day ago.
 */
function agedBefore({ clock }: ProjectCtx): Date {
  return new Date((Math.floor(clock.now().getTime() / dayMs) - 1) * dayMs);
}

/** The first whole day after a time. */
function dayAfter(at: Date): string {
  return new Date(Math.ceil(at.getTime() / dayMs) * dayMs).toISOString().slice(0, 10);
}
