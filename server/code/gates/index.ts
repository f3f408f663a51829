/** @internal For tests in other modules. */
export { noGateNotes } from './languages';
export { createRunGates } from './run-gates';
/** @internal For tests in other modules. */
export { listGates } from './run-gates';
