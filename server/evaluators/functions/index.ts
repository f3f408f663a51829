export type {
  FunctionArguments,
  FunctionFault,
  FunctionOutcome,
  FunctionParameter,
  FunctionRunner,
  FunctionScore,
  FunctionSource,
  LoadedFunction,
  LoadFault,
  RunFunctions,
} from './call';
export {
  type CheckInput,
  checkFunction,
  type FunctionCheck,
  type FunctionProblem,
} from './check-function';
export { createFunctionRunner } from './runner';
