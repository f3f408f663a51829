import type {
  ExperimentGateResult,
  ExperimentMeasure,
  ExperimentResult,
} from '../client/evaluation';
import { element, escapeXml, junitFile } from './junit';
import type { EvalFailure } from './list-failures';
import type { EvalComparison } from './read-comparison';
import { plain } from './terminal';

/** The content of the reports; `--json` prints it. */
export interface EvalResult {
  readonly name: string;
  readonly url: string;
  readonly experiment: ExperimentResult;
  readonly gate: ExperimentGateResult | null;
  /** With the gate's baseline, or that of the experiment; null if none. */
  readonly comparison: EvalComparison | null;
  /** Rows without an answer, and verdicts that failed or have no result. */
  readonly failures: readonly EvalFailure[];
}

interface Row {
  readonly verifier: string;
  readonly pass: string;
  readonly corrected: string;
  readonly score: string;
}

/** Rounded to the nearest tenth of a percent; the gate compares exact rates. */
const percent = (rate: number): string => `${Math.round(rate * 1000) / 10}%`;

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

export const isAnswered = ({ experiment }: EvalResult): boolean => experiment.counts.answered > 0;

export function gateText(result: EvalResult): string {
  const { gate } = result;
  const text = gate === null ? 'no gate' : gate.passed ? 'gate passed' : 'gate failed';
  return isAnswered(result) ? text : `no row was answered, ${text}`;
}

const namedRows = 3;
const reasonChars = 600;

/** `5 of 6 rows failed: item s1: exit code 1: …; and 2 more`; null if none failed. */
export function failedRowsText(result: EvalResult): string | null {
  const { rows, failed, lost } = result.experiment.counts;
  const count = failed + lost;
  if (count === 0) return null;
  const named = result.failures
    .filter(({ verifier }) => verifier === null)
    .slice(0, namedRows)
    .map((row) => `item ${plain(nameOf(row, result))}: ${plain(row.reason).slice(0, reasonChars)}`);
  const more = count > named.length ? `; and ${count - named.length} more` : '';
  return `${count} of ${rows} rows failed: ${named.join('; ')}${more}`;
}

/** The same in each run of the file. */
const nameOf = ({ item, repetition }: EvalFailure, { experiment }: EvalResult): string =>
  Number(experiment.repetitions) > 1 ? `${item}, repetition ${repetition}` : item;

/** Lines for a terminal. */
export function evalLines(result: EvalResult): string[] {
  const rows = rowsOf(result);
  const failedRows = failedRowsText(result);
  const width = Math.max(8, ...rows.map(({ verifier }) => verifier.length));
  return [
    ...rows.map(
      ({ verifier, pass, corrected, score }) =>
        `${verifier.padEnd(width)}  pass ${pass}  corrected ${corrected}  score ${score}`,
    ),
    ...(failedRows === null ? [] : [failedRows]),
    `${gateText(result)}, ${costText(result)}`,
    ...(result.gate?.reasons ?? []).map(
      ({ verifier, message }) => `  ${verifier === null ? '' : `${verifier}: `}${plain(message)}`,
    ),
    result.url,
  ];
}

/** JUnit XML: a case for each failure, for each verifier, and for the gate. */
export function evalJunit(result: EvalResult): string {
  const cases = result.failures.map((each) =>
    element(
      'testcase',
      { classname: each.verifier ?? 'target', name: nameOf(each, result) },
      faultElement(each),
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
  const countOf = (name: string): number =>
    result.failures.filter((each) => faultName(each) === name).length;
  return junitFile('assay eval', cases, {
    failures: countOf('failure') + (gate === null || gate.passed ? 0 : 1),
    errors: countOf('error'),
    skipped: countOf('skipped'),
  });
}

function faultName({ verifier, outcome }: EvalFailure): 'error' | 'failure' | 'skipped' {
  if (verifier === null) return 'error';
  return outcome === 'failed' ? 'failure' : 'skipped';
}

function faultElement(failure: EvalFailure): string {
  const { outcome, reason, url } = failure;
  const name = faultName(failure);
  return name === 'skipped'
    ? element(name, { message: `${outcome}: ${reason}` }, escapeXml(url))
    : element(name, { message: reason, type: outcome }, escapeXml(url));
}
