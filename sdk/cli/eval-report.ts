import { percent } from './decide-gate';
import { element, escapeXml, junitFile } from './junit';
import { isRecord } from './stored-verifiers';
import { plain } from './terminal';

/** The results of an experiment, as `GET /v1/experiments/{id}` and its gate return them. */
export interface EvalResult {
  readonly name: string;
  readonly url: string;
  readonly experiment: Readonly<Record<string, unknown>>;
  readonly gate: {
    readonly passed: boolean;
    readonly reasons: readonly { readonly message: string; readonly severity?: string }[];
  } | null;
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

const numberIn = (value: unknown, member: string): number | null =>
  isRecord(value) && typeof value[member] === 'number' ? value[member] : null;

/** `92% (46/50), 81 to 97%`, or a dash if there is no value. */
function rateText(measure: unknown): string {
  const value = numberIn(measure, 'value');
  if (value === null) return '–';
  const [low, high] = [numberIn(measure, 'low'), numberIn(measure, 'high')];
  const [k, n] = [numberIn(measure, 'numerator'), numberIn(measure, 'denominator')];
  const counts = k === null || n === null || !Number.isInteger(k) ? '' : ` (${k}/${n})`;
  const range = low === null || high === null ? '' : `, ${percent(low)} to ${percent(high)}`;
  return `${percent(value)}${counts}${range}`;
}

const scoreText = (measure: unknown): string => numberIn(measure, 'value')?.toFixed(3) ?? '–';

function rowsOf({ experiment }: EvalResult): Row[] {
  const verifiers = Array.isArray(experiment.results) ? experiment.results : [];
  return verifiers.filter(isRecord).map((each) => ({
    verifier: String(each.verifier),
    pass: rateText(each.pass_rate),
    corrected: rateText(each.corrected_pass_rate),
    score: scoreText(each.mean_score),
  }));
}

function costText({ experiment }: EvalResult): string {
  const total = numberIn(experiment.cost_usd, 'total');
  return total === null ? 'cost unknown' : `$${total.toFixed(4)}`;
}

const gateText = ({ gate }: EvalResult): string =>
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
    ...(result.gate?.reasons ?? []).map(({ message }) => `  ${plain(message)}`),
    result.url,
  ];
}

const cell = (text: string): string => plain(text).replaceAll('|', '\\|');

/** A comment for a pull request, or the summary of a job. */
export function evalMarkdown(result: EvalResult): string {
  const lines = [
    `### Assay: ${cell(result.name)} – ${gateText(result)}`,
    '',
    '| Verifier | Pass rate | Corrected for the verifier’s errors | Mean score |',
    '| --- | --- | --- | --- |',
    ...rowsOf(result).map(
      ({ verifier, pass, corrected, score }) =>
        `| ${cell(verifier)} | ${pass} | ${corrected} | ${score} |`,
    ),
    '',
    ...(result.gate?.reasons ?? []).map(({ message }) => `- ${cell(message)}`),
    '',
    `${costText(result)} · [Open the experiment](${result.url})`,
    '',
  ];
  return lines.join('\n');
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
