/** @internal For tests of other rooms. */
export { noGateNotes } from './languages';
export { createRunGates } from './run-gates';
/** @internal For tests of other rooms. */
export { listGates } from './run-gates';
