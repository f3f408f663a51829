import type { Action } from '../../domain';
import { sumJudgeCost, isJudgingRequested } from '../asking';
import type { Walk } from '../plan-node';
import type { JudgedDecision, RunSetting } from '../kind';
import { type CodeBasis, rederiveCode, ruleCode } from './basis';
import type { CodeConfig } from './config';
import { whySkipped } from './contract';
import { detailOf } from './describe';
import type { CodeDetail, TrajectoryEntry } from './detail';
import {
  type Earlier,
  failedRepairs,
  failuresInARow,
  readHistory,
  trajectoryOf,
  writtenOften,
} from './history';
import { instructionsOf } from './instructions';
import { gateIssues, issuesOf } from './issues';
import { type Instruction, nudgeOf } from './nudge';
import {
  boostSuggestion,
  exhaustedNote,
  improved,
  repairStateOf,
  type RepairState,
} from './repair';
import { type CodeSubject, modelOf } from './subject';
import { weigh, type Weighed } from './weighed';

export type Native = 'PASS' | 'FAIL';

/** The repair instructions and the state of repairs, in addition to the verdict. */
export interface RepairPlan {
  readonly nudge: string | null;
  /** Why failing code gets no nudge. */
  readonly noNudge: string | null;
  readonly repairState: RepairState;
  readonly exhaustedNote: string | null;
  readonly failedRepairs: number;
  readonly trajectory: readonly TrajectoryEntry[];
  readonly boostSuggestion: string | null;
}

/**
 * The verdict on generated code, by `ruleCode`, and the repair plan. Pure. Skipped if the request
 * does not require creating anything (QEL-1).
 */
export function decideCode(
  walk: Walk,
  subject: CodeSubject,
  setting: RunSetting<CodeConfig>,
): JudgedDecision<CodeDetail> {
  const skipped = whySkipped(subject);
  const weighed = weigh(walk, subject, setting);
  const history = readHistory(setting.session);
  const instructions = instructionsOf(weighed.contract, weighed.read, weighed.gates);
  const repairPlanFor = (verdict: Native | null): RepairPlan =>
    planRepair(verdict, weighed, instructions, subject, setting, history);
  const calls = skipped === null && isForPerson(repairPlanFor('FAIL'));
  const basis = basisOf(weighed, skipped !== null, calls, !isJudgingRequested(setting));
  const verdict = ruleCode(basis, setting.thresholds);
  const repairPlan = repairPlanFor(verdict);
  const { needsHumanReview } = rederiveCode(basis, setting.thresholds);
  const result = weighed.semantic?.result ?? null;
  return {
    verdict,
    action: skipped === null ? actionOf(verdict, repairPlan, weighed) : 'none',
    score: verdict === null ? null : weighed.total.total,
    confidence: null,
    needsHumanReview,
    issues: skipped === null ? issuesOf(weighed) : weighed.gates.flatMap(gateIssues),
    feedback: repairPlan.nudge ?? repairPlan.exhaustedNote,
    detail: detailOf({ weighed, verdict, repairPlan, skipped, instructions }, subject, setting),
    judgeCost: sumJudgeCost(
      result === null
        ? []
        : result.state === 'judged'
          ? [
              {
                models: result.judgement.models,
                answered: true,
                retryAfterMs: null,
                usage: result.judgement.usage,
              },
            ]
          : [{ models: result.models, answered: false, retryAfterMs: null, usage: result.usage }],
    ),
    basis,
    toCache: null,
    skipped,
  };
}

function basisOf(
  { tier, broken, read, gates, total, notRun, best }: Weighed,
  skipped: boolean,
  calls: boolean,
  passedOver: boolean,
): CodeBasis {
  const testsFailed = gates.some(
    ({ kind, status }) => kind === 'test' && (status === 'failed' || status === 'timeout'),
  );
  return {
    key: tier,
    end: skipped ? 'skipped' : broken === null ? null : 'broken',
    forced: read.measured.framework.violation || testsFailed,
    points: total.total,
    best: notRun === null ? null : best,
    calls,
    passed_over: passedOver,
  };
}

