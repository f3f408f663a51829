import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { readVerifier, type Wanted } from './judgements';

export interface OutcomeCount {
  /** Verdicts that passed or failed. */
  readonly decided: number;
  readonly passes: number;
}

const dayMs = 86_400_000;

/**
 * How many verdicts of each verifier passed and failed by the machine, whatever people said. Whole UTC days come from the rollups, what
 * is left of the first and the last day from the verdicts; one version of a verifier, or one judge, wholly from the verdicts, since rollups
 * know neither.
 */
export async function countOutcomes(ctx: ProjectCtx, wanted: Wanted): Promise<Map<string, OutcomeCount>> {
  const { sql, projectId } = ctx;
  const { judge } = wanted;
  const { slug, version } = readVerifier(wanted.verifier ?? '');
  const ofSlug = wanted.verifier === undefined ? sql`` : sql`and verifier_slug = ${slug}`;
  const rows = (from: Date | undefined, to: Date | undefined): Fragment => sql`
    select verifier_slug, (outcome = 'passed')::int as passed, (outcome = 'failed')::int as failed
    from verdicts where project_id = ${projectId} and outcome in ('passed', 'failed') ${ofSlug}
      ${version === null ? sql`` : sql`and verifier_version = ${version}`}
      ${judge === undefined ? sql`` : sql`and judge_model = ${judge}`}
      ${from === undefined ? sql`` : sql`and settled_at >= ${from.toISOString()}::timestamptz`}
      ${to === undefined ? sql`` : sql`and settled_at < ${to.toISOString()}::timestamptz`}`;
  const { days, edges } = version === null && judge === undefined ? splitPeriod(wanted) : { days: null, edges: [wanted] };
  const parts = [
    ...(days === null
      ? []
      : [
          sql`select verifier_slug, passed, failed from verdict_rollups where project_id = ${projectId} ${ofSlug}
            ${days.from === undefined ? sql`` : sql`and day >= ${days.from}::date`} ${days.to === undefined ? sql`` : sql`and day < ${days.to}::date`}`,
        ]),
    ...edges.map((edge) => rows(edge.from, edge.to)),
  ];
  const all = parts.reduce((before, part) => sql`${before} union all ${part}`);
  const counts = await sql<{ verifier_slug: string; passed: string; failed: string }[]>`
    select verifier_slug, sum(passed) as passed, sum(failed) as failed from (${all}) as parts group by 1`;
  return new Map(
    counts.map((row) => [row.verifier_slug, { passes: Number(row.passed), decided: Number(row.passed) + Number(row.failed) }]),
  );
}

interface Period {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Whole UTC days, by their names, and the parts of days before and after them. */
export function splitPeriod({ from, to }: Period): {
  readonly days: { readonly from?: string; readonly to?: string } | null;
  readonly edges: readonly Period[];
} {
  const first = from === undefined ? undefined : new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const last = to === undefined ? undefined : new Date(Math.floor(to.getTime() / dayMs) * dayMs);
  if (first !== undefined && last !== undefined && first > last) return { days: null, edges: [{ from, to }] };
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  return {
    days: { ...(first !== undefined && { from: day(first) }), ...(last !== undefined && { to: day(last) }) },
    edges: [
      ...(from !== undefined && first !== undefined && first > from ? [{ from, to: first }] : []),
      ...(to !== undefined && last !== undefined && last < to ? [{ from: last, to }] : []),
    ],
  };
}
