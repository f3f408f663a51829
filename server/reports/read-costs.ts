import type { ProjectCtx } from '../access';
import type { ReportedVerifier } from './report-content';
import type { SeriesCost } from './report-job';

type Cost = ReportedVerifier['cost'];

interface Row {
  series: string;
  verdicts: string;
  verifying_usd: number;
  unpriced: string;
  judge_calls: string;
  tokens: string;
  costed: string;
  work_usd: number;
  work_once_usd: number;
  verifying_costed_usd: number;
  over_budget: string;
}

/**
 * The cost of verifying for the verdicts settled from `from` (inclusive) to `to` (exclusive), by
 * series, with the cost of the work where known (VS-38, SOAR-32). Scans the verdicts: call it for
 * one day at a time. Work judged by several verifiers counts once in `workOnceUsd`.
 */
export async function readCosts(
  { sql, projectId }: ProjectCtx,
  from: Date,
  to: Date,
): Promise<SeriesCost[]> {
  const rows = await sql<Row[]>`
    select series, count(*) as verdicts, sum(cost_usd) as verifying_usd, count(*) filter (where price_unknown) as unpriced,
      sum(judge_calls) as judge_calls, sum(tokens) as tokens, count(work_usd) as costed, coalesce(sum(work_usd), 0) as work_usd,
      coalesce(sum(work_usd) filter (where nth = 1), 0) as work_once_usd,
      coalesce(sum(cost_usd) filter (where work_usd is not null), 0) as verifying_costed_usd, count(*) filter (where over_budget) as over_budget
    from (
      select v.verifier_slug || case when v.cross_model = 'self' then ':self' else '' end as series, v.cost_usd, v.price_unknown, v.judge_calls,
        v.tokens, v.over_budget, s.cost_usd as work_usd,
        row_number() over (partition by v.subject_kind, v.subject_id order by v.verifier_slug, v.id) as nth
      from verdicts v left join subjects s on s.project_id = ${projectId} and s.kind = v.subject_kind and s.id = v.subject_id
      where v.project_id = ${projectId} and v.experiment_id is null and v.settled_at >= ${from.toISOString()}::timestamptz and v.settled_at < ${to.toISOString()}::timestamptz
    ) as settled group by series`;
  return rows.map((row) => ({
    series: row.series,
    verdicts: Number(row.verdicts),
    verifyingUsd: row.verifying_usd,
    unpriced: Number(row.unpriced),
    judgeCalls: Number(row.judge_calls),
    tokens: Number(row.tokens),
    costed: Number(row.costed),
    workUsd: row.work_usd,
    workOnceUsd: row.work_once_usd,
    verifyingCostedUsd: row.verifying_costed_usd,
    overBudget: Number(row.over_budget),
  }));
}

const amounts = [
  'verdicts',
  'verifyingUsd',
  'unpriced',
  'judgeCalls',
  'tokens',
  'costed',
  'workUsd',
  'workOnceUsd',
  'verifyingCostedUsd',
  'overBudget',
] as const satisfies readonly (keyof SeriesCost)[];

/** Sums costs of several days by series. Pure. */
export function addCosts(all: readonly SeriesCost[]): SeriesCost[] {
  const sums = new Map<string, SeriesCost>();
  for (const each of all) {
    const sum = {
      ...(sums.get(each.series) ?? {
        ...each,
        ...Object.fromEntries(amounts.map((name) => [name, 0])),
      }),
    };
    for (const name of amounts) sum[name] += each[name];
    sums.set(each.series, sum);
  }
  return [...sums.values()];
}

/** Shares are null if no cost of work is known, or if it is zero. Pure. */
function costOf(cost: SeriesCost): Cost {
  return {
    verdicts: cost.verdicts,
    verifying_usd: cost.verifyingUsd,
    unpriced: cost.unpriced,
    judge_calls: cost.judgeCalls,
    tokens: cost.tokens,
    costed: cost.costed,
    work_usd: cost.workUsd,
    verifying_costed_usd: cost.verifyingCostedUsd,
    share: cost.costed === 0 || cost.workUsd <= 0 ? null : cost.verifyingCostedUsd / cost.workUsd,
    over_budget: cost.overBudget,
  };
}

/** The cost of all series together; work judged by several verifiers counts once. Pure. */
export function costOfAll(costs: readonly SeriesCost[]): Cost {
  const [all] = addCosts(costs.map((each) => ({ ...each, series: '', workUsd: each.workOnceUsd })));
  return costOf(
    all ?? {
      series: '',
      verdicts: 0,
      verifyingUsd: 0,
      unpriced: 0,
      judgeCalls: 0,
      tokens: 0,
      costed: 0,
      workUsd: 0,
      workOnceUsd: 0,
      verifyingCostedUsd: 0,
      overBudget: 0,
    },
  );
}

/**
 * Adds a verifier's cost and its cost per caught defect: the cost of judging divided by the defects
 * among the flagged verdicts, as estimated from the labels of flagged ones. Null with fewer than 20
 * of these labels, or if none was bad. Pure.
 */
export function withCost(
  reported: ReportedVerifier,
  cost: SeriesCost | undefined,
): ReportedVerifier {
  if (cost === undefined) return reported;
  const { caught_cost: before } = reported;
  const { value, state } = before.precision;
  const caught =
    value === null || state === 'no_data' || state === 'insufficient'
      ? null
      : before.flagged * value;
  return {
    ...reported,
    cost: costOf(cost),
    caught_cost: {
      ...before,
      caught,
      usd: caught === null || caught === 0 ? null : cost.verifyingUsd / caught,
    },
  };
}
