import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { type Matrix, sharesOf, sumsOf, itemWeight } from '../domain';
import { clusterColumn, type ClusterColumns, sumsOfClusters, weightOfSums } from '../verdicts';
import { cellOf } from './cells';

type LabelShare = 'bad' | 'good' | 'agreed' | 'rejected' | 'flagged';

/**
 * The weight of one item (1 / design effect, at most 1) in the interval of a share of each
 * population: bad items, good items, all with truth (agreements, rejections), flagged items, ruled
 * items, and all decided items.
 */
export interface ItemWeights extends Readonly<Record<LabelShare, number>> {
  /** Omitted means 1. */
  readonly ruled?: number | undefined;
  readonly decided?: number | undefined;
}

/** The weights if each item is in a separate session. */
const fullWeights: ItemWeights = { bad: 1, good: 1, agreed: 1, rejected: 1, flagged: 1 };

/** Adds the weight of a decided verdict; undefined if all weights are 1. */
export function withDecided(
  weights: ItemWeights | undefined,
  decided: number | undefined,
): ItemWeights | undefined {
  return decided === undefined ? weights : { ...(weights ?? fullWeights), decided };
}

type Shared = LabelShare | 'ruled';

/**
 * The weights of labels by series, because labels of one session carry less information than labels
 * of different sessions. Turns of a session, or of a source document that an import uses as the
 * session, form a cluster; any other item is a cluster by itself. Omits series without clusters of
 * several labels.
 *
 * @param rows a relation of labelled verdicts: `series`, `machine`, `good`, `overruled`,
 * `session_id` and `subject_id`
 */
export async function readWeights(
  { sql }: ProjectCtx,
  rows: Fragment,
): Promise<ReadonlyMap<string, ItemWeights>> {
  const counted = (['caught', 'rejected', 'bad', 'good', 'agreed', 'labelled', 'ruled'] as const)
    .map((cell) => sql`count(*) filter (where ${cellOf({ sql }, cell)}) as ${sql(cell)}`)
    .reduce((before, each) => sql`${before}, ${each}`);
  const shares: Readonly<Record<Shared, readonly [Fragment, Fragment]>> = {
    bad: [sql`caught`, sql`bad`],
    good: [sql`rejected`, sql`good`],
    agreed: [sql`agreed`, sql`labelled`],
    rejected: [sql`rejected`, sql`labelled`],
    flagged: [sql`caught`, sql`(caught + rejected)`],
    ruled: [sql`overruled`, sql`ruled`],
  };
  const sums = Object.entries(shares)
    .map(([name, [x, n]]) => sumsOfClusters(sql, name, x, n))
    .reduce((before, each) => sql`${before}, ${each}`);
  const found = await sql<(ClusterColumns<Shared> & { series: string })[]>`
    select series, ${sums} from (
      select series, ${counted}, count(*) filter (where overruled) as overruled
      from (${rows}) as judged
      where ${cellOf({ sql }, 'labelled')} or ${cellOf({ sql }, 'ruled')}
      group by series, ${clusterColumn(sql)}
    ) as by_cluster group by series having max(greatest(labelled, ruled)) > 1`;
  return new Map(
    found.map((row) => [
      row.series,
      {
        bad: weightOfSums('bad', row),
        good: weightOfSums('good', row),
        agreed: weightOfSums('agreed', row),
        rejected: weightOfSums('rejected', row),
        flagged: weightOfSums('flagged', row),
        ruled: weightOfSums('ruled', row),
      },
    ]),
  );
}

/** The same for labelled rows in memory. */
export function weightsOfRows(
  rows: Iterable<{ readonly cluster: string; readonly good: boolean; readonly failed: boolean }>,
): ItemWeights {
  const clusters = new Map<string, ClusterMatrix>();
  for (const { cluster, good, failed } of rows)
    addToCluster(
      clusters,
      cluster,
      failed ? (good ? 'rejected' : 'caught') : good ? 'passed' : 'missed',
    );
  return weightsOfClusters(clusters.values());
}

/** The labelled rows of one cluster. */
export type ClusterMatrix = { -readonly [Cell in keyof Matrix]: number };

export function addToCluster(
  clusters: Map<string, ClusterMatrix>,
  cluster: string,
  cell: keyof Matrix,
): void {
  let matrix = clusters.get(cluster);
  if (matrix === undefined) {
    matrix = { caught: 0, missed: 0, rejected: 0, passed: 0 };
    clusters.set(cluster, matrix);
  }
  matrix[cell] += 1;
}

export function weightsOfClusters(clusters: Iterable<Matrix>): ItemWeights {
  const matrices = [...clusters];
  const of = (name: keyof ReturnType<typeof sharesOf>): number =>
    itemWeight(
      sumsOf(
        matrices.map((matrix) => {
          const { numerator, denominator } = sharesOf(matrix)[name];
          return { x: numerator, n: denominator };
        }),
      ),
    );
  return {
    bad: of('catchRate'),
    good: of('falseRejectionRate'),
    agreed: of('agreement'),
    rejected: of('falsePositiveRate'),
    flagged: of('precision'),
  };
}
