export type {
  FunctionArguments,
  FunctionOutcome,
  FunctionParameter,
  FunctionRunner,
  FunctionScore,
  FunctionSource,
  FunctionValue,
  LoadFault,
  RunFunctions,
} from './call';
export { createFunctionRunner } from './runner';
