import { minSampleSize, quantityText } from '../domain';
import { alertFacts, alertKinds } from '../alerts/input';
import type { Report, ReportedMeasure, ReportedVerifier } from './report-content';

/** The texts of reports, shared by the console and Markdown. Pure; also runs in browsers. */

const integerText = (n: number): string => n.toLocaleString('en');
const percent = (share: number): string => (share * 100).toFixed(1);

/** `84.0% (71.5–91.7%), 42/50`; only counts below 20; `no data` if there are none (X-12). */
export function measureText({
  value,
  numerator,
  denominator,
  low,
  high,
  state,
}: ReportedMeasure): string {
  if (value === null || state === 'no_data') return 'no data';
  const rests =
    numerator === null
      ? `n ${integerText(denominator)}`
      : `${integerText(numerator)}/${integerText(denominator)}`;
  if (state === 'insufficient') return rests;
  return `${percent(value)}%${low === null || high === null ? '' : ` (${percent(low)}–${percent(high)}%)`}, ${rests}`;
}

/**
 * A number between -1 and 1 with its interval: `0.707 (0.596 to 0.818), n 200`. Below `minCount` it
 * shows only `n`.
 */
function statisticText(
  {
    value,
    low,
    high,
    n,
  }: { value: number | null; low: number | null; high: number | null; n: number },
  minCount: number,
): string {
  if (n === 0 || value === null) return 'no data';
  if (n < minCount) return `n ${integerText(n)}`;
  return `${signed(value)}${low === null || high === null ? '' : ` (${signed(low)} to ${signed(high)})`}, n ${integerText(n)}`;
}

/** Kappa, which is not a share. */
export function kappaText({ value, low, high, denominator: n, state }: ReportedMeasure): string {
  if (value === null || state === 'no_data') return 'no data';
  return state === 'insufficient'
    ? `n ${integerText(n)}`
    : statisticText({ value, low, high, n }, 1);
}

/**
 * Correlation of scores with labels (SOAR-33). States that fewer than 100 pairs are inconclusive.
 */
export function correlationText({
  value,
  low,
  high,
  denominator: n,
  state,
}: ReportedMeasure): string {
  const text = statisticText({ value, low, high, n }, minSampleSize);
  const few = state === 'insufficient' && n >= minSampleSize ? ', too few pairs to go by' : '';
  return state === 'off_target'
    ? `${text}, below 0.7: calibrate the scores again`
    : `${text}${few}`;
}

function signed(value: number): string {
  const text = Math.abs(value).toFixed(3);
  return `${value < 0 && Number(text) > 0 ? '−' : ''}${text}`;
}

/** `+3.2 points (1.1 to 5.3)`, preceded by `rose` or `fell` if the interval excludes zero. */
export function changeText(
  difference: { value: number; low: number; high: number } | null,
): string {
  if (difference === null) return 'too few to compare';
  const { value, low, high } = difference;
  const word = low > 0 ? 'rose ' : high < 0 ? 'fell ' : '';
  return `${word}${points(value)} points (${points(low)} to ${points(high)})`;
}

function points(share: number): string {
  const text = Math.abs(share * 100).toFixed(1);
  return `${Number(text) === 0 ? '' : share < 0 ? '−' : '+'}${text}`;
}

/** `12/20`, or `no data`. */
export const countsText = ({
  numerator,
  denominator,
}: {
  numerator: number;
  denominator: number;
}): string =>
  denominator === 0 ? 'no data' : `${integerText(numerator)}/${integerText(denominator)}`;

/** US dollars; `at least` if the price of some call was unknown. */
export function moneyText(usd: number, unpriced = 0): string {
  const amount =
    usd === 0
      ? '$0'
      : usd < 0.0001
        ? '<$0.0001'
        : usd < 0.1
          ? `$${Number(usd.toFixed(4))}`
          : `$${usd.toFixed(2)}`;
  return unpriced > 0 ? `at least ${amount}` : amount;
}

/** `no data` if no cost of work is known. */
export const shareText = (share: number | null): string =>
  share === null ? 'no data' : `${percent(share)}%`;

