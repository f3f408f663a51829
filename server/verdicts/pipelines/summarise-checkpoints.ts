import type { ProjectCtx } from '../../access';
import {
  checkpointKinds,
  type CheckpointKind,
  type ClusterSums,
  complexities,
  type Complexity,
  rate,
  type Rate,
} from '../../domain';
import { clusterColumn, sumsOfClusters, weightOfSums } from '../session-weights';
import { ofCheckpoints, pipelineId } from './checkpoint-rows';

/**
 * The four views of SOAR-32 over whole UTC days up to today. Undecided verdicts count in none of
 * them (X-3).
 */
export interface CheckpointsSummary {
  readonly from: Date;
  /** Every complexity, including those without a decomposition. */
  readonly byComplexity: readonly {
    readonly complexity: Complexity;
    /**
     * The mean scores of decompositions: `others` if another model or the caller judged, `self` if
     * the planner's own model judged (X-2).
     */
    readonly others: ScoreMean;
    readonly self: ScoreMean;
  }[];
  readonly byCheckpoint: readonly CheckpointSplit[];
  /** Retries of all checkpoints, each counted once. */
  readonly retries: { readonly success: Rate; readonly unlinked: number };
  /**
   * Retries by the issues of the previous attempt, the most frequent issue first. A retry counts
   * once for each of those issues.
   */
  readonly byIssue: readonly {
    readonly kind: CheckpointKind;
    readonly code: string | null;
    readonly success: Rate;
  }[];
}

/** `average` is null if there is no score. */
export interface ScoreMean {
  readonly average: number | null;
  readonly n: number;
}

export interface CheckpointSplit {
  readonly kind: CheckpointKind;
  readonly pass: number;
  readonly retry: number;
  readonly fail: number;
  /**
   * The weight of one verdict in the interval of each share; below 1 if the verdicts of a session
   * are correlated.
   */
  readonly weights: Readonly<Record<'pass' | 'retry' | 'fail', number>>;
  /** All other verdicts: the verifier could not decide. They count in no rate. */
  readonly undecided: number;
  /** The pass rate of the checkpoint's retries (SOAR-30). */
  readonly retrySuccess: Rate;
  readonly cost: CheckpointCost;
}

/** US dollars. */
export interface CheckpointCost {
  readonly verdicts: number;
  readonly verifyingUsd: number;
  /**
   * The number of verdicts for which a model of unknown price was called; if there are any, the
   * cost of verification is a lower bound.
   */
  readonly unpriced: number;
  /**
   * The number of verdicts on work with a known cost, the cost of that work, and the cost of
   * verifying it.
   */
  readonly costed: number;
  readonly workUsd: number;
  readonly verifyingCostedUsd: number;
  /**
   * The cost of verification as a share of the cost of the work; null if no cost of work is known.
   */
  readonly share: number | null;
}

const dayMs = 86_400_000;
const issuesMax = 30;

/** Issues with the judging or its report, not with the work: repeating the work cannot fix them. */
const judgingIssues = [
  'agents_unchecked',
  'judge_failed',
  'judge_related',
  'llm_skipped',
  'more_issues',
  'no_judge',
  'not_traced',
  // The name that earlier releases used for "shortened".
  'output_shortened',
  'shortened',
  'overall_corrected',
  'structure_unchecked',
  'undecided_claims',
  'unused_outputs',
  'judge_fallback',
  'jury_reduced',
  'verdict_corrected',
];

