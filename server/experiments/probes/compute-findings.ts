import type { ProjectCtx } from '../../access';
import { clusterColumn, measureJudged } from '../../verdicts';
import type { PlacedScore } from '../../verifiers';
import type { Estimate } from '../../measures';
import { type FamilyCount, computeSelfPreference, slopeOfLength } from './find-bias';
import {
  type ProbeJudgement,
  computeCanaryFindings,
  computeLengthFindings,
  computeOrderFindings,
  computeRepeatability,
} from './find-from-answers';
import type { ProbeFindings } from './probe-findings';
import type { ProbeJob } from './probe-job';

/** Maximum number of labelled verdicts, newest first, whose length is read: contents are large. */
const lengthsMax = 1_000;
/**
 * Maximum number of labelled verdicts, newest first, counted by the families of judge and author.
 */
const familiesMax = 20_000;

/**
 * The findings of a probe, from all its answers and, for those that need no judge, from the
 * labelled verdicts of its version.
 * @throws on storage faults
 */
export async function computeProbeFindings(
  ctx: ProjectCtx,
  run: Pick<ProbeJob, 'probe' | 'verifier' | 'verifierVersion'> & { readonly id: string },
): Promise<ProbeFindings> {
  if (run.probe === 'self_preference') return computeSelfPreference(await countFamilies(ctx, run));
  const { answers, named, repeats } = await readAnswers(ctx, run.id);
  switch (run.probe) {
    case 'repeatability':
      return computeRepeatability(answers, repeats);
    case 'order':
      return computeOrderFindings(answers);
    case 'length':
      return computeLengthFindings(answers, await readSlope(ctx, run));
    case 'canaries':
      return computeCanaryFindings(answers, named);
  }
}

async function readAnswers({ sql, projectId }: ProjectCtx, id: string) {
  const rows = await sql<
    (Omit<ProbeJudgement, 'parts'> & {
      parts: PlacedScore[] | null;
      subject_id: string;
      excerpt: string;
      repeats: number;
    })[]
  >`
    select a.ordinal, a.variant, a.repeat, a.outcome, a.score, a.parts, a.subject_id, a.excerpt, p.repeats,
      coalesce(s.session_id, a.subject_id) as cluster
    from probe_answers a join probe_runs p on p.project_id = a.project_id and p.id = a.run_id
    left join subjects s
      on s.project_id = a.project_id and s.kind = a.subject_kind and s.id = a.subject_id
    where a.project_id = ${projectId} and a.run_id = ${id} and a.judged_at is not null order by a.ordinal, a.repeat, a.variant`;
  return {
    answers: rows satisfies readonly ProbeJudgement[],
    named: new Map(rows.map((row) => [row.ordinal, { name: row.subject_id, what: row.excerpt }])),
    repeats: rows[0]?.repeats ?? 0,
  };
}

/** Verdicts of the version that a model judged and that have a known truth. */
const labelled = (
  { sql, projectId }: ProjectCtx,
  { verifier, verifierVersion }: Pick<ProbeJob, 'verifier' | 'verifierVersion'>,
) => sql`
  project_id = ${projectId} and origin = 'verifier' and slug = ${verifier} and version = ${verifierVersion} and judge <> ''
  and machine is not null and good is not null and not contested`;

async function countFamilies(
  ctx: ProjectCtx,
  run: Pick<ProbeJob, 'verifier' | 'verifierVersion'>,
): Promise<readonly FamilyCount[]> {
  return ctx.sql<FamilyCount[]>`
    select judge, model, machine = 'failed' as flagged, not good as bad, cluster,
      count(*)::int as count
    from (
      select judge, model, machine, good, ${clusterColumn(ctx.sql)} as cluster
      from judgements where ${labelled(ctx, run)}
      order by at desc, id desc limit ${familiesMax}
    ) as said group by 1, 2, 3, 4, 5`;
}

async function readSlope(
  ctx: ProjectCtx,
  run: Pick<ProbeJob, 'verifier' | 'verifierVersion'>,
): Promise<Estimate> {
  const rows = await ctx.sql<
    { subject_id: string; flagged: boolean; bad: boolean; cluster: string }[]
  >`
    select subject_id, machine = 'failed' as flagged, not good as bad,
      ${clusterColumn(ctx.sql)} as cluster
    from judgements where ${labelled(ctx, run)}
    order by at desc, id desc limit ${lengthsMax}`;
  const subjectIds = [...new Set(rows.map((row) => row.subject_id))];
  const lengths = await measureJudged(ctx, {
    projectId: ctx.projectId,
    verifier: run.verifier,
    subjectIds,
  });
  return slopeOfLength(
    rows.map(({ subject_id: id, ...row }) => ({ ...row, chars: lengths.get(id) ?? 0 })),
  );
}
