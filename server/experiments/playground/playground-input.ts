import { z } from 'zod';
import { ProjectRef } from '../../access/input';
import { ChatMessage } from '../runs/run-input';

/** Limits of the playground; texts in characters. */
export const playgroundLimits = {
  models: 4,
  messages: 50,
  text: 200_000,
  outputTokens: 100_000,
  verifiers: 20,
} as const;

const Text = z.string().max(playgroundLimits.text);

/** JSON text of `{input, context, tools, reference, metadata}`, as datasets store it. */
const ItemText = Text.transform((text, ctx) => {
  try {
    z.record(z.string(), z.unknown()).parse(JSON.parse(text));
    return text;
  } catch {
    ctx.addIssue({ code: 'custom', message: 'must be the text of a JSON object' });
    return z.NEVER;
  }
});

/** One model's answer to the messages, with the item's values in place of their placeholders. */
export const AnswerIn = ProjectRef.extend({
  /** `provider:model`, with parameters as in `?temperature=0.3`. */
  model: z.string().trim().min(1).max(300),
  messages: z
    .array(ChatMessage.extend({ content: Text }))
    .min(1)
    .max(playgroundLimits.messages),
  item: ItemText,
  maxOutputTokens: z.number().int().min(1).max(playgroundLimits.outputTokens).default(4096),
});
export type AnswerIn = z.infer<typeof AnswerIn>;

/** An output to be verified like one of an experiment. */
export const VerifyOutputIn = ProjectRef.extend({
  item: ItemText,
  output: Text,
  /** `provider/model` that made it. */
  model: z.string().min(1).max(300),
  costUsd: z.number().min(0).nullable(),
  verifiers: z
    .array(z.string().min(1).max(100))
    .min(1, 'choose at least one verifier')
    .max(playgroundLimits.verifiers),
});
export type VerifyOutputIn = z.infer<typeof VerifyOutputIn>;
