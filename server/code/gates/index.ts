// A door of its own, for workers: what starts compilers stays out of what Next bundles.
export {
  type BoxTier,
  type CodeFile,
  type GateJob,
  type GateReceipt,
  type GateResult,
  type GateStatus,
  type GateTests,
  type RunGates,
  type TestRunner,
} from './gate';
export { noGateNotes } from './languages';
export { createRunGates, listGates } from './run-gates';
