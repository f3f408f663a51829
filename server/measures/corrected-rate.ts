import { labelledOf, type Matrix } from '../domain';
import { complement, correctionFor, type Estimated } from '../stats';
import type { Counts } from './rates';
import type { Corrected, Estimate } from './report';

/**
 * The share of good items in all that was decided, with what the verifier gets wrong taken out by
 * labels (calibration.md 5.4). The statistics are of the share of bad ones (positive is "flagged as
 * failing", X-1); here each is turned round. The sample speaks for what was decided from the first
 * drawn verdict on. Items that the audit drew and that no one has ruled on yet count as unlabelled:
 * they are taken to be like the rest of the sample, which is said where they are many.
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

/** Decided and not among the labelled, and those of them that were flagged. */
function without(
  { decided, passes }: Pick<Counts, 'decided' | 'passes'>,
  of: Matrix,
): { flagged: number; decided: number } {
  // A verdict and its label are counted by different statements: for a moment there may be more
  // labels than verdicts.
  const unlabelled = Math.max(0, decided - of.caught - of.missed - of.rejected - of.passed);
  const flagged = Math.min(unlabelled, Math.max(0, decided - passes - of.caught - of.rejected));
  return { flagged, decided: unlabelled };
}

/**
 * What Rogan and Gladen turn round: N and p̂ of calibration.md are of what was decided and not
 * labelled. Where that is less than half, what is left is no picture of what was decided (labels
 * that are enriched with bad items leave the good ones), and all of it is taken.
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
 * Of those drawn more than a day ago so many are labelled, or it is said; fewer than the least, and
 * the sample is not used.
 */
const coverage = { wanted: 0.9, least: 0.5 } as const;
/** Standard errors that the drawn may be off what was decided. */
const farOff = 4;

/** What speaks against the sample, or is to be said of it. */
function reservationsOf({ audit, drawn, decided }: Counts): {
  readonly doubt: string | null;
  readonly remark: string | null;
} {
  if (drawn.n === 0) return { doubt: null, remark: null };
  const reached = (audit ?? { decided }).decided;
  // The drawn stand for Σ 1/π verdicts, give or take the error of a draw one by one (Horvitz and
  // Thompson 1952).
  const error = Math.sqrt(Math.max(0, drawn.square - drawn.weight));
  if (Math.abs(drawn.weight - reached) > farOff * error + 1) {
    const told = `The drawn ones stand for ${whole(drawn.weight)} verdicts, and ${whole(reached)} were decided since the first of them`;
    return {
      doubt: `${told}: the sample was not drawn from all verdicts of this period, so nothing that rests on it is shown.`,
      remark: null,
    };
  }
  const { due, dueLabelled } = audit ?? { due: 0, dueLabelled: 0 };
  if (due === 0 || dueLabelled >= coverage.wanted * due) return { doubt: null, remark: null };
  const told = `${whole(dueLabelled)} of ${whole(due)} that were drawn more than a day ago are labelled`;
  return dueLabelled < coverage.least * due
    ? {
        doubt: `Only ${told}: which ones, somebody chose, so nothing that rests on the sample is shown.`,
        remark: null,
      }
    : { doubt: null, remark: `${told}; the others are taken to be like them.` };
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
