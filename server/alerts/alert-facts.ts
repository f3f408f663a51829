/**
 * What is fixed of a kind of alert: for pages, for the subjects of notices and for checks on a
 * rule.
 */
export interface AlertFacts {
  /** For people. */
  readonly title: string;
  /**
   * On what scale values and limits are: a share from 0 to 1, seconds, or how many; `none`: there
   * is nothing to show but the message.
   */
  readonly unit: 'share' | 'seconds' | 'count' | 'none';
  /** Where the value must be to alert, strictly (SOAR-29). */
  readonly alerts: 'below' | 'above';
  /** Whether a rule has a limit: `optional` may stay without one, and then never alerts. */
  readonly limit: 'needed' | 'optional' | 'none';
  /** One series a verifier, so that a verifier may have a rule of its own. */
  readonly perVerifier: boolean;
  /** Whether a window of time is looked at: else how things stand, or the latest of them. */
  readonly windowed: boolean;
  /** There is one series only, and the title says what it is about. */
  readonly single?: boolean;
}

const ofVerifier = { unit: 'share', limit: 'needed', perVerifier: true, windowed: true } as const;
const ofProject = { alerts: 'above', limit: 'needed', perVerifier: false, windowed: true } as const;

/**
 * What is looked at, for every project, without anybody asking: SOAR's three measures (SOAR-26 to
 * SOAR-29), and what else can keep a verdict from the people who rely on it. A kind's `series` says
 * which one it is of: a verifier, a provider, a route's verifier model, an anchor set.
 */
const facts = {
  catch_rate: { ...ofVerifier, title: 'Catch rate', alerts: 'below' },
  // SOAR's formula, which has all verifications below the line: the console never says "false
  // positive" alone (X-1).
  false_positive_rate: { ...ofVerifier, title: 'False rejections of all', alerts: 'above' },
  retry_success: { ...ofVerifier, title: 'Retry success', alerts: 'below' },
  corrected_pass_rate: {
    ...ofVerifier,
    title: 'Corrected pass rate',
    alerts: 'below',
    limit: 'optional',
  },
  over_budget: { ...ofProject, title: 'Over budget', unit: 'share' },
  judge_outage: { ...ofProject, title: 'Judge outage', unit: 'share' },
  breaker_open: { ...ofProject, title: 'Breaker open', unit: 'count', limit: 'none' },
  drift: { ...ofVerifier, title: 'Drift', alerts: 'above', limit: 'none', windowed: false },
  trust_lost: {
    ...ofVerifier,
    title: 'Trust lost',
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
    title: 'Work set aside',
    unit: 'count',
    windowed: false,
    single: true,
  },
  delivery_dead: { ...ofProject, title: 'Delivery given up', unit: 'count' },
} satisfies Readonly<Record<string, AlertFacts>>;

export type AlertKind = keyof typeof facts;

export const alertFacts: Readonly<Record<AlertKind, AlertFacts>> = facts;

/** All kinds, in the order in which they are shown. */
export const alertKinds = Object.keys(facts) as [AlertKind, ...AlertKind[]];
