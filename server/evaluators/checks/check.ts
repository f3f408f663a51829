import type { z } from 'zod';
import type { Evidence } from '../../domain';

/** The result of one check on a text. `value` is 1 or 0, or the found share of a list. */
export interface CheckFinding {
  readonly value: number;
  readonly met: boolean;
  /** For a reader: the requirement and the finding. */
  readonly reasoning: string;
  readonly evidence: readonly Evidence[];
}

/**
 * A deterministic check without its parameter. Its cost is linear in the text for any parameter
 * (VS-13).
 */
export interface Check {
  readonly name: string;
  /** The schema of the parameter. */
  readonly value: z.ZodType;
  /** Description of the expected parameter: "a pattern". */
  readonly expects: string;
  /** Reads the parameter once, for any number of texts. */
  prepare(value: unknown): PreparedCheck;
}

export interface PreparedCheck {
  /** The requirement, for people to read, or a note that the parameter is invalid. */
  readonly title: string;
  /**
   * @throws Error with a readable reason when the parameter is invalid or the text too large for it
   */
  readonly run: (text: string) => CheckFinding;
}

interface CheckDefinition<Value> {
  readonly name: string;
  readonly value: z.ZodType<Value>;
  /** Description of the expected parameter: "a pattern". */
  readonly expects: string;
  describe(value: Value): string;
  /**
   * Called once for any number of texts. Errors of the parameter are thrown by the function it
   * returns.
   */
  prepare(value: Value): (text: string) => CheckFinding;
}

/** Converts a definition to the form of the registry. */
export function defineCheck<Value>(definition: CheckDefinition<Value>): Check {
  const { name, expects } = definition;
  return {
    name,
    expects,
    value: definition.value,
    prepare(value) {
      const parsed = definition.value.safeParse(value);
      if (parsed.success)
        return { title: definition.describe(parsed.data), run: definition.prepare(parsed.data) };
      return {
        title: `${name} (its value cannot be read)`,
        run: () => {
          throw new Error(
            value === undefined
              ? `\`value\` is required for the check \`${name}\` and must be ${expects}`
              : `\`value\` of the check \`${name}\` must be ${expects}`,
          );
        },
      };
    },
  };
}

/** A finding of yes or no. */
export function found(
  met: boolean,
  reasoning: string,
  evidence: readonly Evidence[] = [],
): CheckFinding {
  return { value: met ? 1 : 0, met, reasoning, evidence };
}

/** Part of a caller's text inside a message: quoted, short, on one line. */
export function quoted(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short.toWellFormed());
}

/** `"a", "b" and 3 more`. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).map(quoted).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
