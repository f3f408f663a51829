import type { Ctx } from '../../platform';
import { type Authority, authorityColumn, unbound } from '../../thresholds';

/** A project's judging settings, and the current config of one of its verifiers. */
export interface ProjectJudging {
  readonly version: number;
  /** The name of the verifier's kind. */
  readonly kind: string;
  /** As stored; `{}` if it was never changed. */
  readonly config: unknown;
  /** Where integrity was disabled; null if it is enabled. Only integrity can be disabled. */
  readonly disabledBy: 'environment' | 'project' | null;
  readonly defaultJudge: string | null;
  readonly jury: readonly string[];
  readonly bypassBelowUsd: number;
  readonly costBudgetShare: number;
  readonly retries: number;
  /** A session or mission that receives no turn for this long is verified as is. */
  readonly sessionIdleSeconds: number;
  /** How gates without a result affect the score of code (QEL-29). */
  readonly neutralProof: 'literal' | 'rescale';
  /** Whether a model may be called for bonus points on code (QEL-49). */
  readonly semanticJudge: boolean;
  /** The requirements for promoting a new prompt or judge (calibration.md 5.11). */
  readonly promotionGate: 'advise' | 'require';
  /** Whether the verifier may block and steer. */
  readonly authority: Authority;
  /** The project is simulated: its verdicts are dated by their work. */
  readonly simulated: boolean;
}

interface Row {
  integrity_enabled: boolean | null;
  version: number | null;
  kind: string | null;
  config: unknown;
  default_judge: string | null;
  jury: string[] | null;
  bypass_below_usd: number | null;
  cost_budget_share: number | null;
  retries: number | null;
  session_idle_seconds: number | null;
  neutral_proof: 'literal' | 'rescale' | null;
  semantic_judge: boolean | null;
  authority: Authority | null;
  promotion_gate: 'advise' | 'require' | null;
  simulated: boolean;
}

/** Defaults: VS-39 (0.10 USD), VS-38 (30%), VS-29 (2 retries), online.md 1 (30 min). */
export const standardJudging = {
  bypassBelowUsd: 0.1,
  costBudgetShare: 0.3,
  retries: 2,
  sessionIdleSeconds: 1_800,
} as const;

export async function loadJudging(
  { sql, env }: Pick<Ctx, 'sql' | 'env'>,
  projectId: string,
  slug: string,
): Promise<ProjectJudging> {
  const [row] = await sql<Row[]>`
    select v.version, v.kind, v.config, s.integrity_enabled, s.default_judge, s.jury, s.bypass_below_usd, s.cost_budget_share, s.retries, s.session_idle_seconds,
      ${authorityColumn(sql, sql`p.id`, slug, sql`coalesce(v.version, 1)`)} as authority, s.neutral_proof, s.semantic_judge, s.promotion_gate,
      coalesce((select simulated from projects where id = p.id), false) as simulated
    from (select ${projectId}::text as id) p
    left join project_settings s on s.project_id = p.id
    left join lateral (
      select version, kind, config from verifier_versions where project_id = p.id and slug = ${slug} order by version desc limit 1
    ) v on true`;
  return {
    version: row?.version ?? 1,
    kind: row?.kind ?? slug,
    config: row?.config ?? {},
    disabledBy:
      env.integritySwitch === 'off'
        ? 'environment'
        : row?.integrity_enabled === false
          ? 'project'
          : null,
    defaultJudge: row?.default_judge ?? null,
    jury: row?.jury ?? [],
    bypassBelowUsd: row?.bypass_below_usd ?? standardJudging.bypassBelowUsd,
    costBudgetShare: row?.cost_budget_share ?? standardJudging.costBudgetShare,
    retries: row?.retries ?? standardJudging.retries,
    sessionIdleSeconds: row?.session_idle_seconds ?? standardJudging.sessionIdleSeconds,
    neutralProof: row?.neutral_proof ?? 'literal',
    semanticJudge: row?.semantic_judge ?? false,
    authority: row?.authority ?? unbound,
    promotionGate: row?.promotion_gate ?? 'advise',
    simulated: row?.simulated ?? false,
  };
}
