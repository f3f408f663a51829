import type { FunctionArguments, LoadedFunction } from './call';

/**
 * The values for the parameters of a function, as the text of one JSON object. A parameter without
 * a value keeps its default.
 * @returns the fault if a parameter has neither
 */
export function chooseArguments(
  { parameters, takesAll }: LoadedFunction,
  { valueOf, names }: FunctionArguments,
): { readonly json: string } | { readonly missing: string } {
  const chosen = new Map<string, unknown>();
  for (const { name, required } of parameters) {
    const value = valueOf(name);
    if (value !== undefined) chosen.set(name, value);
    else if (required)
      return {
        missing: `evaluate has the parameter "${name}", for which the subject has no value; give it a default, or map a variable of this name`,
      };
  }
  if (takesAll) {
    for (const name of names) {
      const value = chosen.has(name) ? undefined : valueOf(name);
      if (value !== undefined) chosen.set(name, value);
    }
  }
  return { json: JSON.stringify(Object.fromEntries(chosen)) };
}
