import type { ProjectCtx } from '../server/access';
import { getBacklog, replayWork } from '../server/queue';

/**
 * Gives a fresh start to work that was set aside since its worker died three times, as a
 * person would: of many kills three may hit a row that did nothing wrong. Returns how many there
 * were.
 * @throws Error where work was set aside for anything else
 */
export async function replaySetAside(project: ProjectCtx): Promise<number> {
  const { quarantined } = await getBacklog(project);
  for (const { subjectId, verifier, reason } of quarantined) {
    if (reason !== 'its worker died 3 times while verifying it')
      throw new Error(`${subjectId} was set aside: ${reason}`);
    await replayWork(project, { subjectId, verifier });
  }
  return quarantined.length;
}
