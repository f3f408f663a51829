export type {
  FunctionArguments,
  FunctionFault,
  FunctionOutcome,
  FunctionParameter,
  FunctionRunner,
  FunctionScore,
  FunctionSource,
  FunctionValue,
  LoadedFunction,
  LoadFault,
  RunFunctions,
} from './call';
export { createFunctionRunner } from './runner';
