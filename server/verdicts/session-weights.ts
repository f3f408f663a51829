import type { Fragment, Sql } from 'postgres';
import type { ProjectCtx } from '../access';
import { type ClusterSums, itemWeight } from '../domain';

/** The columns of `sumsOfClusters`. */
export type ClusterColumns<Name extends string> = Record<
  `${Name}_${keyof ClusterSums}`,
  string | number | null
>;

/**
 * The sums over clusters that a design effect is computed from (`ClusterSums`), as columns `name_…`
 * of a relation with one row per cluster. `x` is the number of counted items of a cluster, `n` the
 * number of all its items.
 */
export function sumsOfClusters(sql: Sql, name: string, x: Fragment, n: Fragment): Fragment {
  const column = (what: keyof ClusterSums): Fragment => sql`${sql(`${name}_${what}`)}`;
  return sql`count(*) filter (where ${n} > 0) as ${column('clusters')},
    sum(${n}) as ${column('n')}, sum(${x}) as ${column('x')},
    sum(${n} * ${n}) as ${column('nn')}, sum(${x} * ${n}) as ${column('xn')},
    sum(${x} * ${x}) as ${column('xx')}`;
}

/** The weight of one item of the clusters, over one or more rows of sums. */
export function weightOfSums<Name extends string>(
  name: Name,
  ...rows: readonly ClusterColumns<Name>[]
): number {
  const sum = (what: keyof ClusterSums): number =>
    rows.reduce((total, row) => total + Number(row[`${name}_${what}`] ?? 0), 0);
  return itemWeight({
    clusters: sum('clusters'),
    n: sum('n'),
    x: sum('x'),
    nn: sum('nn'),
    xn: sum('xn'),
    xx: sum('xx'),
  });
}

/**
 * The cluster of a row of `verdicts`: its session (imports may use the source document as the
 * session), otherwise its subject, which groups the attempts.
 */
export const clusterColumn = (sql: Sql): Fragment => sql`coalesce(session_id, subject_id)`;

/**
 * The most verdicts that are read per verifier: the newest ones. A sample is enough to measure the
 * agreement within sessions, and its cost must not grow with millions of verdicts.
 */
const verdictsMax = 10_000;

interface PassesWanted {
  /** Verifiers by their slugs. */
  readonly slugs: readonly string[];
  /** The expression to group by, on a row `v` of `verdicts`. */
  readonly by: Fragment;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Further conditions on `v`. */
  readonly only?: Fragment;
}

/**
 * The weight of one verdict in the interval of a pass rate, per group. Groups in which no two
 * verdicts share a session are omitted. An index-only scan of `verdicts_decided_live`, if `by` and
 * `only` use only its columns.
 */
export async function readPassWeights(
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
            and outcome in ('passed', 'failed') and experiment_id is null
            ${from === undefined ? sql`` : sql`and settled_at >= ${from.toISOString()}::timestamptz`}
            ${to === undefined ? sql`` : sql`and settled_at < ${to.toISOString()}::timestamptz`}
          order by settled_at desc limit ${verdictsMax}
        ) as v where true ${only}
      ) as decided
      group by name, cluster
    ) as by_cluster group by name having max(n) > 1`;
  return new Map(rows.map((row) => [row.name, weightOfSums('all', row)]));
}
