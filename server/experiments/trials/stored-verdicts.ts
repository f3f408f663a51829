import type { ProjectCtx } from '../../access';
import type { Outcome } from '../../domain';

/** The parts of a stored verdict that a trial compares with. */
export interface StoredVerdict {
  readonly id: string;
  readonly outcome: Outcome;
  readonly verdict: string | null;
  readonly score: number | null;
  readonly verifierVersion: number;
  readonly threshold: number | null;
  readonly judge: string | null;
  /** `slug@version` of the prompts of its judges. */
  readonly prompts: readonly string[];
  /**
   * Cost in US dollars and duration in milliseconds of judging it; null if a price is unknown, or
   * if the verdict was cached from equal work.
   */
  readonly costUsd: number | null;
  readonly latencyMs: number | null;
  readonly tier: string | null;
  readonly complexity: string | null;
}

interface Row {
  subject_id: string;
  id: string;
  outcome: Outcome;
  verdict: string | null;
  score: number | null;
  verifier_version: number;
  threshold_value: number | null;
  judge_model: string | null;
  prompts: string[];
  cost_usd: number | null;
  latency_ms: number | null;
  tier: string | null;
  complexity: string | null;
}

/** The latest verdict of each subject that has one, by subject. */
export async function findStoredVerdicts(
  ctx: ProjectCtx,
  kind: string,
  subjectIds: readonly string[],
): Promise<ReadonlyMap<string, StoredVerdict>> {
  const { sql, projectId } = ctx;
  const rows = await sql<Row[]>`
    select v.subject_id, v.id, v.outcome, v.verdict, v.score, v.verifier_version, v.threshold_value, v.judge_model,
      coalesce(m.prompts, '[]'::jsonb) as prompts, case when not v.price_unknown and not m.is_cached then v.cost_usd end as cost_usd,
      case when not m.is_cached then m.latency_ms end as latency_ms,
      case when v.kind = 'code' then v.detail ->> 'tier' end as tier,
      case when v.kind in ('decomposition', 'agent-output', 'synthesis') then v.detail ->> 'complexity' end as complexity
    from jsonb_array_elements_text(${JSON.stringify(subjectIds)}::text::jsonb) as k(id)
    cross join lateral (
      select * from verdicts where project_id = ${projectId} and subject_kind = ${kind} and subject_id = k.id and verifier_slug = ${kind} and experiment_id is null
      order by settled_at desc, id desc limit 1) as v
    cross join lateral (
      select jsonb_agg(distinct s.prompt_version) filter (where s.prompt_version is not null) as prompts,
        coalesce(bool_or(s.cached), false) as is_cached, sum(s.latency_ms) as latency_ms
      from scores s where s.project_id = v.project_id and s.verdict_id = v.id) as m`;
  return new Map(
    rows.map((row) => [
      row.subject_id,
      {
        id: row.id,
        outcome: row.outcome,
        verdict: row.verdict,
        score: row.score,
        verifierVersion: row.verifier_version,
        threshold: row.threshold_value,
        judge: row.judge_model,
        prompts: row.prompts,
        costUsd: row.cost_usd,
        latencyMs: row.latency_ms,
        tier: row.tier,
        complexity: row.complexity,
      },
    ]),
  );
}

/**
 * Whether a stored verdict is the current answer for a prompt version: it was decided with that
 * version, this configuration and this threshold. The caller must compare the judge, since one
 * judge's answer does not predict another's.
 */
export function isCurrentAnswer(
  stored: StoredVerdict,
  now: {
    readonly prompt: string;
    readonly verifierVersion: number;
    readonly threshold: number | null;
  },
): boolean {
  const sameSetting =
    stored.verifierVersion === now.verifierVersion && stored.threshold === now.threshold;
  return (
    stored.verdict !== null &&
    sameSetting &&
    stored.prompts.length === 1 &&
    stored.prompts[0] === now.prompt
  );
}
