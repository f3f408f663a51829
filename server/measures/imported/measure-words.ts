import { wilson } from '../../domain';
import { type Measure, measureShare } from '../rates';
import type { Estimate } from '../report';
import { categoricalKappa, clusteredVariance, estimated, widened } from '../../stats';
import type { CategoricalJudge, JudgedClass } from './imported';
import type { JudgedRow, PresentedVerdict } from './imported-rows';

/** The word of a comparison in which neither side is better. */
const neither = 'tie';

type Words = Omit<
  CategoricalJudge,
  'judge' | 'dimension' | 'form' | 'measured' | 'items' | 'labelled' | 'noVerdict'
>;

/**
 * Pure. Measures the rows of one judge, dimension and form.
 * @param weight the weight of one item, if sessions have several
 */
export function measureWords(rows: readonly JudgedRow[], weight: number): Words {
  const labelled = rows.flatMap((row) =>
    row.truth === null ? [] : [{ ...row, truth: row.truth }],
  );
  const pairs = labelled.flatMap(({ truth, said, items }) =>
    said.flatMap(([, word]) =>
      new Array<readonly [string, string | null]>(items).fill([truth, word]),
    ),
  );
  const classes = classesOf(pairs, weight);
  const { value, low, high, n } = widened(
    categoricalKappa(pairs.map(([truth, word]) => [truth, word ?? ''])),
    weight,
    [-1, 1],
  );
  const repeated = rows.filter(({ said }) => said.length > 1);
  const mean = (of: (each: JudgedClass) => number | null): number | null =>
    classes.length === 0
      ? null
      : classes.reduce((sum, each) => sum + (of(each) ?? 0), 0) / classes.length;
  return {
    presentations: [
      ...new Set(rows.flatMap(({ said }) => said.map(([presentation]) => presentation))),
    ]
      .filter((name) => name !== '')
      .sort(),
    accuracy: accuracyOf(labelled, weight),
    together: measureShare(
      count(labelled, ({ truth, said }) => isFavoured(truth, said)),
      count(labelled, () => true),
      undefined,
      weight,
    ),
    orderAgreement: measureShare(
      count(repeated, ({ said }) => said.every(([, word]) => word === said[0]?.[1])),
      count(repeated, () => true),
      undefined,
      weight,
    ),
    macroPrecision: mean(({ precision }) => precision.value),
    macroRecall: mean(({ recall }) => recall.value),
    macroF1: mean(({ f1 }) => f1),
    kappa: { value, low, high, n },
    classes,
  };
}

function count<Row extends JudgedRow>(rows: readonly Row[], is: (row: Row) => boolean): number {
  return rows.reduce((sum, row) => sum + (is(row) ? row.items : 0), 0);
}

interface Labelled extends JudgedRow {
  readonly truth: string;
}

/** Treats the verdicts on one subject as a cluster, because they are correlated. */
function accuracyOf(rows: readonly Labelled[], weight: number): Estimate {
  const clusters = rows.flatMap(({ truth, said, items }) => {
    const rights = said.map(([, word]) => (word === truth ? 1 : 0));
    return new Array<readonly number[]>(items).fill(rights);
  });
  const n = clusters.length;
  const verdicts = clusters.reduce((sum, cluster) => sum + cluster.length, 0);
  if (verdicts === 0) return { value: null, low: null, high: null, n };
  const right = clusters.reduce(
    (sum, cluster) => sum + cluster.reduce((part, one) => part + one, 0),
    0,
  );
  const value = right / verdicts;
  const variance = verdicts === n ? null : clusteredVariance(clusters);
  // With one verdict per subject this is a plain share. If all subjects have the same result no
  // variance is observed, which does not prove that there is none.
  if (variance === null || variance === 0)
    return { value, ...wilson(value * n * weight, n * weight), n };
  const { low, high } = estimated(value, Math.sqrt(variance / weight), 0, 1);
  return { value, low, high, n };
}

/** Whether the truth got more verdicts than any other word; ignores missing verdicts and ties. */
function isFavoured(truth: string, said: readonly PresentedVerdict[]): boolean {
  const votes = new Map<string, number>();
  for (const [, word] of said) if (word !== null) votes.set(word, (votes.get(word) ?? 0) + 1);
  const others = [...votes]
    .filter(([word]) => word !== truth && word !== neither)
    .map(([, times]) => times);
  return (votes.get(truth) ?? 0) > Math.max(0, ...others);
}

function classesOf(
  pairs: readonly (readonly [string, string | null])[],
  weight: number,
): JudgedClass[] {
  const tallies = new Map<string, { isTrue: number; said: number; right: number }>();
  const tally = (word: string): { isTrue: number; said: number; right: number } => {
    const known = tallies.get(word) ?? { isTrue: 0, said: 0, right: 0 };
    tallies.set(word, known);
    return known;
  };
  for (const [truth, word] of pairs) {
    tally(truth).isTrue++;
    if (word === null) continue;
    tally(word).said++;
    if (word === truth) tally(word).right++;
  }
  return [...tallies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, { isTrue, said, right }]) => {
      const precision: Measure = measureShare(right, said, undefined, weight);
      const recall: Measure = measureShare(right, isTrue, undefined, weight);
      return {
        word,
        isTrue,
        said,
        right,
        precision,
        recall,
        f1: isTrue + said === 0 ? null : (2 * right) / (isTrue + said),
      };
    });
}
