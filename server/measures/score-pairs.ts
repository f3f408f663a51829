import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { type CorrelationOf, pearsonOfSums } from '../stats';

type WithSql = Pick<ProjectCtx, 'sql'>;

/** The score of a row with 4 decimals, as for comparison with thresholds: `numeric`. */
const rounded = ({ sql }: WithSql): Fragment => sql`round(score::numeric, 4)`;

/** The same as a number. */
export const comparable = (ctx: WithSql): Fragment => ctx.sql`${rounded(ctx)}::double precision`;

/**
 * Rows with truth and a score. Imported scores may be any number; those too large to square without
 * overflow are excluded.
 */
export const hasPair = ({ sql }: WithSql): Fragment =>
  sql`(good is not null and abs(score) <= 1e9)`;

/** Columns of `judgement_rollups` for SOAR-33. */
export const pairNames = [
  'pairs',
  'good_pairs',
  'score_sum',
  'good_score_sum',
  'score_square',
] as const;
export type PairName = (typeof pairNames)[number];

/**
 * Sums each column over the rows that match `where`. Sums scores of 4 decimals as `numeric`: adding
 * and subtracting leaves no remainder.
 */
export function pairTerms(
  ctx: WithSql,
): Readonly<Record<PairName, { readonly term: Fragment; readonly where: Fragment }>> {
  const { sql } = ctx;
  const pair = hasPair(ctx);
  const good = sql`${pair} and good`;
  return {
    pairs: { term: sql`1`, where: pair },
    good_pairs: { term: sql`1`, where: good },
    score_sum: { term: rounded(ctx), where: pair },
    good_score_sum: { term: rounded(ctx), where: good },
    score_square: { term: sql`${rounded(ctx)} * ${rounded(ctx)}`, where: pair },
  };
}

/**
 * Sums of squares about the means, over a group of rows with these columns. They are computed from
 * exact sums and are therefore exactly 0 if all scores are equal.
 */
export function aboutMeans({ sql }: WithSql): Fragment {
  const over = sql`nullif(sum(pairs), 0)::double precision`;
  return sql`
    coalesce((sum(pairs) * sum(score_square) - sum(score_sum) * sum(score_sum))::double precision / ${over}, 0) as xx,
    coalesce((sum(good_pairs) * (sum(pairs) - sum(good_pairs)))::double precision / ${over}, 0) as yy,
    coalesce((sum(pairs) * sum(good_score_sum) - sum(good_pairs) * sum(score_sum))::double precision / ${over}, 0) as xy`;
}

export interface PairRow {
  readonly pairs: string | number;
  readonly xx: number;
  readonly yy: number;
  readonly xy: number;
}

/** SOAR-33: correlation of the score, on the verifier's own scale, with truth (good 1, bad 0). */
export function correlationOfRow({ pairs, xx, yy, xy }: PairRow): CorrelationOf {
  return pearsonOfSums({ n: Number(pairs), x: 0, y: 0, xx, yy, xy });
}
