import { z } from 'zod';

/** Limits of the output of a custom judge. */
const outputLimits = { choices: 20, labelChars: 100, magnitude: 1e9 } as const;

const bound = z.number().min(-outputLimits.magnitude).max(outputLimits.magnitude);

const Choice = z.strictObject({
  /** Shown to the judge, and repeated by it. */
  label: z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(outputLimits.labelChars)
    .refine((label) => !/\p{C}/u.test(label), 'must have no line breaks or hidden characters'),
  /** 0..1; null if the answer has no value, and the verdict is unscored. */
  value: z.number().min(0).max(1).nullable(),
});

/** The answers that a custom judge may give, and their values (online.md 3). */
export const CustomOutput = z
  .discriminatedUnion('type', [
    /** True is 1, false is 0. */
    z.strictObject({ type: z.literal('boolean') }),
    z.strictObject({
      type: z.literal('choice'),
      choices: z.array(Choice).min(2).max(outputLimits.choices),
    }),
    /** A mark between two bounds; the higher, the better. */
    z.strictObject({
      type: z.literal('scale'),
      min: bound,
      max: bound,
      integers: z.boolean().default(true),
    }),
    /** As a scale, but with decimals and without marks. */
    z.strictObject({ type: z.literal('number'), min: bound, max: bound }),
  ])
  .superRefine((output, ctx) => {
    const refuse = (path: readonly (string | number)[], message: string): void =>
      ctx.addIssue({ code: 'custom', path: [...path], message });
    if (output.type === 'choice') {
      const seen = new Map<string, string>();
      for (const [at, { label }] of output.choices.entries()) {
        const same = seen.get(plainLabel(label));
        if (same !== undefined)
          refuse(
            ['choices', at, 'label'],
            `is the same as the label "${same}": give each choice its own label`,
          );
        seen.set(plainLabel(label), label);
      }
      if (output.choices.every(({ value }) => value === null))
        refuse(['choices'], 'needs a value from 0 to 1 for at least one choice');
    }
    if (output.type === 'scale' || output.type === 'number') {
      if (output.min >= output.max)
        refuse(['max'], `must be above min: ${output.max} is not above ${output.min}`);
      if (output.type === 'scale' && output.integers)
        for (const name of ['min', 'max'] as const)
          if (!Number.isInteger(output[name]))
            refuse([name], 'must be a whole number; set integers to false for decimals');
    }
  });
export type CustomOutput = z.infer<typeof CustomOutput>;

/** Labels that differ only in case or compatibility forms would be confused. */
const plainLabel = (label: string): string => label.normalize('NFKC').toLowerCase();

/** A judge's answer: true or false, a label, or a number. */
export type CustomAnswer = boolean | string | number;

/** The answers that a reply may hold. */
export function answerSchema(output: CustomOutput): z.ZodType<CustomAnswer> {
  switch (output.type) {
    case 'boolean':
      return z.boolean();
    case 'choice':
      return z.enum(output.choices.map(({ label }) => label));
    case 'scale': {
      const mark = z.number().min(output.min).max(output.max);
      return output.integers ? mark.int() : mark;
    }
    case 'number':
      return z.number().min(output.min).max(output.max);
  }
}

/** The value of a valid answer, 0..1 to 4 decimals; null for a choice without a value. */
export function valueOfAnswer(output: CustomOutput, answer: CustomAnswer): number | null {
  switch (output.type) {
    case 'boolean':
      return answer === true ? 1 : 0;
    case 'choice':
      return output.choices.find(({ label }) => label === answer)?.value ?? null;
    case 'scale':
    case 'number':
      return typeof answer === 'number'
        ? Math.round(((answer - output.min) / (output.max - output.min)) * 10_000) / 10_000
        : null;
  }
}

/** Whether the answers are words, so that a majority decides; otherwise their median does. */
export const isByMajority = ({ type }: CustomOutput): boolean =>
  type === 'boolean' || type === 'choice';

/** The answers in words, for the reply format: `<one of "follows", "breaks">`. */
export function answerWords(output: CustomOutput): string {
  switch (output.type) {
    case 'boolean':
      return '<true or false>';
    case 'choice':
      return `<exactly one of ${output.choices.map(({ label }) => JSON.stringify(label)).join(', ')}>`;
    case 'scale':
      return `<a ${output.integers ? 'whole ' : ''}number from ${output.min} to ${output.max}>`;
    case 'number':
      return `<a number from ${output.min} to ${output.max}>`;
  }
}
