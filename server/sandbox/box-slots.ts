// The number of concurrent boxes: as many as fit into this machine's memory if each fills its cap.
import { totalmem } from 'node:os';
import { maxSlots } from './box-users';

/** The rest is for Assay's processes, the database and the system. */
const memoryShare = 0.9;
/** Slots reserved for the self-test, which runs concurrently with jobs. */
export const testSlots = 8;

/** @returns bytes of this machine, or of the container around this process if that has less */
function machineMemory(): number {
  // Without a limit this is 0, or a number larger than any memory.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * @param capBytes memory cap of one box
 * @param asked number set by the operator; null for as many as fit
 * @returns at least 1, and otherwise never more than fit into nine tenths of the memory
 */
export function boxesThatFit(
  capBytes: number,
  requested: number | null,
  memoryBytes: number = machineMemory(),
): number {
  const fitting = Math.min(
    Math.floor((memoryBytes * memoryShare) / capBytes),
    maxSlots - testSlots,
  );
  return Math.max(1, Math.min(fitting, requested ?? fitting));
}

export interface BoxSlots {
  /**
   * Takes the lowest free slots, first come first served; a smaller request does not overtake.
   * @param many at most the number of slots
   * @returns their numbers; null if `signal` fires first
   */
  take(many: number, signal: AbortSignal): Promise<readonly number[] | null>;
  leave(taken: readonly number[]): void;
}

interface Waiting {
  readonly many: number;
  readonly end: (given: readonly number[] | null) => void;
}

export function createBoxSlots(count: number): BoxSlots {
  const free = Array.from({ length: count }, (_none, index) => index);
  const waiting = new Set<Waiting>();
  const serve = (): void => {
    for (const { many, end } of waiting) {
      if (free.length < many) return;
      end(free.splice(0, many));
    }
  };
  return {
    take(many, signal) {
      if (signal.aborted) return Promise.resolve(null);
      return new Promise((resolve) => {
        const requested: Waiting = {
          many,
          end(given) {
            waiting.delete(requested);
            signal.removeEventListener('abort', giveUp);
            resolve(given);
          },
        };
        const giveUp = (): void => {
          requested.end(null);
          serve();
        };
        signal.addEventListener('abort', giveUp, { once: true });
        waiting.add(requested);
        serve();
      });
    },
    leave(taken) {
      free.push(...taken);
      free.sort((a, b) => a - b);
      serve();
    },
  };
}
