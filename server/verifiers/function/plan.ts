import { meetsThreshold, type Score } from '../../domain';
import { measuredBy, type EvaluatorContext } from '../../evaluators';
import type { FunctionOutcome, FunctionValue } from '../../evaluators/functions';
import { thresholdOf } from '../asking';
import type { RunSetting } from '../kind';
import type { CustomSubject } from '../custom';
import type { NodeResult, PlanNode } from '../plan-node';
import { argumentsOf, functionSourceOf } from './arguments';
import type { FunctionConfig } from './definition';

export const NODE = 'function';
const EVALUATOR = 'function@1';
/** As for proof gates: more than checks, less than judges. */
const COST = 10;
/** For waiting until a sandbox is free and earlier subjects of the function are answered. */
const QUEUE_MS = 5 * 60_000;

type Setting = RunSetting<FunctionConfig>;

/** One node, in the slow lane, which has sandboxes. */
export const planFunction = (subject: CustomSubject, setting: Setting): readonly PlanNode[] => [
  {
    name: NODE,
    title: setting.config.name,
    evaluator: EVALUATOR,
    needs: [],
    mustPass: false,
    weight: 1,
    cost: COST,
    timeoutMs: QUEUE_MS + setting.config.function.timeout_ms,
    run: (_details, ctx) => evaluate(subject, setting, ctx),
  },
];

async function evaluate(
  subject: CustomSubject,
  setting: Setting,
  { functions, signal }: EvaluatorContext,
): Promise<NodeResult> {
  const source = functionSourceOf(setting.config.function);
  const [outcome = notRun] =
    functions === undefined ? [] : await functions.run(source, [argumentsOf(subject)], signal);
  return {
    score: scoreOf(outcome, setting),
    detail: outcome,
    ...(outcome.durationMs !== null && { latencyMs: outcome.durationMs }),
  };
}

const notRun: FunctionOutcome = {
  state: 'failed',
  reason: 'the function was not run: this process has no sandbox',
  line: null,
  stdout: '',
  durationMs: null,
};

function scoreOf(outcome: FunctionOutcome, setting: Setting): Score {
  const base = measuredBy(EVALUATOR, setting.config.name);
  if (outcome.state === 'failed')
    return { ...base, state: 'failed', value: null, met: null, reasoning: outcome.reason };
  const { value, mustPass } = outcome;
  const reasoning = reasoningOf(outcome);
  if (value === null)
    return {
      ...base,
      state: 'unscored',
      value,
      met: null,
      reasoning: reasoning ?? 'evaluate returned no score',
    };
  const threshold = thresholdOf(setting, 'pass_threshold', 0.5);
  const met =
    meetsThreshold(value, threshold) && (mustPass === null || meetsThreshold(mustPass, threshold));
  return { ...base, state: 'scored', value, met, reasoning };
}

/** The reason that the function returned; for a list, each score with its reason. */
function reasoningOf({ isList, scores }: FunctionValue): string | null {
  if (!isList) return scores[0]?.reason ?? null;
  return scores
    .map(
      ({ name, score, reason }) =>
        `${name} ${score ?? 'unscored'}${reason === null ? '' : `: ${reason}`}`,
    )
    .join('; ')
    .slice(0, 4_000)
    .toWellFormed();
}
