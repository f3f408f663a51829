import { z } from 'zod';
import {
  ContentText,
  type ContentView,
  noContent,
  plainOutput,
  type SubjectCriterion,
} from '../content-view';

const Criterion = z.union([
  z
    .string()
    .transform((text): SubjectCriterion => ({ text, check: null, weight: 1, mustPass: false })),
  z
    .object({
      check: z.string(),
      value: z.unknown(),
      weight: z.number().catch(1),
      must_pass: z.boolean().catch(true),
    })
    .transform(
      ({ check, value, weight, must_pass }): SubjectCriterion => ({
        text: value == null ? '' : typeof value === 'string' ? value : JSON.stringify(value),
        check,
        weight,
        mustPass: must_pass,
      }),
    ),
  z
    .object({ text: z.string(), weight: z.number().catch(1), must_pass: z.boolean().catch(false) })
    .transform(
      ({ text, weight, must_pass }): SubjectCriterion => ({
        text,
        check: null,
        weight,
        mustPass: must_pass,
      }),
    ),
]);

const Task = z.object({
  task_description: ContentText,
  success_criteria: z.array(Criterion).catch([]),
  task_output: z.string(),
  shared_context: ContentText,
  scoring_mode: z.string().nullish(),
});

/** Null for content that cannot be read. */
export function showTask(subject: unknown): ContentView | null {
  const { data } = Task.safeParse(subject);
  return data === undefined
    ? null
    : {
        ...noContent,
        description: data.task_description,
        criteria: data.success_criteria,
        context: data.shared_context,
        isQuoted: true,
        scoringMode: data.scoring_mode ?? null,
        outputs: [{ ...plainOutput, title: 'Output', name: 'output', text: data.task_output }],
      };
}
