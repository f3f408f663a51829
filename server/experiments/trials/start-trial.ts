import { sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { conflict, type Database, newId, refused } from '../../platform';
import { getJob, type Job, storeJob } from '../../queue';
import type { SubjectDeps } from '../../verdicts';
import { checkJudges } from './check-judges';
import { type PlanTrial, planTrial } from './plan-trial';
import { type TrialJob, trialKind } from './trial-job';

/**
 * Starts a trial: stores a job and a row for each subject, and changes no current setting.
 * Repeating the call with the same `jobId` returns the same trial.
 * @throws AssayError not_found (no such prompt or version), refused (a version that cannot be used,
 * no subject, no judge, a judge of an unknown provider), conflict (a trial of this version is in
 * progress)
 */
export async function startTrial(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  input: PlanTrial & { readonly jobId?: string | undefined },
): Promise<Job> {
  const { slug, version } = input;
  await checkJudges(ctx, input);
  const { plan, chosen, kind, projectJudges } = await planTrial(ctx, deps, input);
  if (chosen.length === 0)
    throw refused(
      `"${slug}" has no labelled ${kind}${input.heldOut ? ' in the test split' : ''} for a trial; rule on verdicts, or send outcomes`,
    );
  if (plan.whyNone !== null) throw refused(`no judge is available: ${plan.whyNone}`);
  const id = input.jobId ?? newId('job', ctx.clock.now());
  const job: TrialJob = {
    slug,
    version,
    judge: plan.judge,
    production: plan.production,
    againstJudge: plan.againstJudge,
    seats: projectJudges,
    heldOut: plan.heldOut,
    kind,
    order: input.order,
    seed: input.seed,
    estimateUsd: plan.costUsd,
    estimateTokens: plan.tokens,
  };
  await ctx.db.transaction(async (tx) => {
    await lockTrial(ctx, tx, { id, slug, version });
    if (!(await storeJob(ctx, tx, { id, kind: trialKind, input: job, total: chosen.length })))
      return;
    await tx
      .insert(schema.promptTrialSubjects)
      .values(
        chosen.map((each, ordinal) => ({
          projectId: ctx.projectId,
          trialId: id,
          ordinal,
          subjectId: each.id,
          verdictId: each.verdictId,
          excerpt: each.excerpt,
          good: each.good,
          truthOf: each.truthOf,
          slices: each.slices,
        })),
      )
      .onConflictDoNothing();
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'prompts.try',
      target: `${slug}@${version}`,
      detail: {
        trial: id,
        subjects: chosen.length,
        judge: plan.judge,
        against: plan.production,
        against_judge: plan.againstJudge,
        held_out: plan.heldOut,
        estimate_usd: plan.costUsd,
      },
    });
  });
  return getJob(ctx, id);
}

/** Allows one trial per version. @throws AssayError conflict if another one is in progress */
async function lockTrial(
  ctx: ProjectCtx,
  tx: Pick<Database, 'execute'>,
  { id, slug, version }: { readonly id: string; readonly slug: string; readonly version: number },
): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`trial ${ctx.projectId} ${slug}@${version}`}, 0))`,
  );
  const running = await tx.execute<{ id: string }>(sql`
    select id from jobs
    where project_id = ${ctx.projectId} and kind = ${trialKind} and id <> ${id}
      and state in ('waiting', 'running')
      and input->>'slug' = ${slug} and (input->>'version')::int = ${version} limit 1`);
  if (running.length > 0)
    throw conflict(`a trial of ${slug}@${version} is running; wait for it, or cancel it`);
}
