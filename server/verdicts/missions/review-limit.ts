import type { Action } from '../../domain';
import type { Ctx } from '../../platform';
import type { AnyKind } from '../../verifiers';
import type { Settlement } from '../settle';

/** The costs of a mission so far, in US dollars. */
export interface MissionCost {
  /** The cost of its work, including retries. */
  readonly workUsd: number;
  readonly judgingUsd: number;
}

/** The costs of the mission's stored subjects and of their verdicts. */
export async function readMissionCost(
  { sql }: Pick<Ctx, 'sql'>,
  projectId: string,
  missionId: string,
): Promise<MissionCost> {
  const [row] = await sql<{ work_usd: number; judging_usd: number }[]>`
    select
      (select coalesce(sum(cost_usd), 0)::double precision from subjects
        where project_id = ${projectId} and mission_id = ${missionId}) as work_usd,
      (select coalesce(sum(cost_usd), 0)::double precision from verdicts
        where project_id = ${projectId} and mission_id = ${missionId} and experiment_id is null) as judging_usd`;
  return { workUsd: row?.work_usd ?? 0, judgingUsd: row?.judging_usd ?? 0 };
}

/**
 * Actions that are not replaced by `escalate`: they already stop the work until a person decides.
 */
const final: ReadonlySet<Action> = new Set<Action>(['reject', 'abort', 'escalate']);

/**
 * VS-45: above the mission's cost limit, a person must review the verdict. The verdict, the score,
 * the outcome and all metrics are unchanged; skipped work has no verdict to review. Pure.
 * @param before the mission's cost before the cost of judging this verdict
 */
export function requireMissionReview(
  settlement: Settlement,
  before: MissionCost,
  limitUsd: number,
  kind: Pick<AnyKind, 'awaiting' | 'advisory'>,
): Settlement {
  const judgingUsd = before.judgingUsd + settlement.judging.costUsd;
  const costUsd = before.workUsd + judgingUsd;
  if (settlement.outcome === 'skipped' || costUsd <= limitUsd) return settlement;
  const message =
    `The mission ${(settlement.missionId ?? '').slice(0, 200)} cost ${dollars(costUsd)} (work ${dollars(before.workUsd)}, judging ` +
    `${dollars(judgingUsd)}), above its limit of ${dollars(limitUsd)}: a person must review this verdict`;
  const { detail } = settlement;
  const withoutOrders =
    settlement.action === 'retry' ? (kind.advisory?.(detail) ?? detail) : detail;
  return {
    ...settlement,
    needsHumanReview: true,
    action: final.has(settlement.action) ? settlement.action : 'escalate',
    issues: [
      ...settlement.issues,
      {
        code: 'mission_cost',
        message: message.toWellFormed(),
        severity: 'medium',
        path: 'mission_id',
      },
    ],
    detail: kind.awaiting?.(withoutOrders) ?? withoutOrders,
  };
}

/** Two decimals, or more if the amount needs them. */
function dollars(usd: number): string {
  const exact = Number(usd.toFixed(6));
  return `$${Number.isInteger(exact * 100) ? exact.toFixed(2) : String(exact)}`;
}
