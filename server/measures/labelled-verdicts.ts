import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';
import { readVerifierName, seriesOf } from '../domain';
import { labelledVerdictsOf } from './labelled-verdicts-of';
import type { Origin } from './measure-input';
import type { Outweighed } from './ground-truth';

/** Filters for labelled verdicts: `from` inclusive, `to` exclusive. */
export interface Wanted {
  /**
   * A verifier's name, with or without its version (`readVerifierName`), or that of an imported
   * judge.
   */
  readonly verifier?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /**
   * The model that judged, as named in verdicts: the results of one judge do not apply to a
   * fallback (R-59).
   */
  readonly judge?: string | undefined;
  /** Counts self-judged work under the verifier's own name and not as a separate series. */
  readonly together?: boolean;
  /** Rulings of an account that do not count: those after `until` (S-35). */
  readonly outweighing?: readonly Outweighed[] | undefined;
}

/**
 * Verdicts of a verifier with their truth, as a relation with the columns of the table
 * `judgements`. Reads that table, unless the rulings of an account outweigh others: it then
 * recomputes the verifier's rows without the rulings that do not count.
 */
export function labelledVerdictRows(
  ctx: Pick<ProjectCtx, 'sql' | 'projectId'>,
  origin: Origin,
  wanted: Wanted,
): Fragment {
  const { sql, projectId } = ctx;
  const outweighed = (origin === 'verifier' ? (wanted.outweighing ?? []) : []).map(
    ({ slug, account, until }) => ({
      slug,
      account,
      until,
    }),
  );
  const slugs = [...new Set(outweighed.map(({ slug }) => slug))];
  const withFilter = (more: Fragment): Fragment =>
    sql`select j.* from judgements j where j.project_id = ${projectId} and j.origin = ${origin} ${areWanted(ctx, origin, wanted)} ${more}`;
  if (slugs.length === 0) return withFilter(sql``);
  const subjects = sql`select distinct subject_id from judgements where project_id = ${projectId} and origin = 'verifier' and slug in ${sql(slugs)}`;
  return sql`
    ${withFilter(sql`and j.slug not in ${sql(slugs)}`)}
    union all
    select ${projectId}::text, j.* from (${labelledVerdictsOf(ctx, subjects, outweighed)}) as j
    where j.origin = 'verifier' and j.slug in ${sql(slugs)} ${areWanted(ctx, origin, wanted)}`;
}

/**
 * Conditions on `j`, a row of `judgements` or of its counts. The caller adds the condition on time,
 * because counts only have a day.
 */
export function areNamed(
  { sql }: Pick<ProjectCtx, 'sql'>,
  origin: Origin,
  { verifier, judge, together = false }: Wanted,
): Fragment {
  const name =
    origin === 'verifier'
      ? readVerifierName(verifier ?? '')
      : { slug: verifier ?? '', version: null, self: false };
  return sql`
    ${verifier === undefined ? sql`` : together ? sql`and j.slug = ${name.slug}` : sql`and j.series = ${origin === 'verifier' ? seriesOf(name) : name.slug}`}
    ${name.version === null ? sql`` : sql`and j.version = ${name.version}`}
    ${judge === undefined ? sql`` : sql`and j.judge = ${judge}`}`;
}

function areWanted(ctx: Pick<ProjectCtx, 'sql'>, origin: Origin, wanted: Wanted): Fragment {
  const { sql } = ctx;
  const { from, to } = wanted;
  return sql`
    ${areNamed(ctx, origin, wanted)}
    ${from === undefined ? sql`` : sql`and j.at >= ${from.toISOString()}::timestamptz`}
    ${to === undefined ? sql`` : sql`and j.at < ${to.toISOString()}::timestamptz`}`;
}
