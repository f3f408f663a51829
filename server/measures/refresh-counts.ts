import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { countConditions, sampleCells, sampledIn } from './cells';
import { weightOf } from './sampled';
import { pairNames, pairTerms } from './score-pairs';

type Within = Pick<ProjectCtx, 'sql' | 'projectId'>;

/**
 * Adds changes to the daily counts, as a part of the refreshing statement. Reads its part
 * `changes`, whose `sign` is 1 for new rows and -1 for old ones. Orders rows by key to prevent
 * deadlocks between two refreshes.
 */
export function upsertDailyCounts({ sql, projectId }: Within): Fragment {
  const { weight, square } = weightOf({ sql });
  const counts = Object.entries(countConditions({ sql })).map(([name, condition]) => ({
    name,
    sum: sql`sum(sign) filter (where ${condition})`,
  }));
  const sampled = sampleCells.flatMap((cell) => {
    const drawn = sql`where ${sampledIn({ sql }, cell)}`;
    return [
      { name: `sample_${cell}`, sum: sql`sum(sign) filter (${drawn})` },
      { name: `weight_${cell}`, sum: sql`sum(sign * ${weight}) filter (${drawn})` },
      { name: `square_${cell}`, sum: sql`sum(sign * ${square}) filter (${drawn})` },
    ];
  });
  const terms = pairTerms({ sql });
  const paired = pairNames.map((name) => ({
    name,
    sum: sql`sum(sign * ${terms[name].term}) filter (where ${terms[name].where})`,
  }));
  const all = [...counts, ...sampled, ...paired];
  const list = (part: (each: (typeof all)[number]) => Fragment): Fragment =>
    all.map(part).reduce((before, each) => sql`${before}, ${each}`);
  return sql`
    sums as (
      select day, origin, slug, series, version, model, judge, policy, ${list(({ name, sum }) => sql`coalesce(${sum}, 0) as ${sql(name)}`)}
      from changes group by day, origin, slug, series, version, model, judge, policy
    ), rolled as (
      insert into judgement_rollups as r (project_id, day, origin, slug, series, version, model, judge, policy, ${list(({ name }) => sql`${sql(name)}`)})
      select ${projectId}, sums.* from sums where ${all.map(({ name }) => sql`${sql(name)} <> 0`).reduce((before, each) => sql`${before} or ${each}`)}
      order by day, origin, series, version, model, judge, policy, slug
      on conflict (project_id, day, origin, series, version, model, judge, policy, slug)
      do update set ${list(({ name }) => sql`${sql(name)} = r.${sql(name)} + excluded.${sql(name)}`)}
    )`;
}

/** The same for the counts per account (S-35). */
export function upsertAccountCounts({ sql, projectId }: Within): Fragment {
  return sql`
    account_sums as (
      select slug, account, sum(sign) as ruled, coalesce(sum(sign) filter (where overruled), 0) as overruled from changes
      where origin = 'verifier' and overruled is not null and account is not null group by slug, account
    ), accounted as (
      insert into judgement_accounts as a (project_id, slug, account, ruled, overruled)
      select ${projectId}, slug, account, ruled, overruled from account_sums where ruled <> 0 or overruled <> 0 order by slug, account
      on conflict (project_id, slug, account) do update set ruled = a.ruled + excluded.ruled, overruled = a.overruled + excluded.overruled
    )`;
}