/** `2026-11-16 to 2026-11-22`: the first and the last UTC day. */
export function periodText({
  from,
  to,
}: {
  readonly from: string | Date;
  readonly to: string | Date;
}): string {
  const first = dayOf(new Date(from));
  const last = dayOf(new Date(new Date(to).getTime() - 1));
  return first === last ? first : `${first} to ${last}`;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export const trustWords: Record<ReportedVerifier['trust']['state'], string> = {
  unmeasured: 'unmeasured',
  provisional: 'provisional',
  qualified: 'qualified',
  stale: 'stale',
};

const methodWords = {
  ppi: 'corrected by PPI++',
  labels_only: 'of the labelled sample alone',
  rogan_gladen: 'corrected by Rogan and Gladen',
} as const;

/** The method of the corrected pass rate; null if there is none. */
export const methodText = (shown: ReportedVerifier['corrected']['shown']): string | null =>
  shown === null ? null : methodWords[shown];

const decisionWords: ReadonlyMap<string, string> = new Map([
  ['filtered', 'did not match the filter'],
  ['sampled_out', 'left out by sampling'],
  ['duplicate', 'the same as one before'],
  ['bypassed', 'bypassed: its work cost too little'],
  ['over_budget', 'the daily budget was used up'],
  ['blocked', 'blocked: switched off'],
  ['failed', 'could not be verified'],
  ['expired', 'expired'],
]);
/** Why nothing was verified; an unknown state is shown by its name. */
export const decisionText = (state: string): string => decisionWords.get(state) ?? state;

const alertWords: ReadonlyMap<string, string> = new Map([
  ['began', 'began'],
  ['lasts', 'lasts'],
  ['recovered', 'recovered'],
  ['no_data', 'without data'],
]);
/** `Catch rate: Task`, `Sandbox down`; an unknown kind is shown by its name. */
export function alertText({
  kind,
  name,
}: {
  readonly kind: string;
  readonly name: string;
}): string {
  const known = alertKinds.find((each) => each === kind);
  if (known === undefined) return `${kind}: ${name}`;
  const { title, single } = alertFacts[known];
  return single === true ? title : `${title}: ${name}`;
}

export const alertEventText = (event: string): string => alertWords.get(event) ?? event;

/** A finding of the report: an alert that was active when it was created, or began in its period. */
export interface ReportedFinding {
  readonly title: string;
  readonly severity: string;
  readonly since: string;
  readonly message: string;
  readonly advice: string | null;
  /** Whether it was over when the report was created. */
  readonly hasEnded: boolean;
}

/** The findings of a report: the active ones by severity, then those that ended, newest first. */
export function findingsOf({ alerts: { now, events } }: Pick<Report, 'alerts'>): ReportedFinding[] {
  const isActive = ({ kind, series }: { readonly kind: string; readonly series: string }) =>
    now.some((each) => each.kind === kind && each.series === series);
  return [
    ...now.map(({ severity, since, message, advice, ...alert }) => ({
      title: alertText(alert),
      severity,
      since,
      message,
      advice,
      hasEnded: false,
    })),
    ...events
      .filter((each) => each.event === 'began' && !isActive(each))
      .map(({ severity, at, message, ...alert }) => ({
        title: alertText(alert),
        severity,
        since: at,
        message,
        advice: null,
        hasEnded: true,
      })),
  ];
}

export const noFindingsText =
  'No findings: no alert began in the period, and none was active when this report was created.';

/** Audit actions that may change verdicts or their counts, in words. */
const actionWords: ReadonlyMap<string, string> = new Map([
  ['prompts.promote', 'Prompt version put into production'],
  ['promotions.refuse', 'Promotion refused by the gate'],
  ['promotions.approve', 'Promotion approved'],
  ['promotions.force', 'Promotion forced against the gate'],
  ['promotions.roll_back', 'Promotion rolled back'],
  ['thresholds.update', 'Threshold moved'],
  ['thresholds.undo', 'Threshold brought back'],
  ['verifiers.update', 'Verifier config changed'],
  ['settings.update', 'Settings changed'],
  ['settings.mission', 'Mission settings changed'],
  ['rules.update', 'Rule changed'],
  ['providers.put', 'Provider set'],
  ['providers.delete', 'Provider deleted'],
  ['labels.policy', 'Labelling policy changed'],
  ['trust.settings', 'Trust targets changed'],
  ['review.settings', 'Review settings changed'],
  ['gateway.put_route', 'Gateway route set'],
  ['gateway.delete_route', 'Gateway route deleted'],
]);
export const reportedActions: readonly string[] = [...actionWords.keys()];
export const reportedActionText = (action: string): string => actionWords.get(action) ?? action;

/** Summarizes the report in a few sentences, the most urgent first. */
export function summarySentences(report: Report): string[] {
  const { verifiers, label_debt: debt, decisions, costs, is_over: isOver } = report;
  const decided = verifiers.reduce((sum, { rates }) => sum + rates.pass_rate.denominator, 0);
  const notQualified = verifiers.filter(({ trust }) => trust.state !== 'qualified');
  return [
    ...(isOver ? [] : ['The period was not over when this report was created.']),
    `${quantityText(decided, 'verdict')} passed or failed, by ${quantityText(verifiers.length, 'verifier')}.`,
    ...(verifiers.length === 0
      ? []
      : [
          notQualified.length === 0
            ? 'Every verifier is qualified.'
            : `Not qualified: ${notQualified.map(({ verifier, trust }) => `${verifier} (${trustWords[trust.state]})`).join(', ')}.`,
        ]),
    movedSentence(verifiers),
    `${quantityText(debt.open_items, 'item')} in the review queue${debt.open_items === 1 ? ' waits' : ' wait'}; ${quantityText(decisions.not_run, 'decision')} did not lead to a verification.`,
    costs.share === null
      ? `Verifying cost ${moneyText(costs.verifying_usd, costs.unpriced)}; the cost of the work is not known.`
      : `Verifying cost ${moneyText(costs.verifying_usd, costs.unpriced)}: ${shareText(costs.share)} of the cost of the work, where that is known; the budget is ${shareText(costs.budget_share)}.`,
  ];
}

/**
 * A missing comparison is not an all-clear: states the number of verifiers with too few verdicts in
 * this or the previous period.
 */
export function movedSentence(
  verifiers: readonly Pick<ReportedVerifier, 'verifier' | 'before'>[],
): string {
  const differences = verifiers.flatMap(({ verifier, before: { pass_rate: before } }) =>
    before.difference === null ? [] : [{ verifier, ...before.difference }],
  );
  const moved = differences
    .filter(({ low, high }) => low > 0 || high < 0)
    .map((each) => `${each.verifier} ${changeText(each)}`);
  const silent = verifiers.length - differences.length;
  if (differences.length === 0)
    return `There is no pass rate to compare with the period before: that takes ${minSampleSize} verdicts of a verifier in both.`;
  const rest =
    silent === 0
      ? ''
      : ` Of ${quantityText(silent, 'verifier')} there are too few verdicts to compare.`;
  return `${moved.length === 0 ? 'No pass rate moved by more than chance.' : `Pass rates that moved: ${moved.join('; ')}.`}${rest}`;
}

/** A verifier's verdicts that no rate includes; null if there are none. */
export function outsideText({ undecided, contested, pending }: ReportedVerifier): string | null {
  const parts = [
    ...(undecided === 0 ? [] : [`${integerText(undecided)} not decided`]),
    ...(contested === 0 ? [] : [`${integerText(contested)} contested`]),
    ...(pending === 0 ? [] : [`${integerText(pending)} with labels that are not counted in yet`]),
  ];
  return parts.length === 0 ? null : parts.join(', ');
}

/** The agreement between people, and the verifier's agreement with them on the same items. */
export function ceilingText({ human: { items, raters, alpha, kappa } }: ReportedVerifier): string {
  if (items === 0)
    return 'No two people labelled the same item blind, so how far people agree is not known.';
  return `People agree with each other at alpha ${statisticText(alpha, minSampleSize)} (${quantityText(raters, 'rater')}, ${quantityText(items, 'shared item')}); the verifier with them on the same items at kappa ${statisticText(kappa, minSampleSize)}.`;
}

/** The cost of verifying, its share of the work's cost, and the cost per caught defect. */
export function costText({ cost, caught_cost: caught }: ReportedVerifier): string {
  const share =
    cost.share === null
      ? 'the cost of its work is not known'
      : `${shareText(cost.share)} of the cost of its work, where that is known`;
  const { precision, flagged, usd } = caught;
  const truth =
    precision.denominator === 0
      ? 'none has truth'
      : `${integerText(precision.numerator ?? 0)} of the ${integerText(precision.denominator)} with truth were bad`;
  const defect =
    usd === null
      ? `The cost of a caught defect is unknown: of ${integerText(flagged)} flagged ${truth}.`
      : `A caught defect cost ${moneyText(usd, cost.unpriced)}: about ${integerText(Math.round(caught.caught ?? 0))} of ${integerText(flagged)} flagged were bad.`;
  return `Verifying cost ${moneyText(cost.verifying_usd, cost.unpriced)} in ${quantityText(cost.verdicts, 'verdict')} and ${quantityText(cost.judge_calls, 'judge call')}; ${share}. ${defect}`;
}
