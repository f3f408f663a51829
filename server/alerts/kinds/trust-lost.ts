import type { AlertKindRule } from '../kind';
import { verifierName } from '../wording';

interface Row {
  slug: string;
  after: string;
  reason: string;
  was: boolean;
  /** The UTC day of the change. */
  since: string;
}

/**
 * A verifier that is no longer qualified (calibration.md 5.11), which may have lost the right to
 * block and to steer, or whose labels no longer apply: too old, too few, or of another version.
 */
export const trustLost: AlertKindRule = {
  kind: 'trust_lost',
  severity: 'high',
  meaning:
    'A verifier is no longer qualified, or its labels are stale. If trust is enforced, it neither blocks nor steers until it is qualified again.',
  defaults: {
    enabled: true,
    limit: null,
    windowMinutes: 1440,
    noData: 'keep',
    renotifyMinutes: null,
  },
  limits: null,
  whenNotFound: 'no_data',
  async find({ project: { sql, projectId } }) {
    const rows = await sql<Row[]>`
      select l.slug, l.after, l.reason, (l.created_at at time zone 'UTC')::date::text as since, exists (
        select from trust_changes c where c.project_id = ${projectId} and c.verifier_slug = l.slug and c.after = 'qualified'
      ) as was
      from (
        select distinct on (verifier_slug) verifier_slug as slug, after, reason, created_at from trust_changes
        where project_id = ${projectId} order by verifier_slug, created_at desc, id desc
      ) as l
      order by l.slug`;
    return rows.map(({ slug, after, reason, was, since }) => {
      const name = verifierName(slug);
      const isLost = after === 'stale' || (was && after !== 'qualified');
      return {
        series: slug,
        name,
        verifier: slug,
        state:
          after === 'qualified'
            ? ('ok' as const)
            : isLost
              ? ('alerting' as const)
              : ('no_data' as const),
        value: null,
        limit: null,
        message: isLost
          ? `${name} ${was ? 'was qualified and is now' : 'is'} ${after}: ${sentence(reason)} Since ${since}.`
          : `${name} is ${after}.`,
        advice: isLost
          ? 'Check what is missing; add labels, or roll back to the measured version.'
          : null,
        href: `/verifiers/${encodeURIComponent(slug)}`,
      };
    });
  },
};

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
