import type { WorkBacklog } from '@/app/_trpc/outputs';

/** The meaning of the sandbox's state for proof gates. */
export const boxWords: Record<WorkBacklog['box']['state'], string> = {
  ready: 'Sandbox available.',
  missing: 'Sandbox missing: compilers and tests do not run.',
  failing: 'Sandbox failed its self-test: compilers and tests do not run.',
  unknown: 'No worker has reported recently whether it can run compilers and tests.',
};

type Level = NonNullable<WorkBacklog['box']['level']>;

const memoryWords: Record<Level['memory'], string> = {
  cgroup: 'The kernel limits the memory of each run (cgroup).',
  watchdog: 'The worker limits the memory of each run and refuses calls that it cannot count.',
};
const userWords: Record<Level['users'], string> = {
  per_box: 'Each run has its own user.',
  one: 'All runs have the same user.',
};

/** The results of the sandbox's self-test, one sentence each. */
export function levelWords({ memory, users, at_once: atOnce }: Level): readonly string[] {
  return [
    memoryWords[memory],
    userWords[users],
    `At most ${atOnce.toLocaleString('en')} runs at the same time.`,
  ];
}
