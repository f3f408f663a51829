import type { ProjectCtx } from '../../access';
import { checkpointKinds, type CheckpointKind, type Complexity } from '../../domain';
import { cursorAt, readCursor } from '../../platform';
import type { PipelineFilters } from '../input';
import { attemptsOf, reportedOf, subgoalOf } from './checkpoint-rows';

/**
 * The state of one checkpoint of a pipeline. A step is attempted until it passes; for agent
 * outputs, each subgoal is a step.
 */
export interface CheckpointState {
  readonly kind: CheckpointKind;
  readonly attempts: number;
  readonly steps: number;
  /**
   * The number of steps by the result of their latest attempt; `undecided`: the verifier could not
   * decide.
   */
  readonly pass: number;
  readonly retry: number;
  readonly fail: number;
  readonly undecided: number;
  readonly pending: number;
}

/** The costs of verification and of the verified work, in US dollars, over all attempts. */
export interface PipelineCost {
  readonly verifyingUsd: number;
  /** The price of at least one call is unknown: `verifyingUsd` is a lower bound. */
  readonly priceUnknown: boolean;
  /** The cost of the work of the `costed` attempts, whose cost is known; null if there are none. */
  readonly workUsd: number | null;
  readonly costed: number;
  readonly attempts: number;
}

export interface PipelineRow {
  readonly id: string;
  readonly query: string | null;
  readonly complexity: Complexity | null;
  readonly origin: 'checkpoints' | 'import';
  readonly startedAt: Date;
  readonly lastAt: Date;
  /** In pipeline order, without checkpoints that were never called. */
  readonly checkpoints: readonly CheckpointState[];
  /** Whether the request succeeded according to its final report; null if unknown. */
  readonly succeeded: boolean | null;
  readonly cost: PipelineCost;
}

export interface PipelinePage {
  readonly items: readonly PipelineRow[];
  readonly nextCursor: string | null;
}

interface StoredPipeline {
  id: string;
  query: string | null;
  complexity: Complexity | null;
  origin: PipelineRow['origin'];
  started_at: string;
  last_at: string;
  checkpoints: CheckpointState[];
  success: boolean | null;
  verifying_usd: number;
  price_unknown: boolean;
  work_usd: number | null;
  costed: number;
  attempts: number;
  at: string;
}

/**
 * Pipelines, the one with the newest call first, paginated by keyset. @throws AssayError
 * invalid_request if the cursor is invalid
 */
export async function listPipelines(
  ctx: ProjectCtx,
  filters: PipelineFilters,
): Promise<PipelinePage> {
  const { sql, projectId } = ctx;
  const limit = filters.limit ?? 50;
  const after = filters.cursor === undefined ? null : readCursor(filters.cursor);
  const { outcome, verdict } = filters;
  const ended = { PASS: sql`found.pass`, RETRY: sql`found.retry`, FAIL: sql`found.fail` };
  const rows = await sql<StoredPipeline[]>`
    select p.id, p.query, p.complexity, p.origin, p.started_at, p.last_at, reported.success, found.*,
      to_char(p.last_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from pipelines p
    left join lateral ${reportedOf(sql, projectId)} reported on true
    cross join lateral ${countCheckpoints(ctx)} found
    where p.project_id = ${projectId}
      ${after === null ? sql`` : sql`and (p.last_at, p.id) < (${after.at}::timestamptz, ${after.id})`}
      ${outcome === undefined ? sql`` : outcome === 'unknown' ? sql`and reported.success is null` : sql`and reported.success = ${outcome === 'succeeded'}`}
      ${verdict === undefined ? sql`` : sql`and ${ended[verdict]} > 0`}
    order by p.last_at desc, p.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asPipeline),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}

/** The checkpoints of pipeline `p`: always one row, even if no checkpoint was called. */
function countCheckpoints({ sql, projectId }: ProjectCtx) {
  return sql`(
      select coalesce(jsonb_agg(to_jsonb(k) - '{verifying_usd,price_unknown,work_usd,costed}'::text[]), '[]') as checkpoints,
        coalesce(sum(k.pass), 0)::int as pass, coalesce(sum(k.retry), 0)::int as retry, coalesce(sum(k.fail), 0)::int as fail,
        coalesce(sum(k.attempts), 0)::int as attempts, coalesce(sum(k.costed), 0)::int as costed,
        coalesce(sum(k.verifying_usd), 0)::double precision as verifying_usd, coalesce(bool_or(k.price_unknown), false) as price_unknown,
        sum(k.work_usd)::double precision as work_usd
      from (
        select kind, count(*)::int as attempts, (count(*) filter (where latest))::int as steps,
          (count(*) filter (where latest and verdict = 'PASS'))::int as pass,
          (count(*) filter (where latest and verdict = 'RETRY'))::int as retry,
          (count(*) filter (where latest and verdict = 'FAIL'))::int as fail,
          (count(*) filter (where latest and verdict is null and settled))::int as undecided,
          (count(*) filter (where latest and not settled))::int as pending,
          sum(verifying_usd) as verifying_usd, bool_or(price_unknown) as price_unknown, sum(work_usd) as work_usd,
          count(work_usd) as costed
        from (
          select s.kind, v.verdict, v.id is not null as settled, v.cost_usd as verifying_usd, v.price_unknown, s.cost_usd as work_usd,
            row_number() over (partition by s.kind, ${subgoalOf(sql)} order by s.created_at desc, s.id desc) = 1 as latest
          from ${attemptsOf(sql, projectId, sql`p.id`)}
        ) attempts group by kind
      ) k
    )`;
}

function asPipeline(row: StoredPipeline): PipelineRow {
  return {
    id: row.id,
    query: row.query,
    complexity: row.complexity,
    origin: row.origin,
    startedAt: new Date(row.started_at),
    lastAt: new Date(row.last_at),
    checkpoints: row.checkpoints.toSorted(
      (a, b) => checkpointKinds.indexOf(a.kind) - checkpointKinds.indexOf(b.kind),
    ),
    succeeded: row.success,
    cost: {
      verifyingUsd: row.verifying_usd,
      priceUnknown: row.price_unknown,
      workUsd: row.work_usd,
      costed: row.costed,
      attempts: row.attempts,
    },
  };
}
