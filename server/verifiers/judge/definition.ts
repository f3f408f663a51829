import { z } from 'zod';
import { isBlank, judgePlaceholders, listPlaceholders, subjectMembers } from '../../domain';
import { CustomOutput } from '../../evaluators/judges';
import { nearestName } from '../../platform';
import { customMembers } from '../custom';

/** Limits of a judge's definition, in addition to those of every body. */
export const judgeLimits = {
  promptBytes: 48 * 1024,
  fallbacks: 5,
  /** Members in addition to `model`. */
  jury: 4,
  votes: 9,
  criteria: 20,
  criterionChars: 4_000,
  nameChars: 100,
  weight: 1_000,
  examples: 12,
} as const;

/** A model spec such as `provider:model?temperature=0.3`. */
const Model = z
  .string()
  .regex(
    /^[A-Za-z0-9@][\w.:@+/-]{0,199}(?:\?[\w.=&-]{1,200})?$/,
    'must be a model written as provider:model, with parameters after a question mark',
  );

const modelList = (max: number) =>
  z
    .array(Model)
    .max(max)
    .refine((models) => new Set(models).size === models.length, 'must name each model once')
    .default([]);

const words = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .refine((text) => !isBlank(text), 'must not be empty');

const JudgeCriterion = z.strictObject({
  name: words(judgeLimits.nameChars),
  text: words(judgeLimits.criterionChars),
  weight: z.number().min(0).max(judgeLimits.weight).default(1),
  must_pass: z.boolean().default(false),
});

const Criteria = z
  .array(JudgeCriterion)
  .max(judgeLimits.criteria)
  .superRefine((criteria, ctx) => {
    const seen = new Set<string>();
    for (const [at, { name }] of criteria.entries()) {
      if (seen.has(name))
        ctx.addIssue({
          code: 'custom',
          path: [at, 'name'],
          message: `is the name of an earlier criterion: "${name}"; give each its own name`,
        });
      seen.add(name);
    }
    if (criteria.length > 0 && criteria.every(({ weight }) => weight === 0))
      ctx.addIssue({
        code: 'custom',
        path: [],
        message: 'must have a weight above 0 for at least one criterion',
      });
  })
  .default([]);

const judgeMembers = {
  /** Null means the project's default judge. */
  model: Model.nullable().default(null),
  /** Called in this order if the model cannot be called. */
  fallbacks: modelList(judgeLimits.fallbacks),
  /** Models that judge together with `model`: the median, or the majority of words. */
  jury: modelList(judgeLimits.jury),
  /** The number of calls of each model. */
  votes: z.number().int().min(1).max(judgeLimits.votes).default(1),
  /** Each is answered with the output; empty if the prompt has one question. */
  criteria: Criteria,
  /** Number of labelled examples shown to the judge, never of the held-out part. */
  examples: z.number().int().min(0).max(judgeLimits.examples).default(0),
  output: CustomOutput,
};

/** @throws nothing: adds issues for members that contradict each other */
function checkModels(
  judge: { readonly fallbacks: readonly string[]; readonly jury: readonly string[] },
  ctx: z.RefinementCtx,
): void {
  if (judge.fallbacks.length > 0 && judge.jury.length > 0)
    ctx.addIssue({
      code: 'custom',
      path: ['judge', 'fallbacks'],
      message: 'must be empty with a jury, whose other members judge if one cannot be called',
    });
}

/**
 * The definition as sent (online.md 3), with the prompt as Markdown. Refuses an unusable prompt:
 * one with unknown placeholders, or with none of the subject.
 */
export const JudgeDefinition = z
  .strictObject({
    ...customMembers,
    judge: z.strictObject({
      ...judgeMembers,
      prompt: z
        .string()
        .refine((text) => !isBlank(text), 'must not be empty')
        .refine(
          (text) => Buffer.byteLength(text) <= judgeLimits.promptBytes,
          `must have at most ${judgeLimits.promptBytes} bytes`,
        ),
    }),
  })
  .superRefine((definition, ctx) => {
    checkModels(definition.judge, ctx);
    for (const name of judgePlaceholders)
      if (Object.hasOwn(definition.mapping, name))
        ctx.addIssue({
          code: 'custom',
          path: ['mapping', name],
          message: `is filled in by the judge itself; rename the variable`,
        });
    for (const message of promptFaults(definition))
      ctx.addIssue({ code: 'custom', path: ['judge', 'prompt'], message });
  });
export type JudgeDefinition = z.infer<typeof JudgeDefinition>;

/** The config as stored: the prompt is a prompt of the project, named by its slug. */
export const JudgeConfig = z
  .strictObject({
    ...customMembers,
    judge: z.strictObject({
      ...judgeMembers,
      prompt: z
        .string()
        .max(100)
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be the slug of a prompt'),
    }),
  })
  .superRefine(({ judge }, ctx) => checkModels(judge, ctx));
export type JudgeConfig = z.infer<typeof JudgeConfig>;

type Scope = Pick<JudgeDefinition, 'targets' | 'mapping'>;

/** Names that a prompt can write in braces; a mapping may have others, for functions. */
const placeholderName = /^[a-z][a-z0-9_]{0,39}$/;
const likePlaceholder = /\{\{([^{}\n]{0,200})\}\}/g;
const faultsMax = 20;

/** The placeholders that show something of the subject: mapped variables and its members. */
export function subjectPlaceholders({ targets, mapping }: Scope): readonly string[] {
  const members = targets.flatMap((target) => subjectMembers[target]);
  const mapped = Object.keys(mapping).filter((name) => placeholderName.test(name));
  return [...new Set([...mapped, ...members, 'subject'])];
}

/** The placeholders of the subject that a prompt uses, in its order. */
export function usedPlaceholders(text: string): readonly string[] {
  return listPlaceholders(text).filter(
    (name) => !(judgePlaceholders as readonly string[]).includes(name),
  );
}

/** Faults of a prompt in words for its author; empty if the prompt is usable. */
export function promptFaults({
  judge,
  ...scope
}: Scope & { readonly judge: { readonly prompt: string } }): readonly string[] {
  const ofSubject = new Set(subjectPlaceholders(scope));
  const known = new Set([...ofSubject, ...judgePlaceholders]);
  const faults = new Set<string>();
  let shows = false;
  for (const [whole, name = ''] of judge.prompt.matchAll(likePlaceholder)) {
    if (ofSubject.has(name)) shows = true;
    if (!known.has(name)) faults.add(unknownPlaceholder(whole, name.trim(), known, scope));
    if (faults.size >= faultsMax) break;
  }
  if (faults.size > 0 || shows) return [...faults];
  return [
    'shows nothing of the subject to the judge: add a placeholder such as {{output}} or {{input}}',
  ];
}

function unknownPlaceholder(
  whole: string,
  name: string,
  known: ReadonlySet<string>,
  { mapping }: Scope,
): string {
  if (known.has(name)) return `has ${whole}: write the placeholder without spaces, as {{${name}}}`;
  if (Object.hasOwn(mapping, name))
    return `has ${whole}: a placeholder has lower-case letters, digits and underscores, at most 40; rename the variable in the mapping`;
  const near = nearestName(name, known);
  return near === null
    ? `has ${whole}, which is neither a variable of the mapping nor a member of the subject: add it to the mapping`
    : `has ${whole}, which is not known; did you mean {{${near}}}?`;
}
