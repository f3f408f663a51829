import { labelledOf, type Matrix } from '../domain';
import { complement, correctionFor, type Estimated } from '../stats';
import type { Counts } from './rates';
import type { Corrected, Estimate } from './report';

/**
 * The share of good items among all decided ones, corrected for the verifier's errors by means of
 * labels (calibration.md 5.4). The statistics estimate the share of bad items (positive means
 * "flagged as failing", X-1) and are inverted here. The sample represents the verdicts decided
 * since the first draw. Drawn items without a ruling count as unlabelled and are assumed to be like
 * the rest of the sample; if there are many of them, a remark states it.
 */
export function correctPassRate(counts: Counts): Corrected {
  const { sample, drawn } = counts;
  const reached = counts.audit ?? counts;
  const correction = correctionFor({
    sample,
    matrix: counts,
    ...unlabelledOf(reached, sampleMatrix(sample)),
    all: allOf(counts),
    turned: roganGladenInput(counts),
    queued: counts.queued,
    weights: counts.weights,
    ...reservationsOf(counts),
  });
  const all = labelledOf(counts);
  const { ppi } = correction;
  return {
    naive: passEstimate(correction.naive, counts.decided),
    labelsOnly: passEstimate(correction.labelsOnly, correction.labelled),
    ppi: { ...passEstimate(ppi, correction.labelled), lambda: ppi === null ? null : ppi.lambda },
    roganGladen: passEstimate(correction.roganGladen, all),
    shown: correction.shown,
    why: correction.why,
    disagree: correction.disagree,
    decided: counts.decided,
    reached: reached.decided,
    drawn: drawn.n,
    labelled: correction.labelled,
    defects: correction.defects,
  };
}

/** The numbers of decided verdicts without a label, and of flagged ones among them. */
function unlabelledOf(
  { decided, passes }: Pick<Counts, 'decided' | 'passes'>,
  labels: Matrix,
): { flagged: number; decided: number } {
  // Separate statements count verdicts and labels, and may briefly return more labels than
  // verdicts.
  const unlabelled = Math.max(
    0,
    decided - labels.caught - labels.missed - labels.rejected - labels.passed,
  );
  const flagged = Math.min(
    unlabelled,
    Math.max(0, decided - passes - labels.caught - labels.rejected),
  );
  return { flagged, decided: unlabelled };
}

/**
 * The input of the Rogan-Gladen estimator. N and p̂ of calibration.md cover the decided verdicts
 * without a label. If these are fewer than half of all decided verdicts, they do not represent them
 * (if mostly bad items were labelled, the good ones remain), and all decided verdicts are used
 * instead.
 */
function roganGladenInput(counts: Counts): { flagged: number; decided: number } {
  const unlabelled = unlabelledOf(counts, counts);
  return 2 * unlabelled.decided < counts.decided ? allOf(counts) : unlabelled;
}

const allOf = ({ decided, passes }: Counts) => ({
  flagged: Math.max(0, decided - passes),
  decided,
});

const sampleMatrix = ({ caught, missed, rejected, passed }: Counts['sample']): Matrix => ({
  caught: caught.n,
  missed: missed.n,
  rejected: rejected.n,
  passed: passed.n,
});

/**
 * The share of draws older than a day that must be labelled. Below `wanted` a remark is added;
 * below `least` the sample is not used.
 */
const coverage = { wanted: 0.9, min: 0.5 } as const;
/** How many standard errors the weighted draws may deviate from the number of decided verdicts. */
const standardErrorsMax = 4;

/**
 * The shortcomings of the sample, as sentences. With a `doubt` the sample is not used; a `remark`
 * is only shown.
 */
function reservationsOf({ audit, drawn, decided }: Counts): {
  readonly doubt: string | null;
  readonly remark: string | null;
} {
  if (drawn.n === 0) return { doubt: null, remark: null };
  const reached = (audit ?? { decided }).decided;
  // The draws represent an estimated Σ 1/π verdicts; the error is that of independent draws
  // (Horvitz and Thompson 1952).
  const error = Math.sqrt(Math.max(0, drawn.square - drawn.weight));
  if (Math.abs(drawn.weight - reached) > standardErrorsMax * error + 1) {
    const text = `The drawn verdicts represent ${rounded(drawn.weight)} verdicts, and ${rounded(reached)} were decided since the first draw`;
    return {
      doubt: `${text}: the sample was not drawn from all verdicts of this period, so no estimate based on it is shown.`,
      remark: null,
    };
  }
  const { aged, agedLabelled } = audit ?? { aged: 0, agedLabelled: 0 };
  if (aged === 0 || agedLabelled >= coverage.wanted * aged) return { doubt: null, remark: null };
  const text = `${rounded(agedLabelled)} of ${rounded(aged)} that were drawn more than a day ago are labelled`;
  return agedLabelled < coverage.min * aged
    ? {
        doubt: `Only ${text}: someone chose which ones, so no estimate based on the sample is shown.`,
        remark: null,
      }
    : { doubt: null, remark: `${text}; the others are assumed to be like them.` };
}

const rounded = (n: number): string => Math.round(n).toLocaleString('en');

/** The displayed estimate: the one whose assumptions the sampling meets. */
export function shownOf(corrected: Corrected): Estimate | null {
  switch (corrected.shown) {
    case 'ppi':
      return corrected.ppi;
    case 'labels_only':
      return corrected.labelsOnly;
    case 'rogan_gladen':
      return corrected.roganGladen;
    case null:
      return null;
  }
}

function passEstimate(bad: Estimated | null, n: number): Estimate {
  if (bad === null) return { value: null, low: null, high: null, n };
  const { value, low, high } = complement(bad);
  return { value, low, high, n };
}
