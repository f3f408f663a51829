import { nearestName } from '../../platform';
import type {
  FunctionArguments,
  FunctionOutcome,
  FunctionParameter,
  FunctionSource,
  LoadFault,
  RunFunctions,
} from './call';
import { unknownParameters } from './choose-arguments';

/** A fault that must be fixed before a function is saved. */
export interface FunctionProblem {
  /** `sandbox`: nothing is known, since nothing could be run. */
  readonly cause: LoadFault['cause'] | 'parameter';
  /** One sentence for the author, with the fix where one is known. */
  readonly message: string;
  /** From 1; null if it is unknown. */
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

export interface CheckInput {
  readonly source: FunctionSource;
  /** The parameters that subjects of the verifier have values for: members and variables. */
  readonly known: readonly string[];
  /** A subject to try it on; null: it is only loaded. */
  readonly example: FunctionArguments | null;
}

/**
 * Loads a function, compares its parameters with the known names, and calls it on one subject. A
 * trial that fails is a result, not a problem: the example may be at fault.
 * @throws Error if `signal` fires first
 */
export async function checkFunction(
  functions: RunFunctions,
  { source, known, example }: CheckInput,
  signal: AbortSignal,
): Promise<FunctionCheck> {
  const loaded = await functions.load(source, signal);
  if (loaded.state === 'fault') {
    const { cause, message, line } = loaded;
    return { state: 'faulty', problems: [{ cause, message, line }] };
  }
  const unknown = unknownParameters(loaded, new Set(known));
  if (unknown.length > 0)
    return { state: 'faulty', problems: unknown.map(({ name }) => problemOf(name, known)) };
  const [trial = null] = example === null ? [] : await functions.run(source, [example], signal);
  return { state: 'usable', parameters: loaded.parameters, trial };
}

function problemOf(name: string, known: readonly string[]): FunctionProblem {
  const nearest = nearestName(name, known);
  const fix =
    nearest === null
      ? `the known names are ${known.join(', ')}; give it a default, or map a variable of this name`
      : `did you mean "${nearest}"?`;
  return {
    cause: 'parameter',
    message: `evaluate has the unknown parameter "${name}": ${fix}`,
    line: null,
  };
}
