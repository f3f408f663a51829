import { enterProject } from '../../access';
import { AssayError, classifyStorageError, type Ctx } from '../../platform';
import type { SubjectDeps } from '../../verdicts';
import { findAnchorSet } from './find-anchor-set';
import { changeSince, JudgedBy, readJudgedBy } from './judged-by';
import { startRun } from './run-anchors';

interface Row {
  project_id: string;
  project_slug: string;
  id: string;
  verifier: string;
  run_id: string;
  version: number;
  setting: unknown;
  used: string | null;
}

/**
 * Starts runs of scheduled sets whose verifier, judge or prompt has changed since they were last
 * judged (calibration.md 5.9): one run per change, however often and in however many processes this
 * is called. A set with a run in progress is checked again after that run. A set that was never
 * judged is skipped: it has no results to compare with. Returns the number of started runs.
 * @throws on storage faults
 */
export async function runChangedAnchors(
  ctx: Ctx,
  { prompts }: Pick<SubjectDeps, 'prompts'>,
): Promise<number> {
  const sets = await ctx.sql<Row[]>`
    select s.project_id, p.slug as project_slug, s.id, s.verifier_slug as verifier, r.id as run_id,
      r.verifier_version as version, r.setting,
      (select prompts from anchor_runs where project_id = s.project_id and set_id = s.id and prompts is not null
        order by started_at desc, id desc limit 1) as used
    from anchor_sets s join projects p on p.id = s.project_id
    cross join lateral (
      select id, verifier_version, setting from anchor_runs where project_id = s.project_id and set_id = s.id order by started_at desc, id desc limit 1
    ) as r
    where s.cron is not null and s.retired_at is null and r.setting is not null
      and not exists (select from jobs j where j.project_id = s.project_id and j.id = r.id and j.state in ('waiting', 'running'))`;
  let started = 0;
  for (const set of sets) {
    const noted = JudgedBy.safeParse(set.setting).data;
    if (noted === undefined) continue;
    // The version at the start of the run: a run that met another version at its first item has
    // failed and is repeated.
    const before = { ...noted, version: set.version };
    const change = changeSince(
      before,
      await readJudgedBy(ctx, prompts, set.project_id, set.verifier),
      set.used,
    );
    if (change !== null && (await startSafely(ctx, set, change))) started++;
  }
  return started;
}

/** @throws on storage faults */
async function startSafely(ctx: Ctx, set: Row, because: string): Promise<boolean> {
  const project = enterProject(
    ctx,
    { id: set.project_id, slug: set.project_slug },
    { kind: 'system', id: 'schedule', label: 'after a change' },
  );
  try {
    const found = await findAnchorSet(project, set.id);
    return await project.db.transaction(
      async (tx) => (await startRun(project, tx, found, { because, after: set.run_id })).isNew,
    );
  } catch (error) {
    if (!(error instanceof AssayError) && classifyStorageError(error) !== 'unknown') throw error;
    ctx.log.error(
      { err: error, project: set.project_id, set: set.id },
      'a set could not be judged after a change',
    );
    return false;
  }
}
