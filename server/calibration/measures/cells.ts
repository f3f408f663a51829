import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import type { Matrix } from '../../domain';
import type { Cell } from './measure-input';
import { type Counts, noCounts, type Sample } from './rates';
import { weightOf } from './sampled';

type WithSql = Pick<ProjectCtx, 'sql'>;

/** The matrix: what the verifier said beside what is true. */
export const cells = ['caught', 'missed', 'rejected', 'passed'] as const satisfies readonly (keyof Matrix)[];

/** Which rows stand behind a number. */
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

/** What is counted, by its column in `judgement_rollups`. */
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
  };
}

type CountName = keyof ReturnType<typeof countConditions>;
type CellName = (typeof cells)[number];
/** Sums of whole counts come as text. */
export type CountRow = Record<CountName | `${'sample' | 'weight' | 'square'}_${CellName}`, string | number>;

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
] as const satisfies readonly CountName[];

/** The columns of a relation of judgements, counted. */
export function cellCounts(ctx: WithSql): Fragment {
  const { sql } = ctx;
  const { weight, square } = weightOf(ctx);
  const conditions = countConditions(ctx);
  const counted = countNames.map((name) => sql`count(*) filter (where ${conditions[name]}) as ${sql(name)}`);
  const sampled = cells.map((cell) => {
    const drawn = sql`filter (where probability is not null and ${conditions[cell]})`;
    return sql`count(*) ${drawn} as ${sql(`sample_${cell}`)}, coalesce(sum(${weight}) ${drawn}, 0) as ${sql(`weight_${cell}`)},
      coalesce(sum(${square}) ${drawn}, 0) as ${sql(`square_${cell}`)}`;
  });
  return [...counted, ...sampled].reduce((before, each) => sql`${before}, ${each}`);
}

/** The same columns, added up over rows that have them. */
export function cellSums({ sql }: WithSql): Fragment {
  const names = [...countNames, ...cells.flatMap((cell) => [`sample_${cell}`, `weight_${cell}`, `square_${cell}`])];
  return names.map((name) => sql`sum(${sql(name)}) as ${sql(name)}`).reduce((before, each) => sql`${before}, ${each}`);
}

/** Zeros where there is no row. */
export function countsOf(row: CountRow | undefined): Counts {
  if (row === undefined) return noCounts;
  const sampled = (cell: CellName) => ({
    n: Number(row[`sample_${cell}`]),
    weight: Number(row[`weight_${cell}`]),
    square: Number(row[`square_${cell}`]),
  });
  const sample: Sample = { caught: sampled('caught'), missed: sampled('missed'), rejected: sampled('rejected'), passed: sampled('passed') };
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
    sample,
  };
}
