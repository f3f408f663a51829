import type { ProjectCtx } from '../server/access';
import { getBacklog, replayWork } from '../server/queue';

/**
 * Replays work that was quarantined because its worker died three times, like a person
 * would, since of many kills three may hit an innocent row. Returns the number of rows.
 * @throws Error if work was quarantined for another reason
 */
export async function replayQuarantined(project: ProjectCtx): Promise<number> {
  const { quarantined } = await getBacklog(project);
  for (const { subjectId, verifier, reason } of quarantined) {
    if (reason !== 'its worker died 3 times while verifying it')
      throw new Error(`${subjectId} was set aside: ${reason}`);
    await replayWork(project, { subjectId, verifier });
  }
  return quarantined.length;
}
