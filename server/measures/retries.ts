import type { ProjectCtx } from '../access';
import { readVerifierName, seriesOf } from '../domain';
import type { Wanted } from './labelled-verdicts';
import type { Slice } from './report-input';
import { type ClusterColumns, sumsOfClusters, weightOfSums } from '../verdicts';
import { sliceOf } from './populations';

/** The number of attempts made because of a verdict, and how many of them passed. */
export interface RetryCount {
  readonly retries: number;
  readonly passed: number;
  /** The weight of one retry, if sessions have several. */
  readonly weight?: number | undefined;
}

/** More than any version times 4. */
const revisionUnit = 2 ** 34;

/**
 * Counts the retries of each series with a verdict, by settlement time (SOAR-28). A retry is an
 * attempt with retries used before it, or a repair of code, and each counts as one: two retries of
 * which the second passes are 1 of 2 (SOAR-30). A skipped or undecided attempt did not fail (X-3).
 * An attempt judged by several versions, or in several revisions, counts by the latest: the last
 * two bits of `latest` are its result, below its version and, above that, its revision. Reads only
 * the index `verdicts_retried_live`, whose condition is repeated here literally.
 */
export async function countRetries(
  ctx: ProjectCtx,
  wanted: Wanted,
  slice?: Slice,
): Promise<Map<string, RetryCount>> {
  const { sql, projectId } = ctx;
  const { from, to, judge } = wanted;
  const name = wanted.verifier === undefined ? null : readVerifierName(wanted.verifier);
  const rows = await sql<RetryRow[]>`
    select series, ${sumsOfClusters(sql, 'all', sql`x`, sql`n`)} from (
      select series, count(*) as n, count(*) filter (where passed) as x
      from (
        select verifier_slug || case when latest & 1 = 1 then ':self' else '' end as series,
          latest & 2 = 2 as passed, coalesce(session, subject_id) as cluster
        from (
          select v.verifier_slug, v.subject_id collate "C" as subject_id,
            max(v.session_id collate "C") as session,
            max(v.revision::bigint * ${revisionUnit}::bigint + v.verifier_version::bigint * 4 + case v.outcome when 'passed' then 2 else 0 end
              + case v.cross_model when 'self' then 1 else 0 end) as latest
          from verdicts v
          where v.project_id = ${projectId} and (retries_used > 0 or (kind = 'code' and detail #> '{repair,iteration}' > '0')) and experiment_id is null
            and v.verdict is not null and v.outcome not in ('inconclusive', 'skipped')
            ${name === null ? sql`` : sql`and v.verifier_slug = ${name.slug}`}
            ${name === null || name.version === null ? sql`` : sql`and v.verifier_version = ${name.version}`}
            ${slice === undefined ? sql`` : sql`and ${sliceOf(ctx, slice)}`}
            ${judge === undefined ? sql`` : sql`and v.judge_model = ${judge}`}
            ${from === undefined ? sql`` : sql`and v.settled_at >= ${from.toISOString()}::timestamptz`}
            ${to === undefined ? sql`` : sql`and v.settled_at < ${to.toISOString()}::timestamptz`}
          group by v.verifier_slug, v.subject_kind, v.subject_id collate "C"
        ) as versions
      ) as attempts
      ${name === null ? sql`` : sql`where series = ${seriesOf(name)}`} group by series, cluster
    ) as by_cluster group by series`;
  return new Map(
    rows.map((row) => [
      row.series,
      { retries: Number(row.all_n), passed: Number(row.all_x), weight: weightOfSums('all', row) },
    ]),
  );
}

type RetryRow = { readonly series: string } & ClusterColumns<'all'>;
