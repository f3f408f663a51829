import { and, desc, eq } from 'drizzle-orm';
import { schema } from '../../db';
import type { ProjectCtx } from '../access';
import { isOfRelease, listThresholdKeys, listThresholdVerifiers, type ThresholdKey } from './keys';
import { readCustomKeys } from './custom-keys';
import type { ThresholdSource } from './resolve';

/** The current value of one scope. */
export interface SetThreshold {
  readonly value: number;
  readonly missionId: string | null;
  readonly taskId: string | null;
  readonly version: number;
  readonly reason: string | null;
  readonly by: string;
  readonly at: Date;
}

/**
 * One key of one verifier: the value for the whole project, and the exceptions for parts of its
 * work.
 */
export interface ThresholdState extends ThresholdKey {
  readonly verifier: string;
  readonly value: number;
  readonly source: Extract<ThresholdSource, 'default' | 'project'>;
  readonly version: number;
  /** The project's own value, if there is one, and those of missions and tasks; latest first. */
  readonly set: readonly SetThreshold[];
}

/** All keys of all verifiers, or of one. */
export async function listThresholds(
  ctx: ProjectCtx,
  verifier?: string,
): Promise<ThresholdState[]> {
  const { thresholds } = schema;
  const rows = await ctx.db
    .select()
    .from(thresholds)
    .where(
      and(
        eq(thresholds.projectId, ctx.projectId),
        verifier === undefined ? undefined : eq(thresholds.verifier, verifier),
      ),
    )
    .orderBy(desc(thresholds.version));
  const own = await readCustomKeys(ctx, verifier);
  const ofRelease = (verifier === undefined ? listThresholdVerifiers() : [verifier])
    .filter(isOfRelease)
    .map((name) => [name, listThresholdKeys(name)] as const);
  return [...ofRelease, ...own].flatMap(([name, keys]) =>
    keys.map((known) => {
      const latest = new Map<string, (typeof rows)[number]>();
      for (const row of rows) {
        const place = JSON.stringify([row.missionId, row.taskId]);
        if (row.verifier === name && row.key === known.key && !latest.has(place))
          latest.set(place, row);
      }
      const set = [...latest.values()].flatMap(
        ({ value, missionId, taskId, version, reason, createdBy, createdAt }) =>
          value === null
            ? []
            : [
                {
                  value,
                  missionId: missionId || null,
                  taskId: taskId || null,
                  version,
                  reason,
                  by: createdBy,
                  at: createdAt,
                },
              ],
      );
      const ofProject = set.find((each) => each.missionId === null && each.taskId === null);
      return {
        ...known,
        verifier: name,
        value: ofProject?.value ?? known.standard,
        source: ofProject === undefined ? 'default' : 'project',
        version: ofProject?.version ?? 0,
        set: set.sort((a, b) => b.at.getTime() - a.at.getTime()),
      } satisfies ThresholdState;
    }),
  );
}
