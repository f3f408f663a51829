import { type Measure, measured, weightsOfRows } from '../../measures';
import { hasNoResult, whyNotRun } from '../trials/could-not-run';
import { detectableDifference, holm, mcNemarOfClusters } from '../../stats';
import { clusterSums, designEffect } from '../../domain';
import type { GateFindings, GatePart, GateSlice, GateVerdict } from './gate-findings';

/**
 * The promotion gate (calibration.md 5.7, 5.11): promotes a judge prompt or model unless it is
 * worse than the current one. It applies McNemar's mid-p test to the pairs that both options
 * decided, separately for bad and good subjects (catch rate, false rejections). An option is
 * worse if it loses more pairs than it wins and p < 0.05. The same test applies to subjects left to
 * people, which no rate counts: an option cannot pass by deciding nothing. Subjects without a
 * result (`inconclusive`) are excluded; if they exceed 5%, the trial could not run, because an
 * outage must neither promote nor reject an option. A slice lost by the same test, with p adjusted
 * by Holm over the compared slices, is a veto.
 */
export interface GatePair {
  /**
   * The session, or else the subject: pairs of one session carry less information than pairs of
   * different sessions.
   */
  readonly cluster: string;
  readonly good: boolean;
  readonly tried: {
    readonly outcome: string;
    readonly costUsd: number | null;
    readonly latencyMs: number | null;
  };
  readonly other: {
    readonly outcome: string;
    readonly costUsd: number | null;
    readonly latencyMs: number | null;
  };
  readonly slices: readonly SliceName[];
}

export interface SliceName {
  readonly by: string;
  readonly value: string;
}

/** A worse result is significant below this p. */
const gateAlpha = 0.05;
/** With fewer subjects, or fewer of either truth, a trial is inconclusive (calibration.md 5.11). */
const gateMin = { items: 20, ofEach: 10 } as const;
/** Slices of these fields are compared from this size on, without being required. */
const minOfSlice = 10;
const ownFields: ReadonlySet<string> = new Set(['tier', 'complexity']);

/**
 * Pure.
 * @param required slices that the trust settings name; if there are none, the gate compares those
 * slices of tier and complexity that are large enough
 */
export function judgePromotion(
  all: readonly GatePair[],
  required: readonly SliceName[] = [],
): GateFindings {
  const pairs = all.filter(
    ({ tried, other }) => !hasNoResult(tried.outcome) && !hasNoResult(other.outcome),
  );
  const whyNot = whyNotRun(all.length - pairs.length, all.length, null);
  const decided = pairs.filter(
    ({ tried, other }) => isDecided(tried.outcome) && isDecided(other.outcome),
  );
  const catchRate = partOf(decided.filter(({ good }) => !good));
  const falseRejectionRate = partOf(decided.filter(({ good }) => good));
  const undecided = undecidedOf(pairs);
  const slices = slicesOf(decided, required);
  const bad = pairs.filter(({ good }) => !good).length;
  const found = {
    items: pairs.length,
    inconclusive: all.length - pairs.length,
    bad,
    good: pairs.length - bad,
    catchRate,
    falseRejectionRate,
    undecided,
    slices,
    cost: costOf(pairs),
    latency: latencyOf(pairs),
  };
  if (whyNot !== null) return { verdict: 'could_not_run', ...found, reasons: [`It ${whyNot}`] };
  const verdict = verdictOf(found);
  return { verdict, ...found, reasons: reasonsOf({ verdict, ...found }) };
}

type Found = Omit<GateFindings, 'verdict' | 'reasons'>;

function verdictOf({
  items,
  bad,
  good,
  catchRate,
  falseRejectionRate,
  undecided,
  slices,
}: Found): GateVerdict {
  if (isTooFew(items, bad, good)) return 'insufficient';
  if (isLost(undecided)) return 'worse';
  if (
    isTooFew(catchRate.items + falseRejectionRate.items, catchRate.items, falseRejectionRate.items)
  )
    return 'insufficient';
  if (isLost(catchRate) || isLost(falseRejectionRate) || slices.some((slice) => slice.isLost))
    return 'worse';
  return isWon(catchRate) || isWon(falseRejectionRate) ? 'better' : 'not_worse';
}

