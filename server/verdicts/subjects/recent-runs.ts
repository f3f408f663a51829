import { findLastChange } from '../../access';
import type { Ctx } from '../../platform';
import type { ClaimedWork } from '../../queue';
import { createRunSource, type RunSource } from './run-setting';
import type { SubjectDeps } from './subject-deps';

/** The current settings, for work that is verified now. */
export type RunsFor = (work: Pick<ClaimedWork, 'projectId' | 'createdAt'>) => Promise<RunSource>;

interface Recent {
  readonly openedAt: number;
  /** The project's last change when the settings were read. */
  readonly change: string | null;
  readonly runs: RunSource;
  /** Until then the project had no other change. */
  checkedAt: number;
}

/** A query for a project's last change. */
interface Check {
  readonly beganAt: number;
  readonly change: Promise<string | null>;
}

/** Maximum age of shared settings, so that any change takes effect within a second (S-12). */
const freshMs = 800;
const projectsMax = 1_000;

/**
 * Settings that the batches of a thread, or of a lane, share: one query, for the project's last
 * change, replaces those for its settings. Work that was created after a change is verified by it.
 */
export function createRecentRuns(ctx: Ctx, deps: SubjectDeps): RunsFor {
  const recent = new Map<string, Recent>();
  const checks = new Map<string, Check>();
  const check = (projectId: string, since: number): Check => {
    const running = checks.get(projectId);
    if (running !== undefined && since < running.beganAt) return running;
    const begun = {
      beganAt: ctx.clock.now().getTime(),
      change: findLastChange(ctx, projectId).finally(() => {
        if (checks.get(projectId) === begun) checks.delete(projectId);
      }),
    };
    checks.set(projectId, begun);
    return begun;
  };
  return async ({ projectId, createdAt }) => {
    const now = ctx.clock.now().getTime();
    const known = recent.get(projectId);
    const isFresh = known !== undefined && now - known.openedAt < freshMs;
    if (isFresh && createdAt.getTime() < known.checkedAt) return known.runs;
    const { beganAt, ...checked } = check(projectId, createdAt.getTime());
    const change = await checked.change;
    if (isFresh && known.change === change) {
      known.checkedAt = Math.max(known.checkedAt, beganAt);
      return known.runs;
    }
    if (recent.size >= projectsMax) recent.clear();
    const runs = createRunSource(ctx, deps);
    recent.set(projectId, { openedAt: now, change, runs, checkedAt: beganAt });
    return runs;
  };
}
