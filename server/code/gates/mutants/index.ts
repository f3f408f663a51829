export type { MutantRun } from './mutant';
export { mutateTests } from './mutate-tests';