export async function summariseCheckpoints(
  ctx: ProjectCtx,
  { days }: { readonly days: 1 | 7 | 30 },
): Promise<CheckpointsSummary> {
  const from = new Date(Math.floor(ctx.clock.now().getTime() / dayMs) * dayMs - (days - 1) * dayMs);
  const [scores, counts, retries] = await Promise.all([
    readScores(ctx, from),
    readCounts(ctx, from),
    readRetries(ctx, from),
  ]);
  const meanOf = (complexity: Complexity, self: boolean): ScoreMean => {
    const row = scores.find((each) => each.complexity === complexity && each.self === self);
    return row === undefined ? { average: null, n: 0 } : { average: row.average, n: row.n };
  };
  const totals = retries.filter(({ total }) => total);
  return {
    from,
    byComplexity: complexities.map((complexity) => ({
      complexity,
      others: meanOf(complexity, false),
      self: meanOf(complexity, true),
    })),
    byCheckpoint: checkpointKinds.map((kind) => {
      const ofKind = totals.find((each) => each.kind === kind);
      return {
        ...asSplit(
          kind,
          counts.find((each) => each.kind === kind),
        ),
        retrySuccess: retryRate(ofKind),
      };
    }),
    retries: {
      success: retryRate(retries.find(({ kind }) => kind === null)),
      unlinked: Number(retries.find(({ kind }) => kind === null)?.unlinked ?? 0),
    },
    byIssue: retries
      .flatMap((row) =>
        row.total || row.kind === null
          ? []
          : [{ kind: row.kind, code: row.code, success: retryRate(row) }],
      )
      .toSorted(
        (a, b) =>
          b.success.denominator - a.success.denominator ||
          (a.code ?? '').localeCompare(b.code ?? ''),
      )
      .slice(0, issuesMax),
  };
}

interface ScoreRow {
  complexity: string | null;
  self: boolean;
  average: number;
  n: number;
}

function readScores({ sql, projectId }: ProjectCtx, from: Date): Promise<ScoreRow[]> {
  return sql<ScoreRow[]>`
    select detail ->> 'complexity' as complexity, coalesce(cross_model = 'self', false) as self, avg(score) as average, count(*)::int as n
    from verdicts
    where project_id = ${projectId} and ${ofCheckpoints(sql)} and settled_at >= ${from.toISOString()}::timestamptz
      and kind = 'decomposition' and verdict is not null and score is not null and not superseded and experiment_id is null
    group by 1, 2`;
}

type VerdictName = 'pass' | 'retry' | 'fail';
type Sums<Name extends string> = Record<`${Name}_${keyof ClusterSums}`, string | number | null>;

interface CountRow extends Sums<VerdictName> {
  kind: CheckpointKind;
  pass: number;
  retry: number;
  fail: number;
  verdicts: number;
  verifying_usd: number;
  unpriced: number;
  costed: number;
  work_usd: number;
  verifying_costed_usd: number;
}

/**
 * Grouped by session first, because verdicts of one session carry less information than verdicts of
 * different sessions.
 */
function readCounts({ sql, projectId }: ProjectCtx, from: Date): Promise<CountRow[]> {
  const decided = sql`(pass + retry + fail)`;
  return sql<CountRow[]>`
    select kind, sum(pass)::int as pass, sum(retry)::int as retry, sum(fail)::int as fail,
      sum(verdicts)::int as verdicts, sum(verifying_usd) as verifying_usd,
      sum(unpriced)::int as unpriced, sum(costed)::int as costed, sum(work_usd) as work_usd,
      sum(verifying_costed_usd) as verifying_costed_usd,
      ${sumsOfClusters(sql, 'pass', sql`pass`, decided)},
      ${sumsOfClusters(sql, 'retry', sql`retry`, decided)},
      ${sumsOfClusters(sql, 'fail', sql`fail`, decided)}
    from (
      select v.kind, count(*) filter (where v.verdict = 'PASS' and not v.superseded) as pass,
        count(*) filter (where v.verdict = 'RETRY' and not v.superseded) as retry,
        count(*) filter (where v.verdict = 'FAIL' and not v.superseded) as fail, count(*) filter (where not v.superseded) as verdicts,
        sum(v.cost_usd)::double precision as verifying_usd,
        count(*) filter (where v.price_unknown) as unpriced, count(s.cost_usd) as costed,
        coalesce(sum(s.cost_usd), 0)::double precision as work_usd,
        coalesce(sum(v.cost_usd) filter (where s.cost_usd is not null), 0)::double precision
          as verifying_costed_usd
      from (
        select kind, verdict, superseded, cost_usd, price_unknown, subject_kind, subject_id,
          ${clusterColumn(sql)} as cluster
        from verdicts
        where project_id = ${projectId} and ${ofCheckpoints(sql)}
          and experiment_id is null and settled_at >= ${from.toISOString()}::timestamptz
      ) v
      left join subjects s
        on s.project_id = ${projectId} and s.kind = v.subject_kind and s.id = v.subject_id
      group by v.kind, v.cluster
    ) as by_cluster group by kind`;
}

