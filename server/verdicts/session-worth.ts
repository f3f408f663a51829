import type { Fragment, Sql } from 'postgres';
import type { ProjectCtx } from '../access';
import { type ClusterSums, worthOf } from '../domain';

/** The columns of `sumsOfClusters`. */
export type ClusterColumns<Name extends string> = Record<
  `${Name}_${keyof ClusterSums}`,
  string | number | null
>;

/**
 * The sums over clusters from which a design effect is computed (`ClusterSums`), as columns
 * `name_…` of a relation with a row per cluster. `x` and `n`: its part and its whole.
 */
export function sumsOfClusters(sql: Sql, name: string, x: Fragment, n: Fragment): Fragment {
  const column = (what: keyof ClusterSums): Fragment => sql`${sql(`${name}_${what}`)}`;
  return sql`count(*) filter (where ${n} > 0) as ${column('clusters')},
    sum(${n}) as ${column('n')}, sum(${x}) as ${column('x')},
    sum(${n} * ${n}) as ${column('nn')}, sum(${x} * ${n}) as ${column('xn')},
    sum(${x} * ${x}) as ${column('xx')}`;
}

/** The weight of one item of such a relation, or of several together. */
export function worthOfSums<Name extends string>(
  name: Name,
  ...rows: readonly ClusterColumns<Name>[]
): number {
  const sum = (what: keyof ClusterSums): number =>
    rows.reduce((whole, row) => whole + Number(row[`${name}_${what}`] ?? 0), 0);
  return worthOf({
    clusters: sum('clusters'),
    n: sum('n'),
    x: sum('x'),
    nn: sum('nn'),
    xn: sum('xn'),
    xx: sum('xx'),
  });
}

/**
 * The cluster of a row of `verdicts`: its session, or source document where an import uses that as
 * the session; else its subject, whose attempts belong together.
 */
export const clusterColumn = (sql: Sql): Fragment => sql`coalesce(session_id, subject_id)`;

/**
 * The most verdicts that are read per verifier, the newest: a sample shows the agreement within
 * sessions, and a rate over millions must not take longer than its counts.
 */
const verdictsMax = 10_000;

interface PassesWanted {
  /** Verifiers by their slugs. */
  readonly slugs: readonly string[];
  /** The grouping of the rates: an expression on `v`, a row of `verdicts`. */
  readonly by: Fragment;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Further conditions on `v`. */
  readonly only?: Fragment;
}

/**
 * The weight of one verdict in the interval of a pass rate, by group; groups in which each verdict
 * has a session of its own are left out. Reads only the index `verdicts_decided`, provided that
 * `by` and `only` do.
 */
export async function readPassWorth(
  { sql, projectId }: ProjectCtx,
  { slugs, by, from, to, only = sql`` }: PassesWanted,
): Promise<Map<string, number>> {
  if (slugs.length === 0) return new Map();
  const rows = await sql<(ClusterColumns<'all'> & { name: string })[]>`
    select name, ${sumsOfClusters(sql, 'all', sql`x`, sql`n`)} from (
      select name, count(*) as n, count(*) filter (where passed) as x
      from jsonb_array_elements_text(${JSON.stringify(slugs)}::text::jsonb) as w(slug)
      cross join lateral (
        select ${by} as name, ${clusterColumn(sql)} as cluster, outcome = 'passed' as passed
        from (
          select * from verdicts
          where project_id = ${projectId} and verifier_slug = w.slug
            and outcome in ('passed', 'failed')
            ${from === undefined ? sql`` : sql`and settled_at >= ${from.toISOString()}::timestamptz`}
            ${to === undefined ? sql`` : sql`and settled_at < ${to.toISOString()}::timestamptz`}
          order by settled_at desc limit ${verdictsMax}
        ) as v where true ${only}
      ) as decided
      group by name, cluster
    ) as by_cluster group by name having max(n) > 1`;
  return new Map(rows.map((row) => [row.name, worthOfSums('all', row)]));
}
