import type { Alert, AlertBoard, Trust } from '@/app/_trpc/outputs';
import { trustHref } from '@/app/(console)/verifier-trust';
import { quantityText, rate } from '@/server/domain';
import { alertName } from '../alerts/alert-words';
import { filterQuery } from '../verdicts/filters';
import { type Days, pastPeriod } from './period';

export type Fall = AlertBoard['falls'][number];
type TrustState = Trust['state'];

/** A part of the answer; its link leads to the rows behind it. */
export interface AnswerPart {
  readonly text: string;
  readonly href: string | null;
}

export interface AnswerFacts {
  readonly project: string;
  readonly days: Days;
  /** Start of the period. */
  readonly from: Date;
  readonly passed: number;
  /** Passed and failed. */
  readonly decided: number;
  /** The weight of one verdict in the interval, as sessions share answers. */
  readonly weight: number;
  /** The verifiers that decided in the period, with their current trust. */
  readonly verifiers: readonly { readonly verifier: string; readonly state: TrustState }[];
  /** The deepest first; null if falls were not checked recently. */
  readonly falls: readonly Fall[] | null;
  /** The locale of dates. */
  readonly locale: string;
}

/** With more verifiers, at most two qualified ones are named, and the others counted. */
const maxNamedVerifiers = 3;
const maxNamedQualified = 2;
const maxNamedFalls = 2;

/**
 * The answer in one sentence: how many verdicts passed with the interval, which verifiers can be
 * trusted, and which rates fell. Pure.
 */
export function answerOf(facts: AnswerFacts): AnswerPart[] {
  const clauses = [rateClause(facts), trustClause(facts), fallClause(facts)].filter(
    (clause) => clause.length > 0,
  );
  return [
    ...joined(
      clauses.map((clause) =>
        joined(
          clause.map((part) => [part]),
          ', ',
        ),
      ),
      '; ',
    ),
  ].concat(plain('.'));
}

const plain = (text: string): AnswerPart => ({ text, href: null });

const joined = (parts: readonly (readonly AnswerPart[])[], separator: string): AnswerPart[] =>
  parts.flatMap((part, index) => (index === 0 ? part : [plain(separator), ...part]));

function rateClause({ project, days, from, passed, decided, weight }: AnswerFacts): AnswerPart[] {
  const href = `/p/${project}/verdicts${filterQuery({ outcome: ['passed', 'failed'], from })}`;
  const { state, value, low, high } = rate(passed, decided, weight);
  if (state === 'no_data') return [{ text: `Nothing passed or failed ${pastPeriod[days]}`, href }];
  const verdicts = quantityText(decided, 'verdict');
  return [
    {
      text:
        state === 'insufficient'
          ? `${passed} of ${verdicts} passed, too few for a rate`
          : `${percent(value)}% of ${verdicts} passed (${percent(low)} to ${percent(high)}%)`,
      href,
    },
  ];
}

/**
 * Whole percents; near 0 and 1 with a decimal, so that only a full share is 100 and only an empty
 * one is 0.
 */
function percent(share: number): string {
  const roundedPercent = Math.round(share * 100);
  const isRoundedAway =
    (roundedPercent === 100 && share < 1) || (roundedPercent === 0 && share > 0);
  if (!isRoundedAway) return String(roundedPercent);
  return String(Math.min(99.9, Math.max(0.1, Math.round(share * 1000) / 10)));
}

const states: readonly TrustState[] = ['qualified', 'provisional', 'stale', 'unmeasured'];

function trustClause({ project, verifiers }: AnswerFacts): AnswerPart[] {
  const [first] = verifiers;
  if (first === undefined) return [];
  const href = `/p/${project}/calibration`;
  const all = verifiers.length;
  const qualified = verifiers.filter(({ state }) => state === 'qualified').length;
  if (qualified === all && all > 1)
    return [{ text: `${all === 2 ? 'both' : `all ${all}`} verifiers are qualified`, href }];
  if (all > maxNamedVerifiers) {
    if (qualified === 0) return [{ text: `none of ${all} verifiers is qualified`, href }];
    if (qualified > maxNamedQualified)
      return [{ text: `${qualified} of ${all} verifiers are qualified`, href }];
    return [
      ...namesIn(project, verifiers, 'qualified'),
      { text: `${all - qualified} other verifiers are not`, href },
    ];
  }
  return states.flatMap((state) => namesIn(project, verifiers, state));
}

