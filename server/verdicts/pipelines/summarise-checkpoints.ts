import type { ProjectCtx } from '../../access';
import {
  checkpointKinds,
  type CheckpointKind,
  complexities,
  type Complexity,
  rate,
  type Rate,
} from '../../domain';
import { ofCheckpoints, pipelineId } from './checkpoint-rows';

/**
 * The four views of SOAR-32, of whole UTC days up to today. Nothing that could not be decided
 * counts in them.
 */
export interface CheckpointsSummary {
  readonly from: Date;
  /** All complexities, those without a decomposition too. */
  readonly byComplexity: readonly {
    readonly complexity: Complexity;
    /**
     * Of decompositions that another model judged, or the caller; and of those that the planner's
     * own did.
     */
    readonly others: ScoreMean;
    readonly self: ScoreMean;
  }[];
  readonly byCheckpoint: readonly CheckpointSplit[];
  /** Retries of all checkpoints; each once. */
  readonly retries: { readonly success: Rate; readonly unlinked: number };
  /**
   * The same by what was wrong with the attempt before: a retry counts for each of its issues. The
   * most frequent first.
   */
  readonly byIssue: readonly {
    readonly kind: CheckpointKind;
    readonly code: string | null;
    readonly success: Rate;
  }[];
}

/** `average` is null where there is no score. */
export interface ScoreMean {
  readonly average: number | null;
  readonly n: number;
}

export interface CheckpointSplit {
  readonly kind: CheckpointKind;
  readonly pass: number;
  readonly retry: number;
  readonly fail: number;
  /** Verdicts that are none of the three: the verifier could not tell. In no rate. */
  readonly undecided: number;
  /** What of its retries passed (SOAR-30). */
  readonly retrySuccess: Rate;
  readonly cost: CheckpointCost;
}

/** US dollars. */
export interface CheckpointCost {
  readonly verdicts: number;
  readonly verifyingUsd: number;
  /**
   * Verdicts for which a model of unknown price was asked: what verifying cost is then the least
   * that it can have been.
   */
  readonly unpriced: number;
  /** Verdicts on work whose cost is known, that cost, and what verifying these cost. */
  readonly costed: number;
  readonly workUsd: number;
  readonly verifyingCostedUsd: number;
  /** Of the cost of the work; null where none is known. */
  readonly share: number | null;
}

const dayMs = 86_400_000;
const issuesMax = 30;

/** Issues of the judging and of how a verdict is told: work made anew cannot mend them. */
const ofJudging = [
  'agents_unchecked',
  'judge_failed',
  'judge_related',
  'llm_skipped',
  'more_issues',
  'no_judge',
  'not_traced',
  // What "shortened" was called in verdicts of earlier releases.
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
      const own = totals.find((each) => each.kind === kind);
      return {
        ...asSplit(
          kind,
          counts.find((each) => each.kind === kind),
        ),
        retrySuccess: rate(own?.passed ?? 0, own?.retries ?? 0),
      };
    }),
    retries: {
      success: rate(sumOf(totals, 'passed'), sumOf(totals, 'retries')),
      unlinked: sumOf(totals, 'unlinked'),
    },
    byIssue: retries
      .filter(({ total }) => !total)
      .toSorted((a, b) => b.retries - a.retries || (a.code ?? '').localeCompare(b.code ?? ''))
      .slice(0, issuesMax)
      .map(({ kind, code, passed, retries: all }) => ({ kind, code, success: rate(passed, all) })),
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
      and kind = 'decomposition' and verdict is not null and score is not null
    group by 1, 2`;
}

interface CountRow {
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

function readCounts({ sql, projectId }: ProjectCtx, from: Date): Promise<CountRow[]> {
  return sql<CountRow[]>`
    select v.kind, (count(*) filter (where v.verdict = 'PASS'))::int as pass, (count(*) filter (where v.verdict = 'RETRY'))::int as retry,
      (count(*) filter (where v.verdict = 'FAIL'))::int as fail, count(*)::int as verdicts,
      sum(v.cost_usd)::double precision as verifying_usd, (count(*) filter (where v.price_unknown))::int as unpriced,
      count(s.cost_usd)::int as costed, coalesce(sum(s.cost_usd), 0)::double precision as work_usd,
      coalesce(sum(v.cost_usd) filter (where s.cost_usd is not null), 0)::double precision as verifying_costed_usd
    from (
      select kind, verdict, cost_usd, price_unknown, subject_kind, subject_id from verdicts
      where project_id = ${projectId} and ${ofCheckpoints(sql)} and settled_at >= ${from.toISOString()}::timestamptz
    ) v
    left join subjects s on s.project_id = ${projectId} and s.kind = v.subject_kind and s.id = v.subject_id
    group by v.kind`;
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

interface RetryRow {
  kind: CheckpointKind;
  /** Null with `total` false: the attempt before named no issue. */
  code: string | null;
  total: boolean;
  retries: number;
  passed: number;
  /** Retries whose earlier attempt is not known. */
  unlinked: number;
}

/**
 * Retries are verdicts with retries used before them, each counted as one (SOAR-30). The attempt
 * before is the latest decided one of the same pipeline, checkpoint and subgoal that had used
 * fewer. What is noted of its judge was wrong with the judge, not with the work.
 */
function readRetries({ sql, projectId }: ProjectCtx, from: Date): Promise<RetryRow[]> {
  return sql<RetryRow[]>`
    with retries as materialized (
      select r.kind, r.verdict = 'PASS' as passed, before.id is null as unlinked, before.issues
      from (
        select kind, verdict, created_at, retries_used, ${pipelineId(sql)} as pipeline, detail #>> '{subgoal,id}' as subgoal from verdicts
        where project_id = ${projectId} and ${ofCheckpoints(sql)} and settled_at >= ${from.toISOString()}::timestamptz
          and retries_used >= 1 and verdict is not null
      ) r
      left join lateral (
        select id, issues from verdicts
        where project_id = ${projectId} and ${ofCheckpoints(sql)} and ${pipelineId(sql)} = r.pipeline and created_at < r.created_at
          and kind = r.kind and retries_used < r.retries_used and verdict is not null
          and detail #>> '{subgoal,id}' is not distinct from r.subgoal
        order by created_at desc limit 1
      ) before on true
    )
    select kind, null as code, true as total, count(*)::int as retries, (count(*) filter (where passed))::int as passed,
      (count(*) filter (where unlinked))::int as unlinked
    from retries group by kind
    union all
    select kind, named.code, false, count(*)::int, (count(*) filter (where passed))::int, 0
    from retries
    left join lateral (
      select distinct issue ->> 'code' as code
      from jsonb_array_elements(case when jsonb_typeof(issues) = 'array' then issues else '[]'::jsonb end) as issue
      where issue ->> 'code' not in ${sql(ofJudging)}
    ) named on true
    where not unlinked group by kind, named.code`;
}

const sumOf = (rows: readonly RetryRow[], member: 'retries' | 'passed' | 'unlinked'): number =>
  rows.reduce((sum, row) => sum + row[member], 0);
