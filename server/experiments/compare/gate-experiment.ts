import type { ProjectCtx } from '../../access';
import { refused } from '../../platform';
import { compareVerifiers } from './compare-experiments';
import type { GateBody } from './compare-input';
import { type ExperimentHead, getHeads, type HeadRow } from './experiment-head';
import {
  type GateReason,
  reason,
  reasonsOfCost,
  reasonsOfDifferences,
  reasonsOfRates,
  reasonsOfState,
} from './gate-reasons';
import { type ExperimentResult, getExperiment, slugsOf } from './get-experiment';

export interface GateDecision {
  readonly passed: boolean;
  /** The experiment that the result was compared with; null if there was none. */
  readonly baselineId: string | null;
  readonly reasons: readonly GateReason[];
}

/**
 * Decides whether a finished experiment meets the conditions of a gate. Stores nothing. Only
 * reasons of the severity `error` fail the gate.
 * @throws AssayError not_found; refused (a verifier or a baseline that does not match)
 */
export async function gateExperiment(
  ctx: ProjectCtx,
  { id, gate }: { readonly id: string; readonly gate: GateBody },
): Promise<GateDecision> {
  const result = await getExperiment(ctx, id);
  refuseUnknownVerifiers(result, gate);
  const against = gate.no_regression_against;
  const baseline = against === undefined ? null : await findBaseline(ctx, result, against);
  const reasons = [
    ...reasonsOfState(result),
    ...reasonsOfRates(result, gate.min_pass_rate ?? {}),
    ...(against === undefined ? [] : await reasonsAgainst(ctx, { result, baseline, against })),
    ...(gate.max_cost_usd === undefined ? [] : reasonsOfCost(result, gate.max_cost_usd)),
  ];
  return {
    passed: reasons.every(({ severity }) => severity !== 'error'),
    baselineId: baseline?.id ?? null,
    reasons,
  };
}

function refuseUnknownVerifiers(result: ExperimentResult, gate: GateBody): void {
  const known = slugsOf(result);
  const unknown = Object.keys(gate.min_pass_rate ?? {}).find(
    (verifier) => !known.includes(verifier),
  );
  if (unknown === undefined) return;
  const path = `min_pass_rate.${unknown}`;
  const message = `is not a verifier of this experiment; use one of: ${known.toSorted().join(', ')}`;
  throw refused(`${path}: ${message}`, [{ path, message }]);
}

const branchPrefix = 'branch:';

async function findBaseline(
  ctx: ProjectCtx,
  result: ExperimentHead,
  against: string,
): Promise<ExperimentHead | null> {
  const { sql, projectId } = ctx;
  const isBranch = against.startsWith(branchPrefix);
  const [row] = await sql<Pick<HeadRow, 'id'>[]>`
    select id from experiments where project_id = ${projectId}
      ${
        isBranch
          ? sql`and branch = ${against.slice(branchPrefix.length)} and dataset_id = ${result.datasetId}
              and state = 'done' and id <> ${result.id}`
          : sql`and id = ${against}`
      }
    order by created_at desc, id desc limit 1`;
  const [found] = row === undefined ? [] : await getHeads(ctx, [row.id]);
  if (isBranch) return found ?? null;
  const problem =
    found === undefined
      ? 'is not an experiment in this project; use an experiment id or "branch:<name>"'
      : found.id === result.id
        ? 'must not be this experiment; use the id of another experiment'
        : found.datasetId !== result.datasetId
          ? `uses the dataset "${found.datasetSlug}", but this experiment uses "${result.datasetSlug}"; use an experiment over the same dataset`
          : null;
  const path = 'no_regression_against';
  if (problem !== null) throw refused(`${path}: ${problem}`, [{ path, message: problem }]);
  return found ?? null;
}

async function reasonsAgainst(
  ctx: ProjectCtx,
  {
    result,
    baseline,
    against,
  }: {
    readonly result: ExperimentResult;
    readonly baseline: ExperimentHead | null;
    readonly against: string;
  },
): Promise<GateReason[]> {
  if (baseline === null) {
    const branch = against.slice(branchPrefix.length);
    const message = `The branch "${branch}" has no finished experiment over the dataset "${result.datasetSlug}".`;
    return [reason('no_baseline', message)];
  }
  if (baseline.state !== 'done')
    return [
      reason('no_baseline', `The experiment ${baseline.id} is in the state "${baseline.state}".`),
    ];
  const { comparisons } = await compareVerifiers(ctx, [baseline, result], {});
  const ownSlugs = new Set(slugsOf(result));
  return reasonsOfDifferences(
    comparisons.filter(({ verifier }) => ownSlugs.has(verifier)),
    new Set(slugsOf(baseline)),
  );
}