/** `integrity and code are qualified`; empty if no verifier is in the state. */
function namesIn(
  project: string,
  verifiers: AnswerFacts['verifiers'],
  state: TrustState,
): AnswerPart[] {
  const names = verifiers.filter((each) => each.state === state).map(({ verifier }) => verifier);
  const [name] = names;
  if (name === undefined) return [];
  return names.length === 1
    ? [{ text: `${name} is ${state}`, href: trustHref(project, name) }]
    : [{ text: `${listed(names)} are ${state}`, href: `/p/${project}/calibration` }];
}

const listed = (names: readonly string[]): string =>
  `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

function fallClause({ project, falls, locale }: AnswerFacts): AnswerPart[] {
  if (falls === null) return [];
  if (falls.length === 0)
    return [{ text: 'no pass rate fell significantly', href: `/p/${project}/alerts` }];
  const groups = groupFalls(falls);
  const more = groups.length - maxNamedFalls;
  return [
    ...groups.slice(0, maxNamedFalls).map(([deepest, ...others]) => ({
      text: `${fallText(deepest)}${otherVerifiersText(others)} since ${dayText(deepest.since, locale)}`,
      href: `/p/${project}${deepest.href}`,
    })),
    ...(more > 0 ? [{ text: `${more} more fell`, href: `/p/${project}/alerts` }] : []),
  ];
}

/** Falls of the same work that began at most this many days apart have the same cause. */
const oneCauseDays = 2;
const dayMs = 86_400_000;

/** One group for each cause; its deepest fall is the first, as in `falls`. */
export function groupFalls(falls: readonly Fall[]): readonly (readonly [Fall, ...Fall[]])[] {
  const groups: [Fall, ...Fall[]][] = [];
  for (const fall of falls) {
    const group = groups.find(
      ([{ part, since }]) =>
        part !== null &&
        part === fall.part &&
        Math.abs(since.getTime() - fall.since.getTime()) <= oneCauseDays * dayMs,
    );
    if (group === undefined) groups.push([fall]);
    else group.push(fall);
  }
  return groups;
}

/** ` and 12 points on integrity`; empty without others. */
function otherVerifiersText(others: readonly Fall[]): string {
  const [second] = others;
  if (second === undefined) return '';
  return others.length === 1
    ? ` and${pointsText(second)} on ${second.verifier}`
    : ` and on ${others.length} other verifiers`;
}

/** ` 28 points`; empty with too few verdicts to compare. */
export const pointsText = ({ difference }: Fall): string =>
  difference === null ? '' : ` ${quantityText(Math.round(-difference.value * 100), 'point')}`;

/** `ops-small fell 28 points on task`. */
export function fallText(fall: Fall): string {
  const { part, verifier } = fall;
  const by = pointsText(fall);
  return part === null ? `${verifier} fell${by}` : `${part} fell${by} on ${verifier}`;
}

/** `10 Nov`: falls begin with a UTC day. */
export const dayText = (day: Date, locale: string): string =>
  day.toLocaleDateString(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The next step: follow the deepest fall, then other findings, then reviews, then labels. */
export function nextStepOf(
  {
    project,
    falls,
    verifiers,
    locale,
  }: Pick<AnswerFacts, 'project' | 'falls' | 'verifiers' | 'locale'>,
  findings: readonly Pick<Alert, 'kind' | 'name' | 'href' | 'acknowledged'>[],
  openReviews: number,
): AnswerPart | null {
  const [fall] = falls ?? [];
  if (fall !== undefined)
    return {
      text: `Read the failed verdicts of ${fall.part ?? fall.verifier} since ${dayText(fall.since, locale)}`,
      href: `/p/${project}${fall.href}`,
    };
  const finding = findings.find(({ acknowledged }) => acknowledged === null);
  if (finding !== undefined)
    return {
      text: `Investigate ${alertName(finding)}`,
      href: `/p/${project}${finding.href ?? '/alerts'}`,
    };
  if (openReviews > 0)
    return {
      text: `Review ${quantityText(openReviews, 'open item')}`,
      href: `/p/${project}/review`,
    };
  const weak = verifiers.find(({ state }) => state !== 'qualified');
  if (weak === undefined) return null;
  return {
    text: `Label verdicts of ${weak.verifier}, which is ${weak.state}`,
    href: `/p/${project}/verdicts${filterQuery({ verifier: weak.verifier })}`,
  };
}
