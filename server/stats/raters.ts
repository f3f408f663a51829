/**
 * One truth of several people's labels (calibration.md 5.10): the majority, or Dawid and Skene
 * 1979, for three raters and more: by EM the confusion of each rater, and from it how likely each
 * class is for each item. Raw labels are kept whatever comes out.
 */
export interface Vote {
  readonly rater: string;
  readonly label: string;
}

/** Null `label`: no votes, or a tie, which a person has to settle. */
export function majority(votes: readonly string[]): {
  readonly label: string | null;
  readonly votes: number;
  readonly of: number;
} {
  const counts = new Map<string, number>();
  for (const label of votes) counts.set(label, (counts.get(label) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const first = [...counts].filter(([, count]) => count === most).map(([label]) => label);
  return { label: first.length === 1 ? (first[0] ?? null) : null, votes: most, of: votes.length };
}

export interface DawidSkene {
  readonly classes: readonly string[];
  /** Share of each class. */
  readonly prior: readonly number[];
  /** Of each rater: the row is the true class, the column what the rater says; rows sum to 1. */
  readonly confusion: ReadonlyMap<string, readonly (readonly number[])[]>;
  /** Of each item, how likely each class is; null where nobody voted. */
  readonly posterior: readonly (readonly number[] | null)[];
}

const mostSteps = 500;
/** Added to each cell of a rater's confusion, so that what was not seen is not impossible. */
const prior = 0.01;

/** Null with fewer than three raters or two classes. */
export function dawidSkene(items: readonly (readonly Vote[])[]): DawidSkene | null {
  const raters = [...new Set(items.flatMap((votes) => votes.map(({ rater }) => rater)))];
  const classes = [...new Set(items.flatMap((votes) => votes.map(({ label }) => label)))].sort();
  if (raters.length < 3 || classes.length < 2) return null;
  const at = new Map(classes.map((name, i) => [name, i]));
  const of = (label: string): number => at.get(label) ?? 0;
  let posterior = items.map((votes) =>
    votes.length === 0
      ? null
      : normal(classes.map((name) => votes.filter((one) => one.label === name).length)),
  );
  let model = modelOf(items, posterior, raters, classes.length, of);
  for (let step = 0; step < mostSteps; step++) {
    const next = items.map((votes) => (votes.length === 0 ? null : believe(votes, model, of)));
    const moved = next.reduce(
      (most, row, i) =>
        Math.max(
          most,
          ...(row ?? []).map((value, k) => Math.abs(value - (posterior[i]?.[k] ?? 0))),
        ),
      0,
    );
    posterior = next;
    model = modelOf(items, posterior, raters, classes.length, of);
    if (moved < 1e-9) break;
  }
  return { classes, prior: model.shares, confusion: model.confusion, posterior };
}

interface Model {
  readonly shares: readonly number[];
  readonly confusion: ReadonlyMap<string, readonly (readonly number[])[]>;
}

function modelOf(
  items: readonly (readonly Vote[])[],
  posterior: readonly (readonly number[] | null)[],
  raters: readonly string[],
  classes: number,
  of: (label: string) => number,
): Model {
  const shares = new Array<number>(classes).fill(0);
  const counts = new Map(
    raters.map((rater) => [
      rater,
      Array.from({ length: classes }, () => new Array<number>(classes).fill(prior)),
    ]),
  );
  for (const [i, votes] of items.entries()) {
    for (const [k, share] of (posterior[i] ?? []).entries()) {
      shares[k] = (shares[k] ?? 0) + share;
      for (const { rater, label } of votes) {
        const row = counts.get(rater)?.[k];
        if (row) row[of(label)] = (row[of(label)] ?? 0) + share;
      }
    }
  }
  return {
    shares: normal(shares),
    confusion: new Map([...counts].map(([rater, rows]) => [rater, rows.map(normal)])),
  };
}

function believe(votes: readonly Vote[], model: Model, of: (label: string) => number): number[] {
  // In logarithms: many raters' shares multiplied are nothing for a float.
  const logs = model.shares.map((share, k) =>
    votes.reduce(
      (sum, { rater, label }) => sum + Math.log(model.confusion.get(rater)?.[k]?.[of(label)] ?? 1),
      Math.log(share),
    ),
  );
  const most = Math.max(...logs);
  return normal(logs.map((log) => Math.exp(log - most)));
}

function normal(values: readonly number[]): number[] {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
}