const isTooFew = (items: number, bad: number, good: number): boolean =>
  items < gateMin.items || bad < gateMin.ofEach || good < gateMin.ofEach;

interface Pairing {
  readonly better: number;
  readonly worse: number;
  readonly midP: number | null;
}
const isLost = ({ better, worse, midP }: Pairing): boolean =>
  worse > better && midP !== null && midP < gateAlpha;
const isWon = ({ better, worse, midP }: Pairing): boolean =>
  better > worse && midP !== null && midP < gateAlpha;

const isDecided = (outcome: string): boolean => outcome === 'passed' || outcome === 'failed';
const isRight = (good: boolean, outcome: string): boolean => (outcome === 'passed') === good;

function pairingOf(pairs: readonly GatePair[]): Pairing {
  return compare(
    pairs,
    ({ good, tried }) => isRight(good, tried.outcome),
    ({ good, other }) => isRight(good, other.outcome),
  );
}

function compare(
  pairs: readonly GatePair[],
  first: (pair: GatePair) => boolean,
  second: (pair: GatePair) => boolean,
): Pairing {
  return mcNemarOfClusters(
    pairs.map((pair) => {
      const [one, other] = [first(pair), second(pair)];
      return { cluster: pair.cluster, side: one === other ? 0 : one ? 1 : -1 };
    }),
  );
}

/** Of subjects of one truth. */
function partOf(pairs: readonly GatePair[]): GatePart {
  const { better, worse, midP } = pairingOf(pairs);
  const failed = (of: 'tried' | 'other'): Measure => {
    const rows = pairs.map((pair) => ({
      cluster: pair.cluster,
      good: pair.good,
      failed: pair[of].outcome === 'failed',
    }));
    const weights = weightsOfRows(rows);
    const share = { numerator: rows.filter((row) => row.failed).length, denominator: rows.length };
    return measured(share, undefined, pairs[0]?.good === true ? weights.good : weights.bad);
  };
  // Options that do not differ here may still differ on the next subject.
  const discordant = pairs.length === 0 ? 0 : Math.max(1, better + worse) / pairs.length;
  const differs = pairs.map(({ cluster, tried, other }) => ({
    cluster,
    counted: tried.outcome !== other.outcome,
  }));
  const detectable = detectableDifference(
    pairs.length / designEffect(clusterSums(differs)),
    discordant,
  );
  return {
    tried: failed('tried'),
    other: failed('other'),
    items: pairs.length,
    better,
    worse,
    midP,
    detectable: detectable === null ? null : Math.min(1, detectable),
  };
}

function undecidedOf(pairs: readonly GatePair[]): GateFindings['undecided'] {
  const left = pairs.map(({ tried, other }) => ({
    tried: !isDecided(tried.outcome),
    other: !isDecided(other.outcome),
  }));
  const count = (of: (one: (typeof left)[number]) => boolean): number => left.filter(of).length;
  const { better, worse, midP } = compare(
    pairs,
    ({ tried }) => isDecided(tried.outcome),
    ({ other }) => isDecided(other.outcome),
  );
  return {
    tried: count(({ tried }) => tried),
    other: count(({ other }) => other),
    better,
    worse,
    midP,
  };
}

function slicesOf(decided: readonly GatePair[], required: readonly SliceName[]): GateSlice[] {
  const names = new Map<string, SliceName>();
  if (required.length > 0)
    for (const name of required) names.set(JSON.stringify([name.by, name.value]), name);
  else {
    for (const { slices } of decided)
      for (const name of slices)
        if (ownFields.has(name.by)) names.set(JSON.stringify([name.by, name.value]), name);
  }
  const candidateSlices = [...names.values()]
    .map((name) => {
      const own = decided.filter(({ slices }) =>
        slices.some(({ by, value }) => by === name.by && value === name.value),
      );
      const { better, worse, midP } = pairingOf(own);
      return {
        by: name.by,
        value: name.value,
        items: own.length,
        better,
        worse,
        midP,
        isRequired: required.length > 0,
      };
    })
    .filter(({ items, isRequired }) => isRequired || items >= minOfSlice)
    .toSorted(
      (a, b) => a.by.localeCompare(b.by) || b.items - a.items || a.value.localeCompare(b.value),
    );
  const adjusted = holm(candidateSlices.flatMap(({ midP }) => (midP === null ? [] : [midP])));
  let next = 0;
  return candidateSlices.map((slice) => {
    const adjustedP = slice.midP === null ? null : (adjusted[next++] ?? null);
    return { ...slice, adjustedP, isLost: isLost({ ...slice, midP: adjustedP }) };
  });
}

