import { labelledOf, type Matrix } from '../domain';
import { complement, correctionFor, type Estimated } from '../stats';
import type { Counts } from './rates';
import type { Corrected, Estimate } from './report';

/**
 * The share of good items among all decided ones, corrected by labels for the verifier's errors
 * (calibration.md 5.4). The statistics are of the share of bad ones (positive is "flagged as
 * failing", X-1); here each is inverted. The sample represents verdicts decided from the first
 * drawn one on. Drawn items without a ruling yet count as unlabelled: they are assumed to be like
 * the rest of the sample, which is reported if they are many.
 */
export function correctPassRate(counts: Counts): Corrected {
  const { sample, drawn } = counts;
  const reached = counts.audit ?? counts;
  const correction = correctionFor({
    sample,
    matrix: counts,
    ...without(reached, labelsOf(sample)),
    all: allOf(counts),
    turned: turnedOf(counts),
    queued: counts.queued,
    worth: counts.worth,
    ...reservationsOf(counts),
  });
  const all = labelledOf(counts);
  const { ppi } = correction;
  return {
    naive: passing(correction.naive, counts.decided),
    labelsOnly: passing(correction.labelsOnly, correction.labelled),
    ppi: { ...passing(ppi, correction.labelled), lambda: ppi === null ? null : ppi.lambda },
    roganGladen: passing(correction.roganGladen, all),
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

/** Decided and unlabelled, and those of them that were flagged. */
function without(
  { decided, passes }: Pick<Counts, 'decided' | 'passes'>,
  of: Matrix,
): { flagged: number; decided: number } {
  // A verdict and its label are counted by different statements: temporarily there may be more
  // labels than verdicts.
  const unlabelled = Math.max(0, decided - of.caught - of.missed - of.rejected - of.passed);
  const flagged = Math.min(unlabelled, Math.max(0, decided - passes - of.caught - of.rejected));
  return { flagged, decided: unlabelled };
}

/**
 * The input of Rogan and Gladen: N and p̂ of calibration.md cover decided and unlabelled verdicts.
 * If those are less than half, they do not represent all decided ones (labels enriched with bad
 * items leave the good ones), and all are used.
 */
function turnedOf(counts: Counts): { flagged: number; decided: number } {
  const unlabelled = without(counts, counts);
  return 2 * unlabelled.decided < counts.decided ? allOf(counts) : unlabelled;
}

const allOf = ({ decided, passes }: Counts) => ({
  flagged: Math.max(0, decided - passes),
  decided,
});

const labelsOf = ({ caught, missed, rejected, passed }: Counts['sample']): Matrix => ({
  caught: caught.n,
  missed: missed.n,
  rejected: rejected.n,
  passed: passed.n,
});

/**
 * The share of draws older than a day that should be labelled, else it is reported; below `least`
 * the sample is not used.
 */
const coverage = { wanted: 0.9, least: 0.5 } as const;
/** Standard errors by which the drawn may deviate from the decided. */
const farOff = 4;

/** Reservations about the sample. */
function reservationsOf({ audit, drawn, decided }: Counts): {
  readonly doubt: string | null;
  readonly remark: string | null;
} {
  if (drawn.n === 0) return { doubt: null, remark: null };
  const reached = (audit ?? { decided }).decided;
  // The drawn represent Σ 1/π verdicts, within the error of independent draws (Horvitz and Thompson
  // 1952).
  const error = Math.sqrt(Math.max(0, drawn.square - drawn.weight));
  if (Math.abs(drawn.weight - reached) > farOff * error + 1) {
    const text = `The drawn ones represent ${whole(drawn.weight)} verdicts, and ${whole(reached)} were decided since the first of them`;
    return {
      doubt: `${text}: the sample was not drawn from all verdicts of this period, so nothing that rests on it is shown.`,
      remark: null,
    };
  }
  const { aged, agedLabelled } = audit ?? { aged: 0, agedLabelled: 0 };
  if (aged === 0 || agedLabelled >= coverage.wanted * aged) return { doubt: null, remark: null };
  const text = `${whole(agedLabelled)} of ${whole(aged)} that were drawn more than a day ago are labelled`;
  return agedLabelled < coverage.least * aged
    ? {
        doubt: `Only ${text}: someone chose which ones, so nothing that rests on the sample is shown.`,
        remark: null,
      }
    : { doubt: null, remark: `${text}; the others are taken to be like them.` };
}

const whole = (n: number): string => Math.round(n).toLocaleString('en');

/** The estimate whose assumption the sampling meets. */
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

function passing(bad: Estimated | null, n: number): Estimate {
  if (bad === null) return { value: null, low: null, high: null, n };
  const { value, low, high } = complement(bad);
  return { value, low, high, n };
}
