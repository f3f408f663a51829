import { z } from 'zod';
import { ProjectRef } from '../../access/input';

/** Limits of experiments; `rows` are items × repetitions. */
export const experimentLimits = {
  rows: 100_000,
  repetitions: 100,
  concurrency: 64,
  verifiers: 20,
  messages: 50,
  headers: 20,
  outputsPerRequest: 1_000,
  timeoutMs: 600_000,
} as const;

const Slug = z
  .string()
  .regex(/^[a-z0-9-]{1,100}$/, 'must have 1 to 100 lower-case letters, digits and hyphens');
/** A slug, or `slug@version`. */
const Versioned = z
  .string()
  .regex(
    /^[a-z0-9-]{1,100}(?:@[1-9]\d{0,8})?$/,
    'must be a slug, or a slug and a version, such as refunds@3',
  );
/** A prompt of an application: a slug, or `slug@version` or `slug@label`. */
const PromptName = z
  .string()
  .regex(
    /^[a-z0-9-]{1,100}(?:@(?:[1-9]\d{0,6}|[a-z][a-z0-9-]{0,39}))?$/,
    'must be a slug, or a slug with a version or a label, such as refund-answer@7 or refund-answer@production',
  );
const Name = z.string().trim().min(1).max(200);
const Query = z.string().min(1).max(500);

const PromptTarget = z.strictObject({
  type: z.literal('prompt'),
  /** `provider:model`, with parameters as in `?temperature=0.3`. */
  model: z.string().trim().min(1).max(300),
  /** The version in production, unless the name has another version or label. */
  prompt: PromptName.optional(),
  /** Placeholders: `{{input}}`, `{{context}}`, `{{tools}}` and the names of the metadata. */
  messages: z
    .array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .min(1)
    .max(experimentLimits.messages)
    .optional(),
  max_output_tokens: z.number().int().min(1).max(1_000_000).default(4096),
});

const HttpTarget = z.strictObject({
  type: z.literal('http'),
  url: z.url().max(2000),
  headers: z
    .record(z.string().min(1).max(200), z.string().max(10_000))
    .refine((headers) => Object.keys(headers).length <= experimentLimits.headers, {
      message: `must have at most ${experimentLimits.headers} headers`,
    })
    .default({}),
  /** JSON in which texts may have the placeholders of `messages`. */
  body: z.unknown(),
  /** JSONPath of the answer, and of the tools it used, in the reply. */
  output: Query.default('$'),
  tools: Query.optional(),
  timeout_ms: z.number().int().min(100).max(experimentLimits.timeoutMs).default(60_000),
});

const OutputsTarget = z.strictObject({ type: z.literal('outputs') });

export const ExperimentTarget = z
  .discriminatedUnion('type', [PromptTarget, HttpTarget, OutputsTarget])
  .superRefine((target, ctx) => {
    if (
      target.type !== 'prompt' ||
      (target.prompt === undefined) !== (target.messages === undefined)
    )
      return;
    ctx.addIssue({
      code: 'custom',
      path: ['prompt'],
      message: 'set either `prompt` or `messages`, and not both',
    });
  });
export type ExperimentTarget = z.infer<typeof ExperimentTarget>;

export const StartExperimentBody = z.object({
  name: Name,
  dataset: Versioned,
  split: z.string().min(1).max(100).nullish(),
  repetitions: z.number().int().min(1).max(experimentLimits.repetitions).default(1),
  target: ExperimentTarget,
  verifiers: z.array(Slug).min(1).max(experimentLimits.verifiers),
  concurrency: z.number().int().min(1).max(experimentLimits.concurrency).default(8),
  budget_usd: z.number().min(0).max(1_000_000).nullish(),
  branch: z.string().min(1).max(200).nullish(),
  commit: z.string().min(1).max(200).nullish(),
  /** The id of the experiment that this one is compared with by default. */
  baseline: z.string().min(1).max(100).nullish(),
});
export type StartExperimentBody = z.infer<typeof StartExperimentBody>;

export const ResumeExperimentBody = z.object({
  /** Call the target again for rows that failed or were lost. */
  retry_failed: z.boolean().default(false),
  budget_usd: z.number().min(0).max(1_000_000).nullish(),
});
export type ResumeExperimentBody = z.infer<typeof ResumeExperimentBody>;

/** An output of the caller's own program; `output` may be any JSON. */
export const SentOutput = z
  .object({
    item_id: z.string().min(1).max(200),
    repetition: z.number().int().min(1).max(experimentLimits.repetitions).default(1),
    output: z.unknown().optional(),
    tools: z.array(z.unknown()).nullish(),
    cost_usd: z.number().min(0).nullish(),
    latency_ms: z.number().min(0).nullish(),
    error: z.string().min(1).max(2000).nullish(),
  })
  .refine(({ output, error }) => (output === undefined) !== (error == null), {
    path: ['output'],
    message: 'set either `output` or `error`',
  });
export type SentOutput = z.infer<typeof SentOutput>;

/** Items are read one by one: a bad one does not affect the others. */
export const OutputsBody = z.object({
  outputs: z.array(z.unknown()).min(1).max(experimentLimits.outputsPerRequest),
});

export const StartExperimentIn = ProjectRef.extend(StartExperimentBody.shape);
export const ResumeExperimentIn = ProjectRef.extend({
  id: z.string().min(1).max(100),
  ...ResumeExperimentBody.shape,
});
