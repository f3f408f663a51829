import { z } from 'zod';

/**
 * The content of a report (calibration.md 5.11), as stored, sent and returned by the HTTP API:
 * names as in the API, times in RFC 3339, money in US dollars, shares from 0 to 1. A later release
 * that adds content raises `version`, and still reads this one.
 */
const Count = z.number().int().min(0);
const Share = z.number().min(0).max(1);
const Moment = z.string();

/**
 * A share or another measure with its 95 % interval (X-12: `no_data` has no value; `insufficient`
 * is based on fewer than 20).
 */
export const ReportedMeasure = z.object({
  value: z.number().nullable(),
  /** Null if it is not a share of counts: kappa, the corrected pass rate. */
  numerator: Count.nullable(),
  denominator: Count,
  low: z.number().nullable(),
  high: z.number().nullable(),
  state: z.enum(['no_data', 'insufficient', 'on_target', 'off_target', 'alerting']),
});
export type ReportedMeasure = z.infer<typeof ReportedMeasure>;

/** A statistic that is not a share; null if its data do not determine it. */
const Statistic = z.object({
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: Count,
});

const Difference = z.object({ value: z.number(), low: z.number(), high: z.number() });

/**
 * A share in the previous period. `difference`: this period's minus that one's, by Newcombe; null
 * if one of them has fewer than 20.
 */
const BeforeShare = z.object({
  numerator: Count,
  denominator: Count,
  difference: Difference.nullable(),
});
export type BeforeShare = z.infer<typeof BeforeShare>;

/**
 * US dollars. `unpriced`: verdicts for which a model of unknown price was called, so that the sum
 * is a lower bound.
 */
const Cost = z.object({
  verdicts: Count,
  verifying_usd: z.number(),
  unpriced: Count,
  judge_calls: Count,
  tokens: Count,
  /**
   * Verdicts on work with a known cost, that cost, and the cost of verifying these (VS-38, X-11).
   */
  costed: Count,
  work_usd: z.number(),
  verifying_costed_usd: z.number(),
  /** Of the cost of the work; null if none is known. */
  share: z.number().nullable(),
  over_budget: Count,
});

const AnchorRun = z.object({
  run: z.string(),
  at: Moment,
  verifier: z.string(),
  judge: z.string().nullable(),
});

/** The latest two runs of an anchor set by the end of the period (calibration.md 5.9). */
const Drift = z.object({
  set: z.object({ id: z.string(), name: z.string(), items: Count }),
  before: AnchorRun,
  after: AnchorRun,
  flips: ReportedMeasure,
  better: Count,
  worse: Count,
  p: Share.nullable(),
  headline: Statistic,
  judge_part: Statistic,
  system_part: Statistic,
});

export const ReportedVerifier = z.object({
  verifier: z.string(),
  kind: z.string(),
  /** Its trust when the report was made. */
  trust: z.object({
    state: z.enum(['unmeasured', 'provisional', 'qualified', 'stale']),
    version: Count.nullable(),
    judge: z.string().nullable(),
    gaps: z.array(
      z.object({
        what: z.string(),
        text: z.string(),
        have: z.number().nullable(),
        need: z.number().nullable(),
      }),
    ),
  }),
  /** Verdicts compared with the truth; `positive` is "flagged as failing". */
  matrix: z.object({ caught: Count, missed: Count, false_rejections: Count, right_passes: Count }),
  /**
   * With truth and neither passed nor failed; with contested blind votes; labels that are not
   * counted yet: outside every rate.
   */
  undecided: Count,
  contested: Count,
  pending: Count,
  rates: z.object({
    pass_rate: ReportedMeasure,
    corrected_pass_rate: ReportedMeasure,
    catch_rate: ReportedMeasure,
    false_rejection_rate: ReportedMeasure,
    /** SOAR's formula: false rejections of all with truth (SOAR-27). */
    false_positive_rate: ReportedMeasure,
    retry_success: ReportedMeasure,
    agreement: ReportedMeasure,
    kappa: ReportedMeasure,
    override_rate: ReportedMeasure,
    /**
     * Score with truth, good as 1 and bad as 0 (SOAR-33); `insufficient`: fewer than 100 pairs.
     * Reports of an earlier release have none.
     */
    correlation: ReportedMeasure.default({
      value: null,
      numerator: null,
      denominator: 0,
      low: null,
      high: null,
      state: 'no_data',
    }),
  }),
  /** The method of the corrected pass rate, or why there is none (calibration.md 5.4). */
  corrected: z.object({
    shown: z.enum(['ppi', 'labels_only', 'rogan_gladen']).nullable(),
    why: z.string(),
    disagree: z.boolean(),
  }),
  /**
   * The agreement between people on items that several of them labelled blind, and the verifier's
   * agreement with them on the same items.
   */
  human: z.object({ items: Count, raters: Count, alpha: Statistic, kappa: Statistic }),
  before: z.object({
    pass_rate: BeforeShare,
    catch_rate: BeforeShare,
    false_rejection_rate: BeforeShare,
  }),
  drift: Drift.nullable(),
  cost: Cost,
  /**
   * The cost of judging per caught defect: of the flagged, as many as their labels indicate as bad.
   */
  caught_cost: z.object({
    flagged: Count,
    /** Bad ones among the flagged with truth. */
    precision: ReportedMeasure,
    caught: z.number().nullable(),
    /** Null if fewer than 20 flagged ones have truth, or none of them was bad. */
    usd: z.number().nullable(),
  }),
  /** Accounts of which only the first `counted` rulings count (S-35). */
  outweighing: z.array(
    z.object({
      by: z.string(),
      rulings: Count,
      overruled: Count,
      counted: Count,
      others: Count,
      others_overruled: Count,
    }),
  ),
});
export type ReportedVerifier = z.infer<typeof ReportedVerifier>;