function asSplit(
  kind: CheckpointKind,
  row: CountRow | undefined,
): Omit<CheckpointSplit, 'retrySuccess'> {
  const {
    pass = 0,
    retry = 0,
    fail = 0,
    verdicts = 0,
    costed = 0,
    work_usd: workUsd = 0,
  } = row ?? {};
  const verifyingCostedUsd = row?.verifying_costed_usd ?? 0;
  return {
    kind,
    pass,
    retry,
    fail,
    weights: {
      pass: row === undefined ? 1 : weightOfSums('pass', row),
      retry: row === undefined ? 1 : weightOfSums('retry', row),
      fail: row === undefined ? 1 : weightOfSums('fail', row),
    },
    undecided: verdicts - pass - retry - fail,
    cost: {
      verdicts,
      verifyingUsd: row?.verifying_usd ?? 0,
      unpriced: row?.unpriced ?? 0,
      costed,
      workUsd,
      verifyingCostedUsd,
      share: costed === 0 || workUsd <= 0 ? null : verifyingCostedUsd / workUsd,
    },
  };
}

interface RetryRow extends Sums<'all'> {
  /** Null in the total of all checkpoints. */
  kind: CheckpointKind | null;
  /** Null in totals, and for retries whose previous attempt had no issue. */
  code: string | null;
  total: boolean;
  /** Retries whose previous attempt is unknown. */
  unlinked: string;
}

const retryRate = (row: RetryRow | undefined): Rate =>
  row === undefined
    ? rate(0, 0)
    : rate(Number(row.all_x), Number(row.all_n), weightOfSums('all', row));

/**
 * A verdict with `retries_used` of 1 or more is one retry (SOAR-30). Its previous attempt is the
 * latest decided verdict of the same pipeline, checkpoint and subgoal with fewer retries.
 * `judgingIssues` of that attempt are excluded, since they are not faults of the work.
 */
function readRetries({ sql, projectId }: ProjectCtx, from: Date): Promise<RetryRow[]> {
  return sql<RetryRow[]>`
    with retries as materialized (
      select r.kind, r.cluster, r.verdict = 'PASS' as passed, before.id is null as unlinked, before.issues
      from (
        select kind, verdict, created_at, retries_used, ${clusterColumn(sql)} as cluster,
          ${pipelineId(sql)} as pipeline, detail #>> '{subgoal,id}' as subgoal
        from verdicts
        where project_id = ${projectId} and ${ofCheckpoints(sql)} and settled_at >= ${from.toISOString()}::timestamptz
          and retries_used >= 1 and verdict is not null and not superseded and experiment_id is null
      ) r
      left join lateral (
        select id, issues from verdicts
        where project_id = ${projectId} and ${ofCheckpoints(sql)} and ${pipelineId(sql)} = r.pipeline and created_at < r.created_at
          and kind = r.kind and retries_used < r.retries_used and verdict is not null and experiment_id is null
          and detail #>> '{subgoal,id}' is not distinct from r.subgoal
        order by created_at desc limit 1
      ) before on true
    )
    , counted as (
      select kind, null as code, true as total, count(*) as n,
        count(*) filter (where passed) as x, count(*) filter (where unlinked) as unlinked
      from retries group by grouping sets ((cluster, kind), (cluster))
      union all
      select kind, named.code, false, count(*), count(*) filter (where passed), 0
      from retries
      left join lateral (
        select distinct issue ->> 'code' as code
        from jsonb_array_elements(case when jsonb_typeof(issues) = 'array' then issues else '[]'::jsonb end) as issue
        where issue ->> 'code' not in ${sql(judgingIssues)}
      ) named on true
      where not unlinked group by cluster, kind, named.code
    )
    select kind, code, total, sum(unlinked) as unlinked, ${sumsOfClusters(sql, 'all', sql`x`, sql`n`)}
    from counted group by kind, code, total`;
}
