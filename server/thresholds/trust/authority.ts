import type { Fragment, Sql } from 'postgres';
import { seriesOf } from '../../domain';
import type { TrustGap, TrustState } from './trust';

/** How far one judge of a verifier is trusted, at the version in force. */
export interface Standing {
  /** The series: `task`, `decomposition:self`. */
  readonly verifier: string;
  /** '' where no one is asked. */
  readonly judge: string;
  /** It is the one that judges now. */
  readonly inForce: boolean;
  readonly state: TrustState;
  readonly gaps: readonly TrustGap[];
}

/** Whether a verifier may block and steer, and on whose word. */
export interface Authority {
  readonly enforced: boolean;
  /** Empty where nothing is enforced. */
  readonly standings: readonly Standing[];
}

/** Nothing is enforced: what goes where no one has set anything. */
export const unbound: Authority = { enforced: false, standings: [] };

/**
 * Trust is looked at every ten minutes. What no one has looked at for so long may no longer be so,
 * and gives no right.
 */
const lookedAtMostMinutes = 60;
const unlooked: TrustGap = {
  what: 'labels',
  text: `Nobody has looked at it for more than ${lookedAtMostMinutes} minutes: does a worker run?`,
  have: null,
  need: null,
};

/**
 * An `Authority` as a column, null for `unbound`: by the verifier's own settings, else those for
 * all. Two index probes where trust is enforced, one where it is not.
 * @param project and `version`: columns of the statement that it stands in
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
        || case when s.state = 'qualified' and s.looked_at < now() - ${lookedAtMostMinutes} * interval '1 minute'
          then jsonb_build_object('state', 'stale', 'gaps', jsonb_build_array(${JSON.stringify(unlooked)}::text::jsonb))
          else jsonb_build_object('state', s.state, 'gaps', s.gaps) end)
      from trust_states s
      where s.project_id = ${project} and s.verifier_slug in (${slug}, ${`${slug}:self`}) and s.version = ${version}
    ), '[]'::jsonb)) end
    from trust_settings t where t.project_id = ${project} and t.verifier_slug in (${slug}, '') order by t.verifier_slug desc limit 1
  )`;
}

/** Who decided. */
export interface Decider {
  readonly slug: string;
  /** The model that did the work judged it (X-2). */
  readonly self: boolean;
  /** As verdicts name it; null where no judge was asked. */
  readonly judge: string | null;
}

/**
 * Null where it may block and steer; else its standing. What one judge has shown says nothing of
 * another (R-59); a decision that no judge was asked for goes by the judge in force. What no one
 * has looked at yet is unmeasured.
 */
export function whyAdvisory(
  authority: Authority,
  { slug, self, judge }: Decider,
): Pick<Standing, 'state' | 'gaps'> | null {
  if (!authority.enforced) return null;
  const series = seriesOf({ slug, self });
  const found = authority.standings.find(
    (each) => each.verifier === series && (judge === null ? each.inForce : each.judge === judge),
  );
  if (found === undefined) return { state: 'unmeasured', gaps: [] };
  return found.state === 'qualified' ? null : found;
}

/** A standing in a sentence. */
export function standingText({ state, gaps }: Pick<Standing, 'state' | 'gaps'>): string {
  const [first] = gaps;
  return first === undefined ? `Its trust is ${state}.` : `Its trust is ${state}: ${first.text}`;
}
