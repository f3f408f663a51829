import type { Fragment, Sql } from 'postgres';
import { seriesOf } from '../../domain';
import type { TrustGap, TrustState } from './trust';

/** The trust in a verifier with one judge, at the current version. */
export interface JudgeTrust {
  /** The series: `task`, `decomposition:self`. */
  readonly verifier: string;
  /** '' if no judge is called. */
  readonly judge: string;
  /** Whether it is the current judge. */
  readonly inForce: boolean;
  readonly state: TrustState;
  readonly gaps: readonly TrustGap[];
}

/** Whether a verifier may block and steer, and the trust that this is based on. */
export interface Authority {
  readonly enforced: boolean;
  /** Empty if nothing is enforced. */
  readonly standings: readonly JudgeTrust[];
}

/** The default: trust is not enforced. */
export const unbound: Authority = { enforced: false, standings: [] };

/**
 * Trust is checked every ten minutes. A result older than this may be outdated and grants no
 * rights.
 */
const checkedWithinMinutes = 60;
const unchecked: TrustGap = {
  what: 'labels',
  text: `It was not checked for more than ${checkedWithinMinutes} minutes: is a worker running?`,
  have: null,
  need: null,
};

/**
 * An `Authority` as a column, null for `unbound`, by the verifier's own settings or else those for
 * all. Needs two index probes if trust is enforced, one if not.
 * @param project column of the enclosing statement, like `version`
 */
export function authorityColumn(
  sql: Sql,
  project: Fragment,
  slug: string,
  version: Fragment,
): Fragment {
  return sql`(
    select case when t.enforce_trust then jsonb_build_object('enforced', true, 'standings', coalesce((
      select jsonb_agg(jsonb_build_object('verifier', s.verifier_slug, 'judge', s.judge, 'inForce', s.in_force)
        || case when s.state = 'qualified' and s.looked_at < now() - ${checkedWithinMinutes} * interval '1 minute'
          then jsonb_build_object('state', 'stale', 'gaps', jsonb_build_array(${JSON.stringify(unchecked)}::text::jsonb))
          else jsonb_build_object('state', s.state, 'gaps', s.gaps) end)
      from trust_states s
      where s.project_id = ${project} and s.verifier_slug in (${slug}, ${`${slug}:self`}) and s.version = ${version}
    ), '[]'::jsonb)) end
    from trust_settings t where t.project_id = ${project} and t.verifier_slug in (${slug}, '') order by t.verifier_slug desc limit 1
  )`;
}

/** The verifier and judge that decided a verdict. */
export interface Decider {
  readonly slug: string;
  /** Whether the model that did the work judged it (X-2). */
  readonly self: boolean;
  /** As named in verdicts; null if no judge was called. */
  readonly judge: string | null;
}

/**
 * Null if the verifier may block and steer; otherwise its trust. The results of one judge do not
 * apply to another (R-59); a decision without a judge uses the trust of the current judge. A
 * verifier not checked yet counts as unmeasured.
 */
export function whyAdvisory(
  authority: Authority,
  { slug, self, judge }: Decider,
): Pick<JudgeTrust, 'state' | 'gaps'> | null {
  if (!authority.enforced) return null;
  const series = seriesOf({ slug, self });
  const found = authority.standings.find(
    (each) => each.verifier === series && (judge === null ? each.inForce : each.judge === judge),
  );
  if (found === undefined) return { state: 'unmeasured', gaps: [] };
  return found.state === 'qualified' ? null : found;
}

/** The trust in a sentence. */
export function trustText({ state, gaps }: Pick<JudgeTrust, 'state' | 'gaps'>): string {
  const [first] = gaps;
  return first === undefined ? `Its trust is ${state}.` : `Its trust is ${state}: ${first.text}`;
}
