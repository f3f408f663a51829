import { z } from 'zod';
import { Probe } from './probe-input';

/** Findings of probes, as stored in `probe_runs.findings`. */

const number = z.number().nullable();

/** A `Measure` without a target. */
const Share = z.object({
  value: number,
  numerator: number,
  denominator: z.number(),
  low: number,
  high: number,
  state: z.enum(['no_data', 'insufficient', 'on_target', 'off_target', 'alerting']),
});

const Statistic = z.object({ value: number, low: number, high: number, n: z.number() });

/**
 * Missing answers, which count in no rate: `undecided` if the judge failed or was not called,
 * `leftOut` if the subject was deleted or has changed.
 */
const aside = { undecided: z.number(), leftOut: z.number() };

const Repeatability = z.object({
  probe: z.literal(Probe.enum.repeatability),
  ...aside,
  /** Mean share of an item's repeats that differ from the majority. */
  flips: Statistic,
  /** Mean share of pairs of an item's repeats that agree. */
  agreement: Statistic,
  /** Items with different decisions. */
  moved: Share,
  /** Standard deviation of an item's scores, on the verifier's own scale. */
  deviation: number,
  /** ICC(2,k) of the mean of all repeats; `n` counts the items that have a score in each repeat. */
  icc: z.object({ value: number, n: z.number(), k: z.number() }),
});

const Order = z.object({
  probe: z.literal(Probe.enum.order),
  ...aside,
  /** Items with the same outcome in both orders. */
  consistent: Share,
  /**
   * Items that passed only in the given order, and only in the other; `p` is the exact probability
   * that both are equally likely.
   */
  onlyAsGiven: z.number(),
  onlyReordered: z.number(),
  p: number,
  /**
   * Parts of items in both orders: met in both or in neither; met only nearer to the front, or only
   * nearer to the end. Null if the kind scores only the whole.
   */
  parts: z
    .object({
      n: z.number(),
      consistent: z.number(),
      first: z.number(),
      second: z.number(),
      p: number,
    })
    .nullable(),
});

const Length = z.object({
  probe: z.literal(Probe.enum.length),
  ...aside,
  /** Items whose outcome changed when they were made longer. */
  flips: Share,
  toPassed: z.number(),
  fromPassed: z.number(),
  p: number,
  /**
   * Slope of the signed error (1: flagged though good, −1: passed though bad) on the natural
   * logarithm of the length, over labelled verdicts; HC3.
   */
  slope: Statistic,
});

const SelfPreference = z.object({
  probe: z.literal(Probe.enum.self_preference),
  /** Error rates on work of the judge's own family and on other work. */
  own: Share,
  others: Share,
  /** `own` minus `others`, with Newcombe's interval. */
  difference: Statistic,
  /**
   * Slope of the signed error on whether the work is of the judge's own family: below 0 means that
   * the judge flags its own family too rarely. HC3.
   */
  slope: Statistic,
  /** Labelled verdicts with an unknown family. */
  unknown: z.number(),
});

const Canaries = z.object({
  probe: z.literal(Probe.enum.canaries),
  ...aside,
  /** Canaries that passed at least once, and those that were decided and never passed. */
  passed: z.number(),
  stopped: z.number(),
  /** Of all decided canary judgements. */
  rate: Share,
  /** Those that passed, and the number of passes. */
  named: z.array(z.object({ name: z.string(), what: z.string(), times: z.number() })),
});

export const ProbeFindings = z.discriminatedUnion('probe', [
  Repeatability,
  Order,
  Length,
  SelfPreference,
  Canaries,
]);
export type ProbeFindings = z.infer<typeof ProbeFindings>;
export type FindingsOf<P extends Probe> = Extract<ProbeFindings, { readonly probe: P }>;
