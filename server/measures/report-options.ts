import type { ProjectCtx } from '../access';
import { readVerifierName } from '../domain';
import type { CalibrationReport } from './report';
import { type ReportScope, reportRows } from './report-rows';

type Options = Pick<CalibrationReport, 'versions' | 'policies' | 'judges'>;

interface OptionRow {
  version: number;
  policy: number;
  judge: string;
  labels: number;
}

/**
 * The available filters in the period: versions, policies and judges, each with the number of its
 * labelled rows under the other conditions.
 */
export async function listOptions(ctx: ProjectCtx, scope: ReportScope): Promise<Options> {
  const rows = await ctx.sql<OptionRow[]>`
    select version, policy, judge, count(*)::int as labels from (${reportRows(ctx, scope, ['version', 'policy', 'judge'])}) as reported
    where machine is not null and good is not null group by version, policy, judge`;
  const version = scope.origin === 'verifier' ? readVerifierName(scope.verifier).version : null;
  const ofVersion = (row: OptionRow): boolean => version === null || row.version === version;
  const ofPolicy = (row: OptionRow): boolean =>
    scope.policy === undefined || row.policy === scope.policy;
  const ofJudge = (row: OptionRow): boolean =>
    scope.judge === undefined || row.judge === scope.judge;
  const versions = summed(
    rows.filter((row) => ofPolicy(row) && ofJudge(row) && scope.origin === 'verifier'),
    ({ version: of }) => of,
  );
  const policies = summed(
    rows.filter((row) => ofVersion(row) && ofJudge(row)),
    ({ policy }) => policy,
  );
  const judges = summed(
    rows.filter((row) => ofVersion(row) && ofPolicy(row) && row.judge !== ''),
    ({ judge }) => judge,
  );
  return {
    versions: versions
      .map(([of, labels]) => ({ version: of, labels }))
      .toSorted((a, b) => b.version - a.version),
    policies: policies
      .map(([policy, labels]) => ({ policy, labels }))
      .toSorted((a, b) => b.policy - a.policy),
    judges: judges
      .map(([judge, labels]) => ({ judge, labels }))
      .toSorted((a, b) => b.labels - a.labels || (a.judge < b.judge ? -1 : 1)),
  };
}

function summed<Key>(rows: readonly OptionRow[], keyOf: (row: OptionRow) => Key): [Key, number][] {
  const sums = new Map<Key, number>();
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + row.labels);
  return [...sums];
}

/**
 * Counts subjects with a label on a verdict of this verifier, or on no verdict at all, that is not
 * yet counted.
 */
export async function countPending(
  { sql, projectId }: ProjectCtx,
  { verifier, origin }: ReportScope,
): Promise<number> {
  const slug = origin === 'verifier' ? readVerifierName(verifier).slug : null;
  const [row] = await sql<{ pending: number }[]>`
    select count(distinct d.subject_id)::int as pending from judgement_dues d
    where d.project_id = ${projectId} and d.due_at <= now()
      and not exists (select from turns t where t.project_id = ${projectId} and t.id = d.subject_id and t.origin = 'experiment') and exists (
      select from labels l where l.project_id = ${projectId} and l.subject_id = d.subject_id and coalesce(l.verifier_slug = ${slug}, true)
    )`;
  return row?.pending ?? 0;
}
