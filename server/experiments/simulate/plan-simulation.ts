import type { ProjectCtx } from '../../access';
import { findVerifier } from '../../catalog';
import { notFound } from '../../platform';
import {
  crossingOf,
  findThresholdKeys,
  loadThresholds,
  resolveThresholds,
  type ThresholdKey,
} from '../../thresholds';
import type { Days } from '../../measures/input';
import { periodStart } from '../../measures';
import type { SimulationInput } from './history';
import { withCandidate } from './tally';

export interface PlannedSimulation extends SimulationInput {
  readonly known: ThresholdKey;
  /** The current value for the scope. */
  readonly current: number;
}

/**
 * Resolves the verdicts and thresholds of a simulation.
 * @throws AssayError not_found (no such verifier or key)
 */
export async function planSimulation(
  ctx: ProjectCtx,
  {
    verifier,
    key,
    scope,
    days,
  }: {
    readonly verifier: string;
    readonly key: string;
    readonly scope: { readonly mission_id: string | null; readonly task_id: string | null };
    readonly days: Days;
  },
): Promise<PlannedSimulation> {
  const known = (await findThresholdKeys(ctx, verifier)).find((each) => each.key === key);
  const found = await findVerifier(ctx, ctx.projectId, verifier);
  if (known === undefined || found === null) throw notFound('threshold');
  const stored = (await loadThresholds(ctx, [ctx.projectId], [verifier])).of(
    ctx.projectId,
    verifier,
  );
  const [missionId, taskId] = [scope.mission_id, scope.task_id];
  const current =
    resolveThresholds({ verifier, missionId, taskId }, stored).get(key)?.value ?? known.standard;
  return {
    verifier,
    kind: found.kind,
    key,
    missionId,
    taskId,
    from: periodStart(ctx.clock.now(), days),
    stored,
    known,
    current,
  };
}

/** Why a value cannot be set, with the same message as setting it; null if it can. */
export function faultOfValue(
  { verifier, key, known: { min, max }, stored, ...scope }: PlannedSimulation,
  value: number,
): string | null {
  if (value < min || value > max) return `must be from ${min} to ${max}, not ${value}`;
  const crossing = crossingOf(verifier, withCandidate(stored, key, scope, value));
  return crossing === null ? null : `${crossing.fault}${crossing.where}`;
}
