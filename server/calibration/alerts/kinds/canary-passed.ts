import type { AlertKindRule } from '../kind';
import { counted, verifierName, verifierPage } from '../wording';

interface Row {
  slug: string;
  version: number;
  items: number;
  passed: number | null;
}

/** Known-bad work that a verifier let pass, in the latest probe of each that has ended (calibration.md 5.8, seeded faults; S-26). */
export const canaryPassed: AlertKindRule = {
  kind: 'canary_passed',
  severity: 'high',
  meaning: 'In the latest probe with canaries a verifier let known-bad work pass.',
  defaults: { enabled: true, limit: null, windowMinutes: 7 * 1440, noData: 'keep', renotifyMinutes: null },
  limits: null,
  unfound: 'no_data',
  async find({ project: { sql, projectId } }) {
    const rows = await sql<Row[]>`
      select distinct on (verifier_slug) verifier_slug as slug, verifier_version as version, items,
        case jsonb_typeof(findings -> 'passed') when 'number' then (findings ->> 'passed')::int
          when 'array' then jsonb_array_length(findings -> 'passed') end as passed
      from probe_runs where project_id = ${projectId} and probe = 'canaries' and ended_at is not null and findings is not null
      order by verifier_slug, started_at desc, id desc`;
    return rows.map(({ slug, version, items, passed }) => {
      const name = verifierName(slug);
      const isAlerting = passed !== null && passed > 0;
      return {
        series: slug,
        name,
        verifier: slug,
        state: passed === null ? ('no_data' as const) : isAlerting ? ('alerting' as const) : ('ok' as const),
        value: passed,
        limit: null,
        message: isAlerting
          ? `${name} (version ${version}) let ${counted(passed, 'canary', 'canaries')} of ${items} pass.`
          : `No canary of ${items} passed ${name} (version ${version}).`,
        advice: isAlerting ? 'Known-bad work passes: look at which, and mend the prompt or the judge before you rely on it.' : null,
        href: verifierPage(slug),
      };
    });
  },
};
