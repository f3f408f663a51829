import type {
  FunctionOutcome,
  FunctionParameter,
  LoadFault,
  RunFunctions,
} from '../../evaluators/functions';
import { nearestName } from '../../platform';
import type { CustomSubject } from '../custom';
import { argumentsOf, knownParameters, functionSourceOf } from './arguments';
import type { FunctionConfig } from './definition';

/** A fault that must be fixed before a function is saved. */
export interface FunctionProblem {
  /** `sandbox`: the cause is unknown, since the code could not be run. */
  readonly cause: LoadFault['cause'] | 'parameter';
  /** One sentence for the author, with the fix where one is known. */
  readonly message: string;
  /** Of the source, from 1; null if it is unknown. */
  readonly line: number | null;
}

export type FunctionCheck =
  | { readonly state: 'faulty'; readonly problems: readonly FunctionProblem[] }
  | {
      readonly state: 'usable';
      readonly parameters: readonly FunctionParameter[];
      /** Null without an example. */
      readonly trial: FunctionOutcome | null;
    };

/**
 * Loads a function, compares its parameters with the known names, and calls it on one subject. A
 * trial that fails is a result, not a problem: the example may be at fault.
 * @param functions of the project, in a process with a sandbox
 * @param example null if the function is only loaded
 * @throws Error if `signal` fires first
 */
export async function checkFunction(
  functions: RunFunctions,
  config: Pick<FunctionConfig, 'function' | 'targets' | 'mapping'>,
  example: CustomSubject | null,
  signal: AbortSignal,
): Promise<FunctionCheck> {
  const source = functionSourceOf(config.function);
  const loaded = await functions.load(source, signal);
  if (loaded.state === 'fault') {
    const { cause, message, line } = loaded;
    return { state: 'faulty', problems: [{ cause, message, line }] };
  }
  const known = knownParameters(config);
  const unknown = loaded.parameters.filter(
    ({ name, required }) => required && !known.includes(name),
  );
  if (unknown.length > 0)
    return { state: 'faulty', problems: unknown.map(({ name }) => problemOf(name, known)) };
  const [trial = null] =
    example === null ? [] : await functions.run(source, [argumentsOf(example)], signal);
  return { state: 'usable', parameters: loaded.parameters, trial };
}

function problemOf(name: string, known: readonly string[]): FunctionProblem {
  const nearest = nearestName(name, known);
  const fix =
    nearest === null
      ? `give it a default, map a variable of this name, or use one of ${known.join(', ')}`
      : `did you mean "${nearest}"?`;
  return {
    cause: 'parameter',
    message: `evaluate has the unknown parameter "${name}": ${fix}`,
    line: null,
  };
}
