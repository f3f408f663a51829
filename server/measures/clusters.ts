import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { type ClusterSums, clusterSums, designEffect } from '../stats';
import { cellOf } from './cells';

/**
 * What one label is worth in the interval of a share of the bad ones, of the good ones and of all:
 * 1 / design effect, at most 1.
 */
export interface Worth {
  readonly bad: number;
  readonly good: number;
  readonly agreed: number;
  readonly rejected: number;
}

/** Parts and wholes by cluster; the shares that `sharesOf` defines. */
const shares = {
  bad: ['caught', 'bad'],
  good: ['rejected', 'good'],
  agreed: ['agreed', 'labelled'],
  rejected: ['rejected', 'labelled'],
} as const;
const cells = ['caught', 'bad', 'rejected', 'good', 'agreed', 'labelled'] as const;
const names = ['bad', 'good', 'agreed', 'rejected'] as const;

type Sums = Record<`${(typeof names)[number]}_${keyof ClusterSums}`, string | number>;

/**
 * Labels of one session say less than as many of several. Turns of a session, or of one source
 * document where an import makes that the session, are a cluster; anything else is one of its own.
 * By series; series all of whose labels are single are left out.
 *
 * @param rows a relation of judgements
 */
export async function readWorth(
  { sql }: ProjectCtx,
  rows: Fragment,
): Promise<ReadonlyMap<string, Worth>> {
  const counted = cells.map(
    (cell) => sql`count(*) filter (where ${cellOf({ sql }, cell)}) as ${sql(cell)}`,
  );
  const sums = names.flatMap((name) => {
    const [x, n] = [sql(shares[name][0]), sql(shares[name][1])];
    return [
      sql`count(*) filter (where ${n} > 0) as ${sql(`${name}_clusters`)}`,
      sql`sum(${n}) as ${sql(`${name}_n`)}, sum(${x}) as ${sql(`${name}_x`)}, sum(${n} * ${n}) as ${sql(`${name}_nn`)}`,
      sql`sum(${x} * ${n}) as ${sql(`${name}_xn`)}, sum(${x} * ${x}) as ${sql(`${name}_xx`)}`,
    ];
  });
  const joined = (parts: readonly Fragment[]): Fragment =>
    parts.reduce((before, each) => sql`${before}, ${each}`);
  const found = await sql<(Sums & { series: string })[]>`
    select series, ${joined(sums)} from (
      select series, ${joined(counted)} from (${rows}) as judged where ${cellOf({ sql }, 'labelled')}
      group by series, coalesce(session_id, subject_id)
    ) as by_cluster group by series having max(labelled) > 1`;
  return new Map(found.map((row) => [row.series, worthOf(row)]));
}

/** The same of labelled rows at hand. */
export function worthOfRows(
  rows: readonly { readonly cluster: string; readonly good: boolean; readonly failed: boolean }[],
): Worth {
  const of = (items: typeof rows, counted: (row: (typeof rows)[number]) => boolean): number =>
    1 /
    designEffect(
      clusterSums(items.map((row) => ({ cluster: row.cluster, counted: counted(row) }))),
    );
  return {
    bad: of(
      rows.filter(({ good }) => !good),
      ({ failed }) => failed,
    ),
    good: of(
      rows.filter(({ good }) => good),
      ({ failed }) => failed,
    ),
    agreed: of(rows, ({ good, failed }) => good !== failed),
    rejected: of(rows, ({ good, failed }) => good && failed),
  };
}

function worthOf(row: Sums): Worth {
  const of = (name: (typeof names)[number]): number => {
    const sum = (what: keyof ClusterSums): number => Number(row[`${name}_${what}`]);
    const sums = {
      clusters: sum('clusters'),
      n: sum('n'),
      x: sum('x'),
      nn: sum('nn'),
      xn: sum('xn'),
      xx: sum('xx'),
    };
    return 1 / designEffect(sums);
  };
  return { bad: of('bad'), good: of('good'), agreed: of('agreed'), rejected: of('rejected') };
}
