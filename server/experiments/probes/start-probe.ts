import { sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { type Database, newId, refused } from '../../platform';
import { storeJob } from '../../queue';
import { loadJudging, type SubjectDeps } from '../../verdicts';
import { formsOf } from './choose-items';
import { getProbeRun } from './list-probes';
import { type PlanProbe, planProbe, repeatsOf } from './plan-probe';
import type { ProbeRun } from './probe';
import { type ProbeJob, probeKind } from './probe-job';

/**
 * Starts a probe of the current verifier: stores a job and a row for each judgement. Returns the
 * existing probe if one of the same kind is in progress. Findings of probes count in no measure.
 * @throws AssayError not_found (no such verifier), refused (nothing to judge, no judge available,
 * budget exceeded)
 */
export async function startProbe(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  input: PlanProbe,
): Promise<ProbeRun> {
  const { projectId } = ctx;
  const { plan, items } = await planProbe(ctx, deps, input);
  if (plan.refusal !== null) throw refused(plan.refusal);
  const { verifier, probe } = plan;
  const { version: verifierVersion } = await loadJudging(ctx, projectId, verifier);
  const repeats = repeatsOf(input);
  const job: ProbeJob = {
    verifier,
    verifierVersion,
    probe,
    seed: input.seed,
    budgetUsd: input.budget_usd,
    estimateUsd: plan.costUsd,
  };
  const id = await ctx.db.transaction(async (tx) => {
    const running = await lockProbe(tx, projectId, plan);
    if (running !== null) return running;
    const jobId = newId('job', ctx.clock.now());
    await storeJob(ctx, tx, { id: jobId, kind: probeKind, input: job, total: plan.answers });
    await tx.insert(schema.probeRuns).values({
      projectId,
      id: jobId,
      verifierSlug: verifier,
      verifierVersion,
      probe,
      items: items.length,
      repeats,
      createdBy: ctx.actor.label,
      // The database clock, as for jobs.
      startedAt: sql`now()`,
    });
    const rows = items.flatMap(({ estimate: _estimate, ...item }, ordinal) =>
      formsOf[probe].flatMap((variant) =>
        Array.from({ length: repeats }, (_, repeat) => ({
          projectId,
          runId: jobId,
          ordinal,
          variant,
          repeat,
          ...item,
        })),
      ),
    );
    if (rows.length > 0) await tx.insert(schema.probeAnswers).values(rows);
    await recordAudit(ctx, tx, ctx.actor, {
      projectId,
      action: 'probes.start',
      target: `${verifier}@${verifierVersion}`,
      detail: {
        probe,
        run: jobId,
        items: items.length,
        answers: plan.answers,
        estimate_usd: plan.costUsd,
        budget_usd: input.budget_usd,
      },
    });
    return jobId;
  });
  return getProbeRun(ctx, id);
}

/** Allows one probe per kind and verifier: returns the id of the running one, or null. */
async function lockProbe(
  tx: Pick<Database, 'execute'>,
  projectId: string,
  { verifier, probe }: Pick<ProbeJob, 'verifier' | 'probe'>,
): Promise<string | null> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`probe ${projectId} ${verifier} ${probe}`}, 0))`,
  );
  const [running] = await tx.execute<{ id: string }>(sql`
    select id from jobs
    where project_id = ${projectId} and kind = ${probeKind} and state in ('waiting', 'running')
      and input->>'verifier' = ${verifier} and input->>'probe' = ${probe} limit 1`);
  return running?.id ?? null;
}
