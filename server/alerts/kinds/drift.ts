import { type Drift, readDrift } from '../../measures';
import type { AlertKindRule, AlertFinding } from '../kind';
import { percent, verifierName, verifierPage } from '../wording';

/**
 * Maximum share of flips on the same frozen set; more is a drift, regardless of the agreement
 * (calibration.md 5.9).
 */
const flipsMax = 0.1;
const significance = 0.05;

/**
 * Compares the latest two runs of each anchor set (calibration.md 5.9): a difference is a change of
 * the judge, because the items do not change.
 */
export const drift: AlertKindRule = {
  kind: 'drift',
  severity: 'medium',
  meaning: `A repeated run of an anchor set differs: more than ${percent(flipsMax)} of its items, or significantly worse (p below ${significance}).`,
  defaults: {
    enabled: true,
    limit: null,
    windowMinutes: 7 * 1440,
    noData: 'keep',
    renotifyMinutes: null,
  },
  limits: null,
  whenNotFound: 'gone',
  async find({ project, ruleFor }) {
    const sets = await project.sql<AnchorSetRow[]>`
      select verifier_slug as slug, id, name from anchor_sets where project_id = ${project.projectId} and retired_at is null order by slug, id`;
    const found: AlertFinding[] = [];
    for (const set of sets.filter(({ slug }) => ruleFor('drift', slug).enabled))
      found.push(driftFinding(set, await readDrift(project, set.slug, { set: set.id })));
    return found;
  },
};

interface AnchorSetRow {
  readonly slug: string;
  readonly id: string;
  readonly name: string;
}

export function driftFinding(
  { slug, id, name: setName }: AnchorSetRow,
  found: Drift | null,
): AlertFinding {
  const name = verifierName(slug);
  const shown = {
    series: id,
    name: `${name}, ${setName}`,
    verifier: slug,
    limit: null,
    href: verifierPage(slug),
  };
  if (found === null || found.flips.value === null) {
    return {
      ...shown,
      state: 'no_data',
      value: null,
      message: `The anchor set ${setName} of ${name} was not judged twice.`,
      advice: null,
    };
  }
  const { flips, better, worse, p } = found;
  const isWorse = worse > better && p !== null && p < significance;
  const summary = `${name} decided ${flips.numerator ?? 0} of ${flips.denominator} items of the anchor set ${setName} differently from the previous run (${percent(flips.value ?? 0)})`;
  const paired = `${better} became right and ${worse} wrong${p === null ? '' : `, p = ${p.toPrecision(2)}`}`;
  // A few flips among few items are not a rate; without flips there is no drift.
  if (flips.state === 'insufficient' && flips.numerator !== 0 && !isWorse) {
    return {
      ...shown,
      state: 'no_data',
      value: null,
      message: `${summary}: not enough data.`,
      advice: null,
    };
  }
  const isAlerting = isWorse || (flips.value ?? 0) > flipsMax;
  return {
    ...shown,
    state: isAlerting ? 'alerting' : 'ok',
    value: flips.value,
    message: `${summary}; ${paired}.`,
    advice: isAlerting
      ? 'The judge, its prompt or the verifier changed: compare the two runs, and roll back or label again.'
      : null,
  };
}
