/**
 * The fixed properties of a kind of alert, used by pages, by the subjects of notices and to
 * validate rules.
 */
export interface AlertFacts {
  /** Displayed name. */
  readonly title: string;
  /**
   * The scale of values and limits: a share from 0 to 1, seconds, US dollars, or a count. `none`:
   * only the message is shown.
   */
  readonly unit: 'share' | 'seconds' | 'usd' | 'count' | 'none';
  /**
   * The side of the limit on which it alerts; a value equal to the limit does not alert (SOAR-29).
   */
  readonly alerts: 'below' | 'above';
  /** Whether a rule has a limit. A rule whose `optional` limit is not set never alerts. */
  readonly limit: 'needed' | 'optional' | 'none';
  /** Whether there is one series per verifier, which may then have a rule of its own. */
  readonly perVerifier: boolean;
  /** Whether it covers a window of time; otherwise the current state, or the latest data. */
  readonly windowed: boolean;
  /** Whether there is only one series, named by the title. */
  readonly single?: boolean;
  /** The word for a state that is known but not watched; without one it is "No data". */
  readonly notWatched?: string;
}

const ofVerifier = { unit: 'share', limit: 'needed', perVerifier: true, windowed: true } as const;
const ofProject = { alerts: 'above', limit: 'needed', perVerifier: false, windowed: true } as const;

/**
 * The conditions checked automatically for every project: SOAR's three measures (SOAR-26 to
 * SOAR-29), and other faults that can keep a verdict from the people who rely on it. The `series`
 * of a kind identifies its object: a verifier, a provider, a route's verifier model, an anchor set.
 */
const facts = {
  catch_rate: { ...ofVerifier, title: 'Catch rate', alerts: 'below' },
  // SOAR's formula, which divides by all verifications. The console never uses only "false
  // positive" (X-1).
  false_positive_rate: { ...ofVerifier, title: 'False rejections of all', alerts: 'above' },
  retry_success: { ...ofVerifier, title: 'Retry success', alerts: 'below' },
  corrected_pass_rate: {
    ...ofVerifier,
    title: 'Corrected pass rate',
    alerts: 'below',
    limit: 'optional',
  },
  pass_rate_fell: {
    ...ofVerifier,
    title: 'Pass rate fell',
    alerts: 'below',
    limit: 'none',
    windowed: false,
  },
  catch_rate_fell: {
    ...ofVerifier,
    title: 'Catch rate fell',
    alerts: 'below',
    limit: 'none',
    windowed: false,
  },
  cost_rose: { ...ofProject, title: 'Cost rose', unit: 'usd', limit: 'none', windowed: false },
  volume_fell: {
    ...ofProject,
    title: 'Volume fell',
    unit: 'count',
    alerts: 'below',
    limit: 'none',
    windowed: false,
  },
  judge_failures_rose: {
    ...ofProject,
    title: 'Judge failures rose',
    unit: 'share',
    limit: 'none',
    windowed: false,
  },
  over_budget: { ...ofProject, title: 'Over budget', unit: 'share' },
  judge_outage: { ...ofProject, title: 'Judge outage', unit: 'share' },
  breaker_open: { ...ofProject, title: 'Breaker open', unit: 'count', limit: 'none' },
  drift: { ...ofVerifier, title: 'Drift', alerts: 'above', limit: 'none', windowed: false },
  trust_lost: {
    ...ofVerifier,
    title: 'Trust lost',
    notWatched: 'Not qualified',
    unit: 'none',
    alerts: 'above',
    limit: 'none',
    windowed: false,
  },
  canary_passed: {
    ...ofVerifier,
    title: 'Canary passed',
    unit: 'count',
    alerts: 'above',
    limit: 'none',
    windowed: false,
  },
  sandbox_down: { ...ofProject, title: 'Sandbox down', unit: 'count', limit: 'none', single: true },
  intake_stalled: { ...ofProject, title: 'Intake stalled', unit: 'seconds', windowed: false },
  work_set_aside: {
    ...ofProject,
    title: 'Quarantined work',
    unit: 'count',
    windowed: false,
    single: true,
  },
  delivery_dead: { ...ofProject, title: 'Delivery abandoned', unit: 'count' },
} satisfies Readonly<Record<string, AlertFacts>>;

export type AlertKind = keyof typeof facts;

export const alertFacts: Readonly<Record<AlertKind, AlertFacts>> = facts;

/** All kinds, in display order. */
export const alertKinds = Object.keys(facts) as [AlertKind, ...AlertKind[]];
