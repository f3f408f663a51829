import type { ProjectCtx } from '../../access';
import { notFound } from '../../platform';

/**
 * A mission: the verifications of one `mission_id`, with the costs of the work and of judging it.
 */
interface Mission {
  readonly id: string;
  /** The number of distinct verified tasks. */
  readonly tasks: number;
  readonly counts: {
    readonly passed: number;
    readonly failed: number;
    readonly needsReview: number;
    readonly inconclusive: number;
    readonly skipped: number;
    readonly pending: number;
    /** Verdicts that requested human review. */
    readonly awaitingReview: number;
  };
  /** The cost of the work in US dollars, including retries; null if no call reported one. */
  readonly workUsd: number | null;
  /** The cost of judging in US dollars. */
  readonly judgingUsd: number;
  /** At least one judge call has an unknown price, so `judgingUsd` is a lower bound. */
  readonly priceUnknown: boolean;
  /**
   * The cost of judging as a share of the cost of the work (VS-38); null if the latter is unknown
   * or zero.
   */
  readonly share: number | null;
  readonly startedAt: Date;
}

interface Row {
  tasks: number;
  subjects: number;
  work_usd: number | null;
  started_at: string | Date;
  passed: number;
  failed: number;
  needs_review: number;
  inconclusive: number;
  skipped: number;
  verdicts: number;
  awaiting_review: number;
  judging_usd: number;
  price_unknown: boolean;
}

/** @throws AssayError not_found if the project has no verification with this mission id */
export async function getMission(ctx: ProjectCtx, id: string): Promise<Mission> {
  const mission = await findMission(ctx, id);
  if (mission === null) throw notFound(`mission "${id.slice(0, 200)}" in this project`);
  return mission;
}

/** Null if the project has no verification with this mission id. */
export async function findMission(ctx: ProjectCtx, id: string): Promise<Mission | null> {
  const { sql, projectId } = ctx;
  const [row] = await sql<Row[]>`
    select s.*, v.* from (
      select count(distinct task_id)::int as tasks, count(*)::int as subjects, sum(cost_usd)::double precision as work_usd,
        min(created_at) as started_at
      from subjects where project_id = ${projectId} and mission_id = ${id}
    ) s cross join (
      select count(*)::int as verdicts,
        (count(*) filter (where outcome = 'passed'))::int as passed, (count(*) filter (where outcome = 'failed'))::int as failed,
        (count(*) filter (where outcome = 'needs_review'))::int as needs_review,
        (count(*) filter (where outcome = 'inconclusive'))::int as inconclusive,
        (count(*) filter (where outcome = 'skipped'))::int as skipped,
        (count(*) filter (where needs_human_review))::int as awaiting_review,
        coalesce(sum(cost_usd), 0)::double precision as judging_usd, coalesce(bool_or(price_unknown), false) as price_unknown
      from verdicts where project_id = ${projectId} and mission_id = ${id} and experiment_id is null
    ) v`;
  if (row === undefined || row.subjects === 0) return null;
  const { work_usd: workUsd, judging_usd: judgingUsd } = row;
  return {
    id,
    tasks: row.tasks,
    counts: {
      passed: row.passed,
      failed: row.failed,
      needsReview: row.needs_review,
      inconclusive: row.inconclusive,
      skipped: row.skipped,
      pending: Math.max(0, row.subjects - row.verdicts),
      awaitingReview: row.awaiting_review,
    },
    workUsd,
    judgingUsd,
    priceUnknown: row.price_unknown,
    share: workUsd === null || workUsd <= 0 ? null : judgingUsd / workUsd,
    startedAt: new Date(row.started_at),
  };
}
