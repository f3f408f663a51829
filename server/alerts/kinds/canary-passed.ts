import { quantityText } from '../../domain';
import type { AlertKindRule, AlertFinding } from '../kind';
import { verifierName, verifierPage } from '../wording';

export interface CanaryRow {
  slug: string;
  version: number;
  items: number;
  passed: number | null;
  stopped: number | null;
}

/**
 * Known bad work that a verifier passed in its latest completed probe (calibration.md 5.8, seeded
 * faults; S-26).
 */
export const canaryPassed: AlertKindRule = {
  kind: 'canary_passed',
  severity: 'high',
  meaning: 'A verifier passed known-bad work in the latest probe with canaries.',
  defaults: {
    enabled: true,
    limit: null,
    windowMinutes: 7 * 1440,
    noData: 'keep',
    renotifyMinutes: null,
  },
  limits: null,
  whenNotFound: 'no_data',
  async find({ project: { sql, projectId } }) {
    const rows = await sql<CanaryRow[]>`
      select distinct on (verifier_slug) verifier_slug as slug, verifier_version as version, items,
        case jsonb_typeof(findings -> 'passed') when 'number' then (findings ->> 'passed')::int
          when 'array' then jsonb_array_length(findings -> 'passed') end as passed,
        (findings ->> 'stopped')::int as stopped
      from probe_runs where project_id = ${projectId} and probe = 'canaries' and ended_at is not null and findings is not null
      order by verifier_slug, started_at desc, id desc`;
    return rows.map(canaryFinding);
  },
};

/**
 * Is ok only if all canaries were stopped: a judge that failed on some has not shown that it would
 * stop them.
 */
export function canaryFinding({ slug, version, items, passed, stopped }: CanaryRow): AlertFinding {
  const name = verifierName(slug);
  const shown = {
    series: slug,
    name,
    verifier: slug,
    value: passed,
    limit: null,
    href: verifierPage(slug),
  };
  if (passed !== null && passed > 0) {
    return {
      ...shown,
      state: 'alerting',
      message: `${name} (version ${version}) let ${quantityText(passed, 'canary', 'canaries')} of ${items} pass.`,
      advice: 'Known-bad work passes. Fix the prompt or the judge before you rely on it.',
    };
  }
  if (passed === null || stopped === null || stopped < items) {
    const message = `${name} (version ${version}) stopped ${stopped ?? 0} of ${quantityText(items, 'canary', 'canaries')} and did not decide on the others.`;
    return { ...shown, state: 'no_data', value: null, message, advice: null };
  }
  return {
    ...shown,
    state: 'ok',
    message: `No canary of ${items} passed ${name} (version ${version}).`,
    advice: null,
  };
}
