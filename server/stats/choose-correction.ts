import { minSampleSize, type Matrix, z95 } from '../domain';
import {
  type WeightedCells,
  labelsOnly,
  minSkill,
  naiveShare,
  type Ppi,
  ppi,
  roganGladen,
  skillOf,
} from './corrected';
import type { Estimated, Interval } from './intervals';
import { roganGladenInterval, sampledInterval } from './score-interval';

/**
 * With fewer labels, or fewer defects among them, PPI++ covers less than its nominal level
 * (calibration.md 5.4: 90% at 60).
 */
const minForPpi = { labels: 100, defects: 10 } as const;

/**
 * With fewer labels of a class (calibration.md 5.10) the Rogan-Gladen estimate uses the form for
 * small samples.
 */
const fewOfAClass = 50;

export interface Correction {
  /** Shares of bad items. */
  readonly naive: Estimated | null;
  readonly labelsOnly: Estimated | null;
  readonly ppi: Ppi | null;
  readonly roganGladen: Estimated | null;
  /** The correction whose assumption the sampling meets. */
  readonly shown: 'ppi' | 'labels_only' | 'rogan_gladen' | null;
  /** The reason for the choice, in a sentence. */
  readonly why: string;
  /** Both assumptions are met, but the estimates differ by more than their joint error. */
  readonly disagree: boolean;
  /** Counts of the random sample. */
  readonly labelled: number;
  readonly defects: number;
}

interface Flags {
  readonly flagged: number;
  readonly decided: number;
}

/**
 * Chooses the displayed correction, with the reason (calibration.md 5.4). `sample`: the labelled
 * part of a random draw. `matrix`: all labels, however chosen, of which `queued` were selected by
 * the machine's verdict. `flagged` of `decided`: the decided part of the population outside the
 * sample. `all`: everything decided. `turned`: the input of Rogan and Gladen, N and p̂ of
 * calibration.md. `doubt`: a sentence on why the sample must not be used. `remark`: a sentence to
 * add about it.
 */
export function correctionFor(input: {
  readonly sample: WeightedCells;
  readonly matrix: Matrix;
  readonly flagged: number;
  readonly decided: number;
  readonly all: Flags;
  readonly turned: Flags;
  readonly queued?: number;
  /**
   * The weights of labels of bad and of good items if they are clustered. A random sample is drawn
   * item by item and needs none.
   */
  readonly weights?: { readonly bad: number; readonly good: number } | undefined;
  readonly doubt?: string | null;
  readonly remark?: string | null;
}): Correction {
  const {
    sample,
    matrix,
    flagged,
    decided,
    all,
    turned,
    queued = 0,
    weights = single,
    doubt = null,
    remark = null,
  } = input;
  const labelled = sample.caught.n + sample.missed.n + sample.rejected.n + sample.passed.n;
  const defects = sample.caught.n + sample.missed.n;
  // Rates of items selected by the machine's own score are not those of production.
  const picked = 2 * queued > matrix.caught + matrix.missed + matrix.rejected + matrix.passed;
  const estimates = {
    naive: naiveShare(all.flagged, all.decided),
    labelsOnly: labelsOnly(sample),
    ppi: within(
      withWidth(ppi({ cells: sample, flagged, decided })),
      sampledInterval({ cells: sample, flagged, decided }),
    ),
    roganGladen: picked
      ? null
      : within(
          roganGladen({ ...turned, matrix, smallSample: isFew(matrix) }),
          roganGladenInterval({ ...turned, matrix }, weights),
        ),
  };
  const enough = labelled >= minForPpi.labels && defects >= minForPpi.defects;
  const { ppi: one, roganGladen: other } = estimates;
  const disagree =
    doubt === null &&
    enough &&
    one !== null &&
    other !== null &&
    Math.abs(one.value - other.value) > z95 * Math.hypot(one.se, other.se);
  const chosen =
    labelled >= minSampleSize
      ? ofSample(labelled, defects, { enough, joined: one !== null, doubt, remark })
      : ofAllLabels(labelled, { turnsRound: other !== null, picked, skill: skillOf(matrix) });
  return { ...estimates, ...chosen, disagree, labelled, defects };
}

const isFew = ({ caught, missed, rejected, passed }: Matrix): boolean =>
  Math.min(caught + missed, rejected + passed) < fewOfAClass;
const single = { bad: 1, good: 1 } as const;

/** Uses the interval of the score test if there is one, extended to contain the estimate. */
function within<T extends Estimated>(found: T | null, scored: Interval | null): T | null {
  if (found === null || scored === null) return found;
  return {
    ...found,
    low: Math.min(scored.low, found.value),
    high: Math.max(scored.high, found.value),
  };
}

/** An interval of zero width would claim certainty, which no sample allows. */
const withWidth = (found: Ppi | null): Ppi | null =>
  found === null || found.se < 1e-12 ? null : found;

type Chosen = Pick<Correction, 'shown' | 'why'>;

function ofSample(
  labelled: number,
  defects: number,
  facts: {
    readonly enough: boolean;
    readonly joined: boolean;
    readonly doubt: string | null;
    readonly remark: string | null;
  },
): Chosen {
  const { enough, joined, doubt, remark } = facts;
  if (doubt !== null) return { shown: null, why: doubt };
  const rests = `${labelled} labels of a random sample, ${defects} of them bad`;
  const also = remark === null ? '' : ` ${remark}`;
  if (enough && joined)
    return {
      shown: 'ppi',
      why: `${rests}: PPI++ joins them with all that was decided since the first was drawn.${also}`,
    };
  const why = enough
    ? `${rests}: all are equal, for which PPI++ gives no interval, so the sample alone is shown.`
    : `${rests}: too few for PPI++ (${minForPpi.labels} and ${minForPpi.defects}), so the sample alone is shown.`;
  return { shown: 'labels_only', why: `${why}${also}` };
}

function ofAllLabels(
  labelled: number,
  facts: {
    readonly turnsRound: boolean;
    readonly picked: boolean;
    readonly skill: { readonly low: number } | null;
  },
): Chosen {
  const { turnsRound, picked, skill } = facts;
  const few = `A random sample of ${labelled} is too small`;
  if (turnsRound) {
    return {
      shown: 'rogan_gladen',
      why: `${few}: all labels give the catch rate and the false-rejection rate, which are taken to hold in production.`,
    };
  }
  if (picked) {
    const why = `${few}, and most labels are of items that queues picked by the verifier's verdict, so their error rates are not those of production.`;
    return { shown: null, why };
  }
  if (!skill)
    return { shown: null, why: `${few}, and the labels are not of both good and bad items.` };
  return skill.low < minSkill
    ? {
        shown: null,
        why: `${few}, and by all labels the flags may separate good from bad no better than chance.`,
      }
    : { shown: null, why: `${few}, and nothing else was decided.` };
}