function costOf(pairs: readonly GatePair[]): GateFindings['cost'] {
  const known = pairs.flatMap(({ tried, other }) =>
    tried.costUsd === null || other.costUsd === null ? [] : [[tried.costUsd, other.costUsd]],
  );
  const [tried, other] = [
    meanOf(known.map(([own = 0]) => own)),
    meanOf(known.map(([, otherCost = 0]) => otherCost)),
  ];
  return {
    tried,
    other,
    ratio: tried === null || other === null || other === 0 ? null : tried / other,
  };
}

function latencyOf(pairs: readonly GatePair[]): GateFindings['latency'] {
  const mean = (of: 'tried' | 'other'): number | null =>
    meanOf(pairs.flatMap((pair) => pair[of].latencyMs ?? []));
  return { tried: mean('tried'), other: mean('other') };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function reasonsOf(found: Found & { readonly verdict: GateVerdict }): string[] {
  const { verdict, items, bad, good, catchRate, falseRejectionRate, undecided, slices } = found;
  if (verdict === 'insufficient') {
    const decided = catchRate.items + falseRejectionRate.items;
    const had = isTooFew(items, bad, good)
      ? `${items} labelled subjects (${bad} bad, ${good} good) were judged with both`
      : `both decided ${decided} of ${items} subjects (${catchRate.items} bad, ${falseRejectionRate.items} good)`;
    return [
      `${had}: the gate needs ${gateMin.items}, of them ${gateMin.ofEach} bad and ${gateMin.ofEach} good.`,
      ...[
        powerOf('catch rate', catchRate),
        powerOf('false-rejection rate', falseRejectionRate),
      ].flatMap((sentence) => sentence ?? []),
    ];
  }
  const lost = slices.filter((slice) => slice.isLost);
  return [
    sentenceOf('Catch rate', 'bad', catchRate),
    sentenceOf('False-rejection rate', 'good', falseRejectionRate),
    ...(undecided.tried + undecided.other === 0
      ? []
      : [
          `Neither passed nor failed: ${undecided.tried} of ${items} against ${undecided.other}${
            isLost(undecided) ? `, which is worse (mid-p ${pText(undecided.midP)})` : ''
          }.`,
        ]),
    ...lost.map(
      ({ by, value, items: n, better, worse, adjustedP }) =>
        `The slice ${by} ${value} is lost: of ${n} subjects it alone is right about ${better}, the other alone about ${worse} (adjusted p ${pText(adjustedP)}).`,
    ),
  ];
}

function sentenceOf(name: string, truth: 'good' | 'bad', part: GatePart): string {
  const { tried, other, items, better, worse, midP } = part;
  const end = isLost(part) ? 'worse' : isWon(part) ? 'better' : 'no difference beyond chance';
  const paired =
    midP === null
      ? 'both are right about the same ones'
      : `it alone is right about ${better}, the other alone about ${worse} (mid-p ${pText(midP)})`;
  return `${name} ${rateText(tried)} against ${rateText(other)}; of ${items} ${truth} subjects that both decided ${paired}: ${end}.`;
}

function powerOf(name: string, { items, detectable }: GatePart): string | null {
  if (detectable === null) return null;
  return `${items} subjects would show a difference in ${name} from about ${Math.ceil(detectable * 100)} points up.`;
}

function rateText({ value, numerator, denominator, low, high, state }: Measure): string {
  const counts = `${numerator ?? 0}/${denominator}`;
  if (value === null || low === null || high === null) return 'no data';
  return state === 'insufficient'
    ? counts
    : `${percent(value)}% (${percent(low)}–${percent(high)}%, ${counts})`;
}

const percent = (value: number): string => (value * 100).toFixed(1);
const pText = (p: number | null): string =>
  p === null ? 'none' : p < 0.001 ? '< 0.001' : p.toFixed(3);
