import { z } from 'zod';
import { isBlank } from '../../domain';
import { misspeltOptions } from '../../evaluators/checks';

/** Limits of a task, in addition to those of every body (20 MiB, nesting 64). */
const taskLimits = {
  criteria: 100,
  criterionChars: 4_000,
  descriptionChars: 100_000,
  contextChars: 1_000_000,
  weight: 1_000,
} as const;

const weight = z.number().min(0).max(taskLimits.weight).default(1);

const Sentence = z
  .string()
  .trim()
  .max(taskLimits.criterionChars)
  .refine((text) => !isBlank(text), 'must not be empty');

/** A criterion for a judge. */
const TextCriterion = z.strictObject({
  text: Sentence,
  weight,
  must_pass: z.boolean().default(false),
});
export type TextCriterion = z.infer<typeof TextCriterion>;

/**
 * A criterion that is checked without a judge. A check is required unless the caller makes it
 * optional (VS-9).
 */
const CheckCriterion = z
  .strictObject({
    check: z
      .string()
      .trim()
      .max(100)
      .refine((name) => !isBlank(name), 'must not be empty'),
    /** Some checks need no value. */
    value: z.unknown().optional(),
    weight,
    must_pass: z.boolean().default(true),
  })
  .superRefine(({ check, value }, ctx) => {
    for (const { path, message } of misspeltOptions({ check, value }))
      ctx.addIssue({ code: 'custom', path: ['value', ...partsOf(path)], message });
  });
export type CheckCriterion = z.infer<typeof CheckCriterion>;

/** Splits a path as callers write it: `items[0].name`. */
const partsOf = (path: string): (string | number)[] =>
  path
    .split(/[.[\]]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

/** A plain string is an optional criterion for a judge, with weight 1 (VS-2). */
const Criterion = z.union([
  Sentence.transform((text): TextCriterion => ({ text, weight: 1, must_pass: false })),
  CheckCriterion,
  TextCriterion,
]);
export type Criterion = TextCriterion | CheckCriterion;

export const isCheck = (criterion: Criterion): criterion is CheckCriterion => 'check' in criterion;

/** Text, or any other JSON, shown to the judge as text. */
const Context = z
  .union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  .refine(
    (text) => text.length <= taskLimits.contextChars,
    `must have at most ${taskLimits.contextChars} characters`,
  );

/** The members of `POST /v1/verify/task` that only this kind has (VS-1). Parsing is idempotent. */
export const TaskSubject = z
  .object({
    task_description: z.string().max(taskLimits.descriptionChars).default(''),
    success_criteria: z.array(Criterion).max(taskLimits.criteria).default([]),
    task_output: z.string(),
    scoring_mode: z.enum(['rubric', 'binary', 'criteria_match']).default('rubric'),
    has_dependents: z.boolean().default(false),
    shared_context: Context.nullish().transform((text) => text ?? ''),
  })
  .refine(
    ({ success_criteria }) => {
      const texts = success_criteria.filter((each) => !isCheck(each));
      return texts.length === 0 || texts.some((each) => each.weight > 0);
    },
    {
      path: ['success_criteria'],
      message: 'must have a weight above 0 for at least one criterion that a judge answers',
    },
  );
export type TaskSubject = z.infer<typeof TaskSubject>;
