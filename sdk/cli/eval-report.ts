import type {
  ExperimentGateResult,
  ExperimentMeasure,
  ExperimentResult,
} from '../client/evaluation';
import { percent } from './decide-gate';
import { element, escapeXml, junitFile } from './junit';
import type { EvalComparison } from './read-comparison';
import { plain } from './terminal';

/** What the reports show; `--json` prints it. */
export interface EvalResult {
  readonly name: string;
  readonly url: string;
  readonly experiment: ExperimentResult;
  readonly gate: ExperimentGateResult | null;
  /** With the gate's baseline, or that of the experiment; null: none. */
  readonly comparison: EvalComparison | null;
  /** Verdicts that failed, or gave no result. */
  readonly failures: readonly EvalFailure[];
}

export interface EvalFailure {
  readonly verifier: string;
  readonly item: string;
  readonly outcome: string;
  readonly reason: string;
  readonly url: string;
}

interface Row {
  readonly verifier: string;
  readonly pass: string;
  readonly corrected: string;
  readonly score: string;
}

/** `92% (46/50), 81% to 97%`, or a dash if there is no value. */
function rateText({ value, numerator: k, denominator: n, low, high }: ExperimentMeasure): string {
  if (value === null) return '–';
  const counts = k === null || !Number.isInteger(k) ? '' : ` (${k}/${n})`;
  const range = low === null || high === null ? '' : `, ${percent(low)} to ${percent(high)}`;
  return `${percent(value)}${counts}${range}`;
}

export const rowsOf = ({ experiment }: EvalResult): Row[] =>
  experiment.results.map((each) => ({
    verifier: each.verifier,
    pass: rateText(each.pass_rate),
    corrected: rateText(each.corrected_pass_rate),
    score: each.mean_score.value?.toFixed(3) ?? '–',
  }));

export const costText = ({ experiment }: EvalResult): string =>
  `$${experiment.cost_usd.total.toFixed(4)}`;

export const gateText = ({ gate }: EvalResult): string =>
  gate === null ? 'no gate' : gate.passed ? 'gate passed' : 'gate failed';

/** Lines for a terminal. */
export function evalLines(result: EvalResult): string[] {
  const rows = rowsOf(result);
  const width = Math.max(8, ...rows.map(({ verifier }) => verifier.length));
  return [
    ...rows.map(
      ({ verifier, pass, corrected, score }) =>
        `${verifier.padEnd(width)}  pass ${pass}  corrected ${corrected}  score ${score}`,
    ),
    `${gateText(result)}, ${costText(result)}`,
    ...(result.gate?.reasons ?? []).map(
      ({ verifier, message }) => `  ${verifier === null ? '' : `${verifier}: `}${plain(message)}`,
    ),
    result.url,
  ];
}

/** JUnit XML: a case for each failure, for each verifier, and for the gate. */
export function evalJunit(result: EvalResult): string {
  const cases = result.failures.map(({ verifier, item, outcome, reason, url }) =>
    element(
      'testcase',
      { classname: verifier, name: item },
      outcome === 'failed'
        ? element('failure', { message: reason, type: outcome }, escapeXml(url))
        : element('skipped', { message: `${outcome}: ${reason}` }),
    ),
  );
  for (const { verifier, pass } of rowsOf(result))
    cases.push(element('testcase', { classname: verifier, name: `pass rate ${pass}` }));
  const { gate } = result;
  if (gate !== null)
    cases.push(
      element(
        'testcase',
        { classname: 'assay', name: 'gate' },
        gate.passed
          ? ''
          : element('failure', {
              message: gate.reasons.map(({ message }) => message).join(' '),
              type: 'gate',
            }),
      ),
    );
  const failed = result.failures.filter(({ outcome }) => outcome === 'failed').length;
  return junitFile('assay eval', cases, {
    failures: failed + (gate === null || gate.passed ? 0 : 1),
    errors: 0,
    skipped: result.failures.length - failed,
  });
}
