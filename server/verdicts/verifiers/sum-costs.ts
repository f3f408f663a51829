import type { ProjectCtx } from '../../access';

/** The cost of judging and the cost of the judged work, in US dollars. */
export interface CostSum {
  readonly days: number;
  readonly verdicts: number;
  /** The number of verdicts for which a model was called. */
  readonly judged: number;
  readonly judgingUsd: number;
  readonly tokens: number;
  /**
   * The number of verdicts for which a model of unknown price was called; if there are any,
   * `judgingUsd` and `share` are lower bounds.
   */
  readonly unpriced: number;
  /**
   * The number of verdicts on work with a known cost; `share` covers only these, and is null
   * without them.
   */
  readonly priced: number;
  readonly workUsd: number;
  readonly share: number | null;
}

interface Row {
  days: number;
  verdicts: number;
  judged: number;
  judging_usd: number;
  tokens: string;
  unpriced: number;
  priced: number;
  work_usd: number;
  judging_priced_usd: number;
}

/** The costs of one verifier over several periods, in days, that end now. */
export async function sumCosts(
  ctx: ProjectCtx,
  slug: string,
  periods: readonly number[],
): Promise<CostSum[]> {
  const longest = Math.max(0, ...periods);
  const rows = await ctx.sql<Row[]>`
    with judged as (
      select v.settled_at, v.judge_calls, v.cost_usd, v.price_unknown, v.tokens, s.cost_usd as work_usd
      from verdicts v
      left join subjects s on s.project_id = v.project_id and s.kind = v.subject_kind and s.id = v.subject_id
      where v.project_id = ${ctx.projectId} and v.verifier_slug = ${slug} and v.subject_kind <> 'turn' and v.experiment_id is null
        and v.settled_at >= now() - ${longest} * interval '1 day'
    )
    select p.days::int as days, count(j.settled_at)::int as verdicts, (count(*) filter (where j.judge_calls > 0))::int as judged,
      coalesce(sum(j.cost_usd), 0)::double precision as judging_usd, coalesce(sum(j.tokens), 0)::bigint as tokens,
      (count(*) filter (where j.price_unknown))::int as unpriced, count(j.work_usd)::int as priced, coalesce(sum(j.work_usd), 0)::double precision as work_usd,
      coalesce(sum(j.cost_usd) filter (where j.work_usd is not null), 0)::double precision as judging_priced_usd
    from jsonb_array_elements_text(${JSON.stringify(periods)}::text::jsonb) as p(days)
    left join judged j on j.settled_at >= now() - p.days::int * interval '1 day'
    group by p.days order by 1`;
  return rows.map((row) => ({
    days: row.days,
    verdicts: row.verdicts,
    judged: row.judged,
    judgingUsd: row.judging_usd,
    tokens: Number(row.tokens),
    unpriced: row.unpriced,
    priced: row.priced,
    workUsd: row.work_usd,
    share: row.priced === 0 || row.work_usd <= 0 ? null : row.judging_priced_usd / row.work_usd,
  }));
}