function planRepair(
  verdict: Native | null,
  weighed: Weighed,
  instructions: readonly Instruction[],
  subject: CodeSubject,
  { retries }: RunSetting<CodeConfig>,
  history: readonly Earlier[],
): RepairPlan {
  const { total } = weighed.total;
  const now = {
    iteration: subject.repair,
    score: verdict === null ? null : total,
    verdict,
    pass_threshold: weighed.passThreshold,
    at: null,
  };
  const trajectory = trajectoryOf(now, history);
  const repairState = repairStateOf(trajectory, retries.budget);
  const failed = failedRepairs(now, history);
  const wanted = verdict !== null && (verdict === 'FAIL' || weighed.truncated);
  const noNudge = wanted
    ? whyNoNudge({ weighed, instructions, repairState, history, trajectory, failed })
    : null;
  const { passThreshold, truncated, read } = weighed;
  const details = instructions.map(({ target, reasons }) => `${target}: ${reasons.join(' ')}`);
  const isExhausted = verdict === 'FAIL' && !repairState.isLeft && repairState.iteration > 0;
  return {
    nudge:
      wanted && noNudge === null
        ? nudgeOf({ instructions, total, passThreshold, failedRepairs: failed, truncated })
        : null,
    noNudge,
    repairState,
    exhaustedNote: isExhausted
      ? exhaustedNote({
          iteration: repairState.iteration,
          total,
          missing: read.measured.files.missing,
          details,
        })
      : null,
    failedRepairs: failed,
    trajectory,
    boostSuggestion: boostSuggestion(failuresInARow(verdict, history), modelOf(subject)),
  };
}

interface NudgeQuestion {
  readonly weighed: Weighed;
  readonly instructions: readonly Instruction[];
  readonly repairState: RepairState;
  readonly history: readonly Earlier[];
  readonly trajectory: readonly TrajectoryEntry[];
  readonly failed: number;
}

/**
 * Two faults get a nudge even if the work is a single file: a truncated file and a wrong framework
 * (QEL-39).
 */
function whyNoNudge({
  weighed,
  instructions,
  repairState,
  history,
  trajectory,
  failed,
}: NudgeQuestion): string | null {
  const { read, contract, truncated, hashes } = weighed;
  if (!repairState.isLeft)
    return repairState.iteration === 0
      ? 'the project allows no repair'
      : 'the repair budget is exhausted';
  if (truncated || read.measured.framework.violation) return null;
  if (instructions.length === 0)
    return 'all that is missing is proof, which the environment could not give';
  const planned =
    contract.deliverables.length > 0 ? contract.deliverables.length : read.files.length;
  if (planned === 1 && read.measured.files.missing.length === 0 && read.measured.files.written > 0)
    return 'it is a single file, and it was written';
  const often = writtenOften(hashes, history);
  const stuck =
    instructions.every(({ target }) => often.has(target)) &&
    !improved(trajectory[0], trajectory[1]);
  // After the third failure the nudge requests a new plan, which gets one more try.
  return stuck && failed < 3 ? 'its files were written three times without getting better' : null;
}

/**
 * Whether a failure needs a person: no repair is left, or only proof that the environment cannot
 * provide is missing.
 */
function isForPerson({ nudge, repairState, noNudge }: RepairPlan): boolean {
  if (nudge !== null) return false;
  return (
    (!repairState.isLeft && repairState.iteration > 0) ||
    (noNudge !== null && noNudge.startsWith('all that is missing'))
  );
}

function actionOf(
  verdict: Native | null,
  { nudge, repairState }: RepairPlan,
  { truncated }: Weighed,
): Action {
  if (verdict === null) return 'escalate';
  if (nudge !== null) return 'retry';
  if (verdict === 'PASS') return truncated ? 'accept_with_warning' : 'accept';
  return !repairState.isLeft && repairState.iteration > 0 ? 'escalate' : 'reject';
}
