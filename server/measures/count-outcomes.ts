import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { readVerifierName, seriesOf } from '../domain';
import type { Wanted } from './labelled-verdicts';
import { seriesColumn } from './labelled-verdicts-of';
import { type DaySpan, populations } from './populations';

export interface OutcomeCount {
  /** Verdicts that passed or failed. */
  readonly decided: number;
  readonly passes: number;
}

const dayMs = 86_400_000;

/**
 * How many verdicts of each verifier, by name, passed and failed before rulings of people. Reads
 * whole UTC days from the counters written on settling, and the rest of the first and last day from
 * the verdicts.
 */
export async function countOutcomes(
  ctx: ProjectCtx,
  wanted: Wanted,
): Promise<Map<string, OutcomeCount>> {
  const { sql, projectId } = ctx;
  const { judge } = wanted;
  const name = wanted.verifier === undefined ? null : readVerifierName(wanted.verifier);
  const [slug, version] = [name?.slug ?? null, name?.version ?? null];
  const { days, edges } = splitPeriod(wanted);
  const wholeDays =
    days === null
      ? []
      : version === null && judge === undefined
        ? ofRollups(ctx, days, slug)
        : [populations(ctx, days, { slug, version, judge })];
  const parts = [
    ...wholeDays,
    ...edges.map(
      ({ from, to }) => sql`
        select ${seriesColumn(ctx)} as series, (outcome = 'passed')::int as passed, (outcome = 'failed')::int as failed from verdicts v
        where project_id = ${projectId} and outcome in ('passed', 'failed') and not superseded and experiment_id is null ${slug === null ? sql`` : sql`and verifier_slug = ${slug}`}
          ${from === undefined ? sql`` : sql`and settled_at >= ${from.toISOString()}::timestamptz`}
          ${to === undefined ? sql`` : sql`and settled_at < ${to.toISOString()}::timestamptz`}
          ${version === null ? sql`` : sql`and verifier_version = ${version}`}
          ${judge === undefined ? sql`` : sql`and judge_model = ${judge}`}`,
    ),
  ];
  const all = parts.reduce((before, part) => sql`${before} union all ${part}`);
  const counts = await sql<{ series: string; passed: string; failed: string }[]>`
    select series, sum(passed) as passed, sum(failed) as failed from (${all}) as parts
    ${name === null ? sql`` : sql`where series = ${seriesOf(name)}`} group by 1`;
  return new Map(
    counts.map((row) => [
      row.series,
      { passes: Number(row.passed), decided: Number(row.passed) + Number(row.failed) },
    ]),
  );
}

/**
 * Counts all versions and judges. Self-judged work is a separate series (X-2). Counters of an
 * earlier release do not separate it; for their days it is found among the verdicts, by the index
 * of checkpoints: no other verifier lets a model judge itself.
 */
function ofRollups({ sql, projectId }: ProjectCtx, days: DaySpan, slug: string | null): Fragment[] {
  const within = sql`
    r.project_id = ${projectId} ${slug === null ? sql`` : sql`and r.verifier_slug = ${slug}`}
    ${days.from === undefined ? sql`` : sql`and r.day >= ${days.from}::date`} ${days.to === undefined ? sql`` : sql`and r.day < ${days.to}::date`}`;
  return [
    sql`
      select each.series, each.passed, each.failed from verdict_rollups r, lateral (values
        (r.verifier_slug, r.passed - coalesce(r.self_passed, 0), r.failed - coalesce(r.self_failed, 0)),
        (r.verifier_slug || ':self', r.self_passed, r.self_failed)
      ) as each(series, passed, failed) where ${within} and (each.series = r.verifier_slug or each.passed + each.failed > 0)`,
    // With `offset 0` PostgreSQL reads no verdict if there is no such day.
    sql`
      select moved.series, moved.sign * (v.outcome = 'passed')::int, moved.sign * (v.outcome = 'failed')::int
      from (
        select min(r.day)::timestamp at time zone 'UTC' as first, (max(r.day) + 1)::timestamp at time zone 'UTC' as after
        from verdict_rollups r where ${within} and r.self_passed is null having count(*) > 0
      ) as span
      cross join lateral (
        select verifier_slug, coalesce(model, '') as model, outcome, (settled_at at time zone 'UTC')::date as day from verdicts
        where project_id = ${projectId} and kind in ('decomposition', 'agent-output', 'synthesis') and settled_at >= span.first
          and settled_at < span.after and outcome in ('passed', 'failed') and cross_model = 'self' and experiment_id is null offset 0
      ) as v
      join verdict_rollups r on ${within} and r.day = v.day and r.verifier_slug = v.verifier_slug and r.model = v.model and r.self_passed is null,
        lateral (values (v.verifier_slug || ':self', 1), (v.verifier_slug, -1)) as moved(series, sign)`,
  ];
}

interface Period {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Splits a period into whole UTC days, as dates, and the partial days before and after them. */
export function splitPeriod({ from, to }: Period): {
  readonly days: DaySpan | null;
  readonly edges: readonly Period[];
} {
  const first =
    from === undefined ? undefined : new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const last = to === undefined ? undefined : new Date(Math.floor(to.getTime() / dayMs) * dayMs);
  if (first !== undefined && last !== undefined && first > last)
    return { days: null, edges: [{ from, to }] };
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  return {
    days: {
      ...(first !== undefined && { from: day(first) }),
      ...(last !== undefined && { to: day(last) }),
    },
    edges: [
      ...(from !== undefined && first !== undefined && first > from ? [{ from, to: first }] : []),
      ...(to !== undefined && last !== undefined && last < to ? [{ from: last, to }] : []),
    ],
  };
}
