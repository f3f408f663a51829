import { z } from 'zod';

/**
 * The content of a report (calibration.md 5.11) as stored, sent and returned by the HTTP API: names
 * as in the API, times in RFC 3339, money in US dollars, shares from 0 to 1. A later release that
 * adds content increments `version` and can still read this one.
 */
const Count = z.number().int().min(0);
const Share = z.number().min(0).max(1);
const Moment = z.string();

/**
 * A share or another measure with its 95% interval (X-12: `no_data` has no value; `insufficient`
 * is based on fewer than 20 items).
 */
export const ReportedMeasure = z.object({
  value: z.number().nullable(),
  /** Null if the measure is not a share of counts: kappa, the corrected pass rate. */
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
 * A share in the previous period. `difference` is this period's share minus that one, by Newcombe;
 * null if one of them has fewer than 20 items.
 */
const BeforeShare = z.object({
  numerator: Count,
  denominator: Count,
  difference: Difference.nullable(),
});
export type BeforeShare = z.infer<typeof BeforeShare>;

/**
 * US dollars. `unpriced` counts verdicts for which a model of unknown price was called; if there
 * are any, the sum is a lower bound.
 */
const Cost = z.object({
  verdicts: Count,
  verifying_usd: z.number(),
  unpriced: Count,
  judge_calls: Count,
  tokens: Count,
  /** Verdicts on work with a known cost, that cost, and the cost of verifying it (VS-38, X-11). */
  costed: Count,
  work_usd: z.number(),
  verifying_costed_usd: z.number(),
  /** Share of the cost of the work; null if no cost is known. */
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
  /** The verifier's trust when the report was created. */
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
   * Excluded from every rate: items with truth that were neither passed nor failed, items with
   * contested blind votes, and labels not counted yet.
   */
  undecided: Count,
  contested: Count,
  pending: Count,
  rates: z.object({
    pass_rate: ReportedMeasure,
    corrected_pass_rate: ReportedMeasure,
    catch_rate: ReportedMeasure,
    false_rejection_rate: ReportedMeasure,
    /** SOAR's formula: false rejections as a share of all items with truth (SOAR-27). */
    false_positive_rate: ReportedMeasure,
    retry_success: ReportedMeasure,
    agreement: ReportedMeasure,
    kappa: ReportedMeasure,
    override_rate: ReportedMeasure,
    /**
     * Correlation of score and truth, with good as 1 and bad as 0 (SOAR-33); `insufficient`: fewer
     * than 100 pairs. Missing in reports of an earlier release.
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
  /**
   * The method of the corrected pass rate, or the reason why there is none (calibration.md 5.4).
   */
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
   * The cost of judging per caught defect. The number of defects among the flagged verdicts is
   * estimated from their labels.
   */
  caught_cost: z.object({
    flagged: Count,
    /** Bad items among the flagged ones with truth. */
    precision: ReportedMeasure,
    caught: z.number().nullable(),
    /** Null if fewer than 20 flagged items have truth, or if none of them was bad. */
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
     * The limit of verification costs as a share of the work's cost, from the project's settings
     * (VS-38).
     */
    budget_share: z.number(),
  }),
  /**
   * The outcomes of each verifier's verdicts. No rate includes inconclusive and skipped ones.
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
  /** Number of omitted pairs of model and verifier, those with the fewest verdicts. */
  models_left_out: Count,
  label_debt: z.object({
    open_items: Count,
    oldest_at: Moment.nullable(),
    by_verifier: z.array(z.object({ verifier: z.string(), open: Count, audit: Count })),
    /** Labels that a verifier needs for its next trust state. */
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
    /** Alerts that were active when the report was created. */
    now: z.array(
      z.object({
        kind: z.string(),
        series: z.string(),
        name: z.string(),
        severity: z.string(),
        message: z.string(),
        /** The recommended action. Missing in reports of an earlier release. */
        advice: z.string().nullable().default(null),
        since: Moment,
      }),
    ),
    events: z.array(
      z.object({
        kind: z.string(),
        series: z.string(),
        /** Displayed name of the series. */
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
   * Whole UTC days; `to` is exclusive. `before_from` is the start of the previous period of equal
   * length, which it is compared with.
   */
  from: Moment,
  to: Moment,
  before_from: Moment,
  made_at: Moment,
  /** False if the period was not over when the report was created. */
  is_over: z.boolean(),
  verifiers: z.array(ReportedVerifier),
  /**
   * Earlier reports of the same period, newest first, which stay unchanged, and the
   * differences between this report and the newest of them.
   */
  earlier: z.array(z.object({ id: z.string(), made_at: Moment })),
  differences: z.array(z.string()),
});
export type Report = z.infer<typeof Report>;
