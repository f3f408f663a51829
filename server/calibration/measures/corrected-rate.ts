import type { Matrix } from '../../domain';
import { complement, correctionFor } from '../stats/corrected';
import type { Estimated } from '../stats/intervals';
import type { Counts } from './rates';
import type { Corrected, Estimate } from './report';

/**
 * The share of good items in all that was decided, with what the verifier gets wrong taken out by labels (calibration.md 5.4). The statistics
 * are of the share of bad ones (positive is "flagged as failing", X-1); here each is turned round. Items that the audit drew and that nobody has
 * ruled on yet count as unlabelled: they are taken to be like the rest of the sample.
 */
export function correctPassRate(counts: Counts): Omit<Corrected, 'drawn'> {
  const { sample } = counts;
  const labelled = sum(sample, ['caught', 'missed', 'rejected', 'passed']);
  const flaggedLabelled = sum(sample, ['caught', 'rejected']);
  const flagged = counts.decided - counts.passes;
  // A verdict and its label are counted by different statements: for a moment there may be more labels than verdicts.
  const unlabelled = Math.max(0, counts.decided - labelled);
  const flaggedUnlabelled = Math.min(unlabelled, Math.max(0, flagged - flaggedLabelled));
  const correction = correctionFor({ sample, matrix: counts, flagged: flaggedUnlabelled, decided: unlabelled });
  const all = counts.caught + counts.missed + counts.rejected + counts.passed;
  const { ppi } = correction;
  return {
    naive: passing(correction.naive, counts.decided),
    labelsOnly: passing(correction.labelsOnly, labelled),
    ppi: { ...passing(ppi, labelled), lambda: ppi === null ? null : ppi.lambda },
    roganGladen: passing(correction.roganGladen, all),
    shown: correction.shown,
    why: correction.why,
    disagree: correction.disagree,
    decided: counts.decided,
    labelled: correction.labelled,
    defects: correction.defects,
  };
}

/** The estimate whose assumption the sampling meets. */
export function shownOf(corrected: Omit<Corrected, 'drawn'>): Estimate | null {
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

const sum = (sample: Counts['sample'], cells: readonly (keyof Matrix)[]): number =>
  cells.reduce((whole, cell) => whole + sample[cell].n, 0);
