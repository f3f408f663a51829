import type { Waiting } from '@/app/_trpc/outputs';

/** What the state of the box means for proof gates. */
export const boxWords: Record<Waiting['box']['state'], string> = {
  ready: 'Compilers and tests run in their box.',
  missing: 'Compilers and tests are not run: there is no box for them.',
  failing: 'Compilers and tests are not run: the box did not pass its self-test.',
  unknown: 'No worker has said lately whether it can run compilers and tests.',
};
