import type { WorkBacklog } from '@/app/_trpc/outputs';

/** The meaning of the sandbox's state for proof gates. */
export const boxWords: Record<WorkBacklog['box']['state'], string> = {
  ready: 'Compilers and tests run in their box.',
  missing: 'Compilers and tests are not run: there is no box for them.',
  failing: 'Compilers and tests are not run: the box did not pass its self-test.',
  unknown: 'No worker has reported recently whether it can run compilers and tests.',
};

type Level = NonNullable<WorkBacklog['box']['level']>;

const memoryWords: Record<Level['memory'], string> = {
  cgroup: 'The kernel counts the memory of each box (cgroup).',
  watchdog: 'The worker counts the memory of each box and refuses calls that it cannot count.',
};
const userWords: Record<Level['users'], string> = {
  per_box: 'Each box runs as a user of its own.',
  one: 'All boxes run as the same user.',
};

/** The results of the sandbox's self-test, one sentence each. */
export function levelWords({ memory, users, at_once: atOnce }: Level): readonly string[] {
  return [
    memoryWords[memory],
    userWords[users],
    `At most ${atOnce.toLocaleString('en')} boxes run at the same time.`,
  ];
}
