import type { z } from 'zod';
import type { Evidence } from '../../domain';

/** What one check found in a text. `value` is 1 or 0, or the share of a list that is there. */
export interface Finding {
  readonly value: number;
  readonly met: boolean;
  /** For a reader: what was looked for and what is there. */
  readonly reasoning: string;
  readonly evidence: readonly Evidence[];
}

/**
 * A deterministic check with its parameter still to be given. Work is linear in the text, whatever
 * the parameter (VS-13).
 */
export interface Check {
  readonly name: string;
  /** What the parameter may be. */
  readonly value: z.ZodType;
  /** Reads the parameter once, for any number of texts. */
  prepare(value: unknown): PreparedCheck;
}

export interface PreparedCheck {
  /** What is demanded, for people, or that the parameter is none. */
  readonly title: string;
  /**
   * @throws Error with a reason for people when the parameter is none, or the text too much for it
   */
  readonly run: (text: string) => Finding;
}

interface CheckDefinition<Value> {
  readonly name: string;
  readonly value: z.ZodType<Value>;
  /** What the parameter must be: "a pattern". */
  readonly expects: string;
  describe(value: Value): string;
  /**
   * Called once for any number of texts. What is wrong with the parameter is thrown by the function
   * that it returns.
   */
  prepare(value: Value): (text: string) => Finding;
}

/** A check as the registry holds it. */
export function defineCheck<Value>(definition: CheckDefinition<Value>): Check {
  const { name, expects } = definition;
  return {
    name,
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
): Finding {
  return { value: met ? 1 : 0, met, reasoning, evidence };
}

/** A part of a caller's text inside a message: in quotes, short, on one line. */
export function quoted(text: string): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return JSON.stringify(short.toWellFormed());
}

/** `"a", "b" and 3 more`. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 5).map(quoted).join(', ');
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}
