import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import type { Matrix } from '../domain';
import type { Cell } from './measure-input';
import { type Counts, noCounts, type Sample } from './rates';
import { weightOf } from './sampled';
import { type PairName, pairNames, pairTerms } from './score-pairs';

type WithSql = Pick<ProjectCtx, 'sql'>;

/** The cells of the confusion matrix of verdicts and truth. */
export const cells = [
  'caught',
  'missed',
  'rejected',
  'passed',
] as const satisfies readonly (keyof Matrix)[];

/** The condition for the rows that a number counts. */
export function cellOf({ sql }: WithSql, cell: Cell): Fragment {
  const conditions: Readonly<Record<Cell, Fragment>> = {
    caught: sql`(machine = 'failed' and good = false)`,
    missed: sql`(machine = 'passed' and good = false)`,
    rejected: sql`(machine = 'failed' and good = true)`,
    passed: sql`(machine = 'passed' and good = true)`,
    undecided: sql`(machine is null and good is not null)`,
    unparseable: sql`unread`,
    bad: sql`(machine is not null and good = false)`,
    good: sql`(machine is not null and good = true)`,
    labelled: sql`(machine is not null and good is not null)`,
    agreed: sql`((machine = 'passed') = good)`,
    ruled: sql`(overruled is not null)`,
    overruled: sql`overruled`,
    passes: sql`(machine is not distinct from 'passed')`,
    decided: sql`(machine is not null)`,
  };
  return conditions[cell];
}

/**
 * The cells of the audit's draws: the matrix covers those that were ruled on for the audit, and
 * `drawn` covers all that were decided.
 */
export const sampleCells = [...cells, 'drawn'] as const;

/**
 * The condition for the rows that a number of the sample counts. Outcomes, and rulings on verdicts
 * that someone picked, also provide a truth for drawn rows, but do so earlier for some rows than
 * for others: they are not part of a random sample.
 */
export function sampledIn(ctx: WithSql, cell: SampleCell): Fragment {
  return cell === 'drawn'
    ? ctx.sql`(probability is not null and machine is not null)`
    : ctx.sql`(probability is not null and selection = 'sample' and ${cellOf(ctx, cell)})`;
}

/** The conditions to count, by their column in `judgement_rollups`. */
export function countConditions(ctx: WithSql) {
  return {
    caught: cellOf(ctx, 'caught'),
    missed: cellOf(ctx, 'missed'),
    rejected: cellOf(ctx, 'rejected'),
    passed: cellOf(ctx, 'passed'),
    undecided: cellOf(ctx, 'undecided'),
    unparseable: cellOf(ctx, 'unparseable'),
    contested: ctx.sql`contested`,
    ruled: cellOf(ctx, 'ruled'),
    overruled: cellOf(ctx, 'overruled'),
    decided: cellOf(ctx, 'decided'),
    passes: cellOf(ctx, 'passes'),
    queued: ctx.sql`(machine is not null and good is not null and selection = 'queue')`,
  };
}

type CountName = keyof ReturnType<typeof countConditions>;
type SampleCell = (typeof sampleCells)[number];
/** PostgreSQL returns sums of integers as text. */
export type CountRow = Record<
  CountName | PairName | `${'sample' | 'weight' | 'square'}_${SampleCell}`,
  string | number
>;

const countNames = [
  'caught',
  'missed',
  'rejected',
  'passed',
  'undecided',
  'unparseable',
  'contested',
  'ruled',
  'overruled',
  'decided',
  'passes',
  'queued',
] as const satisfies readonly CountName[];

/** The counted columns over a relation of labelled verdicts. */
export function cellCounts(ctx: WithSql): Fragment {
  const { sql } = ctx;
  const { weight, square } = weightOf(ctx);
  const conditions = countConditions(ctx);
  const counted = countNames.map(
    (name) => sql`count(*) filter (where ${conditions[name]}) as ${sql(name)}`,
  );
  const sampled = sampleCells.map((cell) => {
    const drawn = sql`filter (where ${sampledIn(ctx, cell)})`;
    return sql`count(*) ${drawn} as ${sql(`sample_${cell}`)}, coalesce(sum(${weight}) ${drawn}, 0) as ${sql(`weight_${cell}`)},
      coalesce(sum(${square}) ${drawn}, 0) as ${sql(`square_${cell}`)}`;
  });
  const terms = pairTerms(ctx);
  const paired = pairNames.map((name) => {
    const { term, where } = terms[name];
    return sql`coalesce(sum(${term}) filter (where ${where}), 0) as ${sql(name)}`;
  });
  return [...counted, ...sampled, ...paired].reduce((before, each) => sql`${before}, ${each}`);
}

/** The same columns, summed over rows that already have them. */
export function cellSums({ sql }: WithSql): Fragment {
  const names = [
    ...countNames,
    ...sampleCells.flatMap((cell) => [`sample_${cell}`, `weight_${cell}`, `square_${cell}`]),
    ...pairNames,
  ];
  return names
    .map((name) => sql`sum(${sql(name)}) as ${sql(name)}`)
    .reduce((before, each) => sql`${before}, ${each}`);
}

/** Returns zeros if there is no row. */
export function countsOf(row: CountRow | undefined): Counts {
  if (row === undefined) return noCounts;
  const sampled = (cell: SampleCell) => ({
    n: Number(row[`sample_${cell}`]),
    weight: Number(row[`weight_${cell}`]),
    square: Number(row[`square_${cell}`]),
  });
  const sample: Sample = {
    caught: sampled('caught'),
    missed: sampled('missed'),
    rejected: sampled('rejected'),
    passed: sampled('passed'),
  };
  return {
    caught: Number(row.caught),
    missed: Number(row.missed),
    rejected: Number(row.rejected),
    passed: Number(row.passed),
    undecided: Number(row.undecided),
    unparseable: Number(row.unparseable),
    ruled: Number(row.ruled),
    overruled: Number(row.overruled),
    decided: Number(row.decided),
    passes: Number(row.passes),
    contested: Number(row.contested),
    queued: Number(row.queued),
    sample,
    drawn: sampled('drawn'),
  };
}
