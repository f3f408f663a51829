import type { Score } from '../../domain';
import { type ErrorDetail, misspeltMembers, nearestName } from '../../platform';
import { measuredBy } from '../evaluator';
import type { CheckFinding, PreparedCheck } from './check';
import { checks } from './registry';
import { OverTime } from './watchdog';

/** A check as a caller requests it. */
export interface CheckRequest {
  readonly check: string;
  readonly value: unknown;
}

/** The evaluator's name in a score. */
export function checkEvaluator(name: string): string {
  return `checks.${checks.has(name) ? name : 'unknown'}@1`;
}

/** The requirement of a check, for people to read. */
export function describeCheck({ check, value }: CheckRequest): string {
  return checks.get(check)?.prepare(value).title ?? unknownTitle(check);
}

const unknownTitle = (check: string): string => `Check ${JSON.stringify(check.slice(0, 80))}`;

/**
 * Misspelt members of a check's value, each with the nearest known name; paths begin at the value.
 */
export function misspeltOptions({ check: name, value }: CheckRequest): readonly ErrorDetail[] {
  const check = checks.get(name);
  if (check === undefined || typeof value !== 'object') return [];
  return misspeltMembers(check.value, value).filter(({ message }) =>
    message.includes('did you mean'),
  );
}

/** Runs one check over a text; for many texts use `prepareCheck`. */
export function runCheck(request: CheckRequest, text: string): Score {
  return prepareCheck(request)(text);
}

/**
 * A check as a function from text to score (VS-10). An unknown type is skipped with a warning and
 * fails nothing; a check that cannot run with its parameter has failed and reports why (VS-11). One
 * that takes too long throws `OverTime`: it has no finding (R-104).
 */
export function prepareCheck({
  check: name,
  value: parameter,
}: CheckRequest): (text: string) => Score {
  const check = checks.get(name);
  if (check === undefined) {
    const near = nearestName(name, checks.keys());
    const reasoning = `left out: there is no such check${near === null ? '.' : `; did you mean "${near}"?`} There are ${[...checks.keys()].join(', ')}`;
    return () => ({
      ...measuredBy(checkEvaluator(name), unknownTitle(name)),
      state: 'unscored',
      value: null,
      met: null,
      reasoning,
    });
  }
  const { title, run } = check.prepare(parameter);
  const base = measuredBy(checkEvaluator(name), title);
  return (text) => scored(base, resultOf(run, text));
}

function resultOf(run: PreparedCheck['run'], text: string): CheckFinding {
  try {
    return run(text);
  } catch (error) {
    if (error instanceof OverTime) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    return {
      value: 0,
      met: false,
      reasoning: `the check could not run: ${reason.slice(0, 500)}`,
      evidence: [],
    };
  }
}

/** Field by field: spreading and overriding an object takes longer than most checks. */
function scored(
  base: ReturnType<typeof measuredBy>,
  { value, met, reasoning, evidence }: CheckFinding,
): Score {
  return {
    name: base.name,
    evaluator: base.evaluator,
    state: 'scored',
    value,
    met,
    must_pass: base.must_pass,
    weight: base.weight,
    reasoning,
    evidence: evidence.slice(),
    model: base.model,
    prompt_version: base.prompt_version,
    cost_usd: base.cost_usd,
    latency_ms: base.latency_ms,
    cached: base.cached,
  };
}