const Outcomes = z.object({
  passed: Count,
  failed: Count,
  needs_review: Count,
  steered: Count,
  inconclusive: Count,
  skipped: Count,
});

export const ReportedProject = z.object({
  costs: Cost.extend({
    /**
     * The limit of verifying costs, as a share of the work's cost: the project's setting (VS-38).
     */
    budget_share: z.number(),
  }),
  /**
   * The outcomes of each verifier's verdicts; inconclusive and skipped ones are in no rate.
   */
  outcomes: z.array(Outcomes.extend({ verifier: z.string() })),
  models: z.array(
    z.object({
      model: z.string().nullable(),
      verifier: z.string(),
      pass_rate: ReportedMeasure,
      before: BeforeShare,
    }),
  ),
  /** Pairs of model and verifier; those with the fewest verdicts. */
  models_left_out: Count,
  label_debt: z.object({
    open_items: Count,
    oldest_at: Moment.nullable(),
    by_verifier: z.array(z.object({ verifier: z.string(), open: Count, audit: Count })),
    /** Labels missing for a verifier's next trust state. */
    missing: z.array(
      z.object({
        verifier: z.string(),
        text: z.string(),
        have: z.number().nullable(),
        need: z.number().nullable(),
      }),
    ),
  }),
  decisions: z.object({
    run: Count,
    not_run: Count,
    reasons: z.array(z.object({ rule: z.string(), state: z.string(), count: Count })),
  }),
  alerts: z.object({
    /** Alerting when the report was made. */
    now: z.array(
      z.object({
        kind: z.string(),
        series: z.string(),
        name: z.string(),
        severity: z.string(),
        message: z.string(),
        since: Moment,
      }),
    ),
    events: z.array(
      z.object({
        kind: z.string(),
        series: z.string(),
        /** The series for people. */
        name: z.string(),
        event: z.string(),
        severity: z.string(),
        message: z.string(),
        found: Count,
        at: Moment,
      }),
    ),
    events_left_out: Count,
  }),
  changes: z.array(
    z.object({
      at: Moment,
      by: z.string(),
      action: z.string(),
      target: z.string().nullable(),
      detail: z.string(),
    }),
  ),
  changes_left_out: Count,
});
export type ReportedProject = z.infer<typeof ReportedProject>;

export const Report = ReportedProject.extend({
  version: z.literal(1),
  /**
   * `to` exclusive; whole UTC days. `before_from` is the start of the equally long period it is
   * compared with.
   */
  from: Moment,
  to: Moment,
  before_from: Moment,
  made_at: Moment,
  /** False: the period was not over when the report was made. */
  is_over: z.boolean(),
  verifiers: z.array(ReportedVerifier),
  /**
   * Earlier reports of the same period, newest first, which are not changed, and the
   * differences between this one and the newest.
   */
  earlier: z.array(z.object({ id: z.string(), made_at: Moment })),
  differences: z.array(z.string()),
});
export type Report = z.infer<typeof Report>;
