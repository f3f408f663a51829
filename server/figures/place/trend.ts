import type { ScannedFigure } from '../scan';
import type { SeriesFault } from './series-faults';
import type { NamedColumn } from './column';
import type { Grid } from './grid';
import { type Point, pointsOf } from './points';
import type { Sentence } from './sentence';
import type { SentencePeriod } from './sentence-period';

/**
 * Words of a trend next to a time, compared with the series: "a steady increase from May to July
 * 2020", "fell in 2009", "has remained below 1 since July". Claims that the series cannot decide
 * are accepted.
 */
const DIRECTION =
  /\b(?:(increas(?:e[sd]?|ing)|rose|ris(?:es?|en|ing)|grew|grow(?:s|n|ing|th)?|climb(?:s|ed|ing)?|surg(?:e[sd]?|ing)|upward)|(decreas(?:e[sd]?|ing)|declin(?:e[sd]?|ing)|fell|falls?|fallen|falling|drop(?:s|ped|ping)?|downward|reduc(?:ed|tion)|diminish(?:ed|ing)?))\b/gi;
const NEGATED = /\b(?:no|not|without|never|slow\w*|slight\w*|temporar\w*|\w+n['’]t)\b[^,;]{0,16}$/i;
const STEADY = /\b(?:stead(?:y|ily)|consistent(?:ly)?|continuous(?:ly)?|continual(?:ly)?)\b/i;
/** Right before the time. */
const OPENS =
  /\b(?:in|during|from|between|throughout|since)\s(?:the\s)?(?:(?:early|late|mid)[- ])?$/i;
/** "From May to July 2020, cases rose": the time comes first. */
const LEADS = /^(?:\W|In|During|From|Between|Throughout|Since|Subsequently|However|Then|the)*\s*$/i;
const AHEAD = /^,[^.;:,\d]{3,70}$/;
const NEAR = 70;
/** Maximum decline within a steady course, as a share of the series' range. */
const BACK_MAX = 0.3;

type Way = 1 | -1;

/** A sentence's claim about a period. */
type TrendClaim =
  | { readonly kind: 'way'; readonly way: Way; readonly steady: boolean; readonly word: string }
  | { readonly kind: 'large'; readonly way: Way; readonly word: string }
  | { readonly kind: 'stable'; readonly word: string }
  | { readonly kind: 'unsteady'; readonly word: string };

const LARGE =
  /\b(?:significant|notable|sharp|marked|substantial|dramatic|considerable|remarkable|steep|big|large)(?:ly)?\s(?:and\s\w+\s)?(?:(jumps?|increases?|rises?|gains?|improvements?|growth|spikes?|surges?)|(?:drops?|decreases?|declines?|falls?|dips?|reductions?))\b/i;
const STABLE = /\b(?:stable|unchanged|constant|flat|steady at)\b/i;
const UNSTEADY = /\bfluctuat\w*\b/i;

export function trendFaults(
  sentence: Sentence,
  periods: readonly SentencePeriod[],
  column: NamedColumn,
  grid: Grid,
): readonly SeriesFault[] {
  return periods.flatMap((when, i) => {
    if (when.figures.length === 0) return [];
    const claim = trendClaimOf(sentence, when, periods[i - 1] ?? null, periods[i + 1] ?? null);
    const against =
      claim === null ? null : contradicting(pointsOf(column, grid), when, grid, claim);
    if (claim === null || against === null) return [];
    const [first, last] = against;
    return [
      {
        when,
        end: when.ends === null ? null : ('last' as const),
        expected: column.item(last.at),
        why: `the sentence says “${claim.word}”, and the source has ${first.value}, then ${last.value}`,
        clue: 'span' as const,
      },
    ];
  });
}

/** The claim in the words before a period, or after one that leads; or null. */
function trendClaimOf(
  { from, text }: Sentence,
  when: SentencePeriod,
  previous: SentencePeriod | null,
  next: SentencePeriod | null,
): TrendClaim | null {
  const at = when.from - from;
  const before = text.slice(Math.max(0, at - NEAR, (previous?.to ?? from) - from), at);
  // "An increase from March": the end of the period is open.
  if (when.ends === null && /\bfrom\s(?:early\s|late\s|mid[- ])?$/iu.test(before)) return null;
  if (OPENS.test(before)) {
    const claim = claimIn(before.slice(before.search(/[^,;:()]*$/u)));
    if (claim !== null) return claim;
  }
  if (!LEADS.test(text.slice(0, at))) return null;
  const end = Math.min(when.to - from + NEAR, (next?.from ?? Infinity) - from);
  const clause = /^,[^.;:,]*/u.exec(text.slice(when.to - from, end))?.[0] ?? '';
  return AHEAD.test(clause) ? claimIn(clause) : null;
}

function claimIn(clause: string): TrendClaim | null {
  // "Decreased to 2.2% in March": until then, not within it.
  if (/\d/u.test(clause)) return null;
  const large = LARGE.exec(clause);
  if (large !== null && !NEGATED.test(clause.slice(0, large.index)))
    return { kind: 'large', way: large[1] === undefined ? -1 : 1, word: large[0] };
  let claim: TrendClaim | null = null;
  for (const match of clause.matchAll(DIRECTION)) {
    const way = match[1] === undefined ? -1 : 1;
    // Two directions, or a negated one: no claim about the whole.
    if (NEGATED.test(clause.slice(0, match.index)) || (claim?.kind === 'way' && claim.way !== way))
      return null;
    claim = { kind: 'way', way, steady: STEADY.test(clause), word: match[0] };
  }
  if (claim !== null) return UNSTEADY.test(clause) || STABLE.test(clause) ? null : claim;
  const [stable, unsteady] = [STABLE.exec(clause), UNSTEADY.exec(clause)];
  const only = stable === null ? unsteady : unsteady === null ? stable : null;
  if (only === null || NEGATED.test(clause.slice(0, only.index))) return null;
  return { kind: only === stable ? 'stable' : 'unsteady', word: only[0] };
}

/** Two values, in the order of time, that contradict the claim; null if none do. */
function contradicting(
  points: readonly Point[],
  when: SentencePeriod,
  grid: Grid,
  claim: TrendClaim,
): readonly [Point, Point] | null {
  if (when.day || points.length === 0) return null;
  const own = points.filter(({ moment }) => when.covers(moment, grid));
  if (claim.kind === 'stable') return isWide(own, points) ? ends(own) : null;
  if (claim.kind === 'unsteady') return isOneWay(own) ? firstAndLast(own) : null;
  const [opening] = own;
  const before = opening === undefined ? undefined : points[points.indexOf(opening) - 1];
  if (claim.kind === 'large')
    return isSmall(own, before, points, claim.way, when.ends === null ? JUMP_SHARE : SPAN_SHARE);
  const { way, steady } = claim;
  if (when.ends === null) return within(points, own, way);
  const [starts, stops] = when.ends;
  const first = points.filter(({ moment }) => starts(moment, grid));
  const last = points.filter(({ moment }) => stops(moment, grid));
  const [low, high] = [extreme(first, way, -1), extreme(last, way, 1)];
  if (low === null || high === null || low.order >= high.order) return null;
  // Every value of the end exceeds every value of the beginning in the wrong direction.
  if (way * high.value < way * low.value) return [low, high];
  return steady ? findReversal(own, way) : null;
}

/** Maximum share of the whole range within a stable period. */
const STABLE_MAX = 0.5;
const ONE_WAY_MIN = 4;

function isWide(own: readonly Point[], all: readonly Point[]): boolean {
  return own.length < all.length && rangeOf(own) > STABLE_MAX * rangeOf(all);
}

function isOneWay(own: readonly Point[]): boolean {
  if (own.length < ONE_WAY_MIN) return false;
  const steps = stepsOf(own);
  return steps.every((step) => step >= 0) || steps.every((step) => step <= 0);
}

/**
 * Minimum size of a change that is called large, relative to the usual change: a jump, or over a
 * span.
 */
const JUMP_SHARE = 0.8;
const SPAN_SHARE = 0.25;

/** A change that is called large, and is smaller than the series' average change. */
function isSmall(
  own: readonly Point[],
  before: Point | undefined,
  all: readonly Point[],
  way: Way,
  share: number,
): readonly [Point, Point] | null {
  const last = own.at(-1);
  if (before === undefined || last === undefined || own.length === all.length) return null;
  const steps = stepsOf(all).map(Math.abs);
  const averageStep = steps.reduce((sum, step) => sum + step, 0) / Math.max(1, steps.length);
  const top = extreme(own, way, 1) ?? last;
  return way * (top.value - before.value) < share * averageStep * own.length
    ? [before, last]
    : null;
}

function ends(own: readonly Point[]): readonly [Point, Point] | null {
  const [low, high] = [extreme(own, 1, -1), extreme(own, 1, 1)];
  return low === null || high === null ? null : low.order < high.order ? [low, high] : [high, low];
}

function firstAndLast(own: readonly Point[]): readonly [Point, Point] | null {
  const [first, last] = [own[0], own.at(-1)];
  return first === undefined || last === undefined ? null : [first, last];
}

function stepsOf(points: readonly Point[]): readonly number[] {
  return points.slice(1).map(({ value }, i) => value - (points[i]?.value ?? value));
}

function rangeOf(points: readonly Point[]): number {
  const [low, high] = [extreme(points, 1, -1), extreme(points, 1, 1)];
  return low === null || high === null ? 0 : high.value - low.value;
}

/** "Fell in 2009": compared with the values of that period and the time before it. */
function within(
  points: readonly Point[],
  own: readonly Point[],
  way: Way,
): readonly [Point, Point] | null {
  const [first, last] = [own[0], own.at(-1)];
  if (first === undefined || last === undefined) return null;
  const from = points.indexOf(first);
  // "Fell in 2010 and 2013" applies to each.
  if (points[from + own.length - 1] !== last) return null;
  const earlier = points.slice(Math.max(0, from - own.length), from);
  const opening = own.length === 1 ? earlier.at(-1) : first;
  if (opening === undefined || earlier.length === 0) return null;
  return way * last.value < way * opening.value && way * mean(own) < way * mean(earlier)
    ? [opening, last]
    : null;
}

/**
 * The greatest decline within a course that is called steady, if it is a large part of its range.
 */
function findReversal(points: readonly Point[], way: Way): readonly [Point, Point] | null {
  let best: Point | null = null;
  let found: readonly [Point, Point] | null = null;
  let max = 0;
  for (const point of points) {
    if (best === null || way * point.value > way * best.value) best = point;
    const back = way * (best.value - point.value);
    if (back > max) [max, found] = [back, [best, point]];
  }
  return max > BACK_MAX * rangeOf(points) ? found : null;
}

function extreme(points: readonly Point[], way: Way, side: Way): Point | null {
  let best: Point | null = null;
  for (const point of points)
    if (best === null || side * way * point.value > side * way * best.value) best = point;
  return best;
}

function mean(points: readonly Point[]): number {
  return points.reduce((sum, { value }) => sum + value, 0) / Math.max(1, points.length);
}

const STAYS =
  /\b(?:remain(?:s|ed|ing)?|stay(?:s|ed|ing)?|kept|been|is|are|was|were)\s(?:(?:consistently|always|well|steadily|generally)\s)?(below|under|above|over)\s(?:about\s)?[$€£¥]?$/i;
const WHOLE_TREND = /\b(?:since|consistently|always|throughout|remain\w*|stay\w*)\b/i;

/**
 * "R has remained below 1 since July": a value on the other side of the figure, in the sentence's
 * time; null if there is none.
 */
export function beyondLevel(
  figure: ScannedFigure,
  sentence: Sentence,
  when: SentencePeriod | null,
  column: NamedColumn,
  grid: Grid,
): { readonly point: Point; readonly side: string } | null {
  const at = figure.from - sentence.from;
  const before = sentence.text.slice(Math.max(0, at - NEAR), at);
  const side = STAYS.exec(before)?.[1]?.toLowerCase();
  if (side === undefined || !WHOLE_TREND.test(sentence.text)) return null;
  const level = Number(figure.value);
  const sign = side === 'below' || side === 'under' ? 1 : -1;
  const quantum = figure.reading.quantities[0]?.quantum ?? 0;
  const own = pointsOf(column, grid).filter(
    ({ moment }) => when === null || when.covers(moment, grid),
  );
  // One value may be noise: most sentences are accepted if a tenth of the values contradict them.
  const against = own.filter(({ value }) => sign * (value - level) > 10 ** quantum * ROUGH);
  const [point] = against;
  return point !== undefined && against.length > own.length * AGAINST ? { point, side } : null;
}

/**
 * Tolerance of a level in units of the last digit shown, and the share of values that may miss it.
 */
const ROUGH = 0.05;
const AGAINST = 0.1;
