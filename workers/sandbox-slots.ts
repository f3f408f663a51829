import type { ClaimedWork } from '../server/queue';
import type { RunsFor } from '../server/verdicts';
import type { SandboxUse } from '../server/verifiers';
import { type BoxShares, createBoxShares } from './box-shares';
import { NoBoxFree } from './leased-work';

export interface SandboxSlotsOptions {
  /** Maximum number of concurrent sandboxes. */
  readonly atOnce: number;
  /** How work uses sandboxes; null if it uses none. */
  readonly useOf: (work: ClaimedWork) => Promise<SandboxUse | null>;
}

/** Slots for the work of a lane that uses sandboxes. */
export interface SandboxSlots {
  /**
   * Takes the slots that the work needs, after other projects and earlier work of its project.
   * @returns the function that releases them
   * @throws NoBoxFree if its project already uses its share
   */
  take(work: ClaimedWork, signal: AbortSignal): Promise<() => void>;
}

/**
 * Work that uses a sandbox, or waits for one, also occupies a slot of the lane. Only half of the
 * lane's slots are for such work, so that any number of projects leaves some slots for work that
 * uses no sandbox. Work with a separate sandbox also takes one of `atOnce` sandboxes; work that
 * shares one, such as the subjects of a function, does not.
 * @param concurrency number of slots of the lane
 */
export function createSandboxSlots(
  { atOnce, useOf }: SandboxSlotsOptions,
  concurrency: number,
): SandboxSlots {
  const half = Math.max(1, Math.floor(concurrency / 2));
  const slots = createBoxShares(half);
  const boxes = createBoxShares(Math.min(atOnce, half));
  return {
    async take(work, signal) {
      const use = await useOf(work);
      if (use === null) return () => undefined;
      const releaseBox = use === 'own' ? await takeShare(boxes, work, signal) : null;
      try {
        const releaseSlot = await takeShare(slots, work, signal);
        return () => {
          releaseSlot();
          releaseBox?.();
        };
      } catch (error) {
        releaseBox?.();
        throw error;
      }
    },
  };
}

async function takeShare(
  shares: BoxShares,
  { projectId }: ClaimedWork,
  signal: AbortSignal,
): Promise<() => void> {
  const taken = await shares.take(projectId, signal);
  if (typeof taken === 'function') return taken;
  throw new NoBoxFree('The project already runs its maximum number of sandboxes.');
}

/** How the verifiers of a project use sandboxes, including those that it defined. */
export const sandboxUseIn =
  (runsFor: RunsFor): SandboxSlotsOptions['useOf'] =>
  async (work) => {
    const runs = await runsFor(work);
    return (await runs.verifierOf(work.projectId, work.verifier))?.kind.sandbox ?? null;
  };
