import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { readVerifierName, seriesOf } from '../../domain';
import { subjectKinds } from '../../verifiers';
import type { Wanted } from './judgements';
import { seriesColumn } from './judgements-of';

export interface OutcomeCount {
  /** Verdicts that passed or failed. */
  readonly decided: number;
  readonly passes: number;
}

const dayMs = 86_400_000;

/** Kinds whose work a model may judge itself; what it then says is a series of its own (X-2), which rollups do not know. All are checkpoints, for whose verdicts there is an index. */
const selfJudgedKinds = [...subjectKinds.values()].flatMap((kind) => (kind.selfJudging === undefined ? [] : [kind.name]));

/**
 * How many verdicts of each verifier passed and failed by the machine, whatever people said, by its name. Whole UTC days come from the
 * rollups, what is left of the first and the last day from the verdicts; one version of a verifier, or one judge, wholly from the verdicts,
 * since rollups know neither.
 */
export async function countOutcomes(ctx: ProjectCtx, wanted: Wanted): Promise<Map<string, OutcomeCount>> {
  const { sql, projectId } = ctx;
  const { judge } = wanted;
  const name = wanted.verifier === undefined ? null : readVerifierName(wanted.verifier);
  const ofSlug = name === null ? sql`` : sql`and verifier_slug = ${name.slug}`;
  const version = name?.version ?? null;
  const decided = ({ from, to }: Period): Fragment => sql`
    project_id = ${projectId} and outcome in ('passed', 'failed') ${ofSlug}
    ${from === undefined ? sql`` : sql`and settled_at >= ${from.toISOString()}::timestamptz`}
    ${to === undefined ? sql`` : sql`and settled_at < ${to.toISOString()}::timestamptz`}`;
  const counted = sql`(outcome = 'passed')::int as passed, (outcome = 'failed')::int as failed`;
  const { days, edges } = version === null && judge === undefined ? splitPeriod(wanted) : { days: null, edges: [wanted] };
  const parts = [
    ...(days === null
      ? []
      : [
          sql`select verifier_slug as series, passed, failed from verdict_rollups where project_id = ${projectId} ${ofSlug}
            ${days.from === undefined ? sql`` : sql`and day >= ${days.from}::date`} ${days.to === undefined ? sql`` : sql`and day < ${days.to}::date`}`,
          sql`select moved.series, moved.sign * passed, moved.sign * failed
            from (
              select verifier_slug, ${seriesColumn(ctx)} as own, ${counted} from verdicts v
              where ${decided(momentsOf(days))} and cross_model = 'self'
                and kind in ('decomposition', 'agent-output', 'synthesis') and kind in ${sql(selfJudgedKinds)}
            ) as judged, lateral (values (own, 1), (verifier_slug, -1)) as moved(series, sign)`,
        ]),
    ...edges.map(
      (edge) => sql`select ${seriesColumn(ctx)} as series, ${counted} from verdicts v where ${decided(edge)}
        ${version === null ? sql`` : sql`and verifier_version = ${version}`}
        ${judge === undefined ? sql`` : sql`and judge_model = ${judge}`}`,
    ),
  ];
  const all = parts.reduce((before, part) => sql`${before} union all ${part}`);
  const counts = await sql<{ series: string; passed: string; failed: string }[]>`
    select series, sum(passed) as passed, sum(failed) as failed from (${all}) as parts
    ${name === null ? sql`` : sql`where series = ${seriesOf(name)}`} group by 1`;
  return new Map(counts.map((row) => [row.series, { passes: Number(row.passed), decided: Number(row.passed) + Number(row.failed) }]));
}

/** The first moment of whole UTC days, and the first after them. */
function momentsOf({ from, to }: { readonly from?: string; readonly to?: string }): Period {
  const moment = (day: string): Date => new Date(`${day}T00:00:00Z`);
  return { ...(from !== undefined && { from: moment(from) }), ...(to !== undefined && { to: moment(to) }) };
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
