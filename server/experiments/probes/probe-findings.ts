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
 * Missing answers: the judge failed or was not called; and those whose subject is gone or has
 * changed. In no rate.
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
  /** ICC(2,k) of the mean of all repeats; `n` items that have a score each time. */
  icc: z.object({ value: number, n: z.number(), k: z.number() }),
});

const Order = z.object({
  probe: z.literal(Probe.enum.order),
  ...aside,
  /** Items with the same outcome in both orders. */
  consistent: Share,
  /**
   * Passed only in the given order, only in the other order; exact `p` that both are equally
   * likely.
   */
  onlyAsGiven: z.number(),
  onlyReordered: z.number(),
  p: number,
  /**
   * Parts of items in both orders: met in both or in none; met only nearer to the front, or to the
   * end. Null: the kind scores only the whole.
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
  /** Items with another outcome once they were longer. */
  flips: Share,
  toPassed: z.number(),
  fromPassed: z.number(),
  p: number,
  /**
   * Signed error (1: flagged though good, −1: passed though bad) by the natural logarithm of the
   * length, over labelled verdicts; HC3.
   */
  slope: Statistic,
});

const SelfPreference = z.object({
  probe: z.literal(Probe.enum.self_preference),
  /** Error rates on work of the judge's own family, and on that of others. */
  own: Share,
  others: Share,
  /** The first minus the second; Newcombe's interval. */
  difference: Statistic,
  /**
   * Signed error by whether the family is its own: below 0 it flags its own family less than is
   * correct. HC3.
   */
  slope: Statistic,
  /** Labelled verdicts with an unknown family. */
  unknown: z.number(),
});

const Canaries = z.object({
  probe: z.literal(Probe.enum.canaries),
  ...aside,
  /** Canaries that passed at least once; those that were decided and never passed. */
  passed: z.number(),
  stopped: z.number(),
  /** Of all decided canary judgements. */
  rate: Share,
  /** Those that passed, and how often. */
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
