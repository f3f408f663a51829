import { z } from 'zod';

/**
 * The parts of a conversation that count as sources, in addition to tool results: a setting of
 * gateway routes and of rules.
 */

const oneLine = (chars: number) =>
  z
    .string()
    .min(1)
    .max(chars)
    .regex(/^[^\r\n]*\S[^\r\n]*$/, 'must be one line of text');

const roles = z
  .array(z.enum(['system', 'user']))
  .min(1)
  .max(2)
  .default(['system', 'user']);

/** How to find a retrieved block within a message. */
export const SourceBlock = z.discriminatedUnion('by', [
  /** `<context …> … </context>` */
  z.strictObject({
    by: z.literal('tag'),
    tag: z
      .string()
      .regex(
        /^[A-Za-z][A-Za-z0-9_:.-]{0,63}$/,
        'must be the name of a tag: a letter, then letters, digits and _ : . -, at most 64 characters',
      ),
    roles,
  }),
  /** From a Markdown heading with this text to the next heading of the same or a higher level. */
  z.strictObject({ by: z.literal('heading'), heading: oneLine(200), roles }),
  /** The text between two literal texts; up to the end of the message if `end` is null. */
  z.strictObject({
    by: z.literal('delimiters'),
    start: oneLine(200),
    end: oneLine(200).nullable().default(null),
    roles,
  }),
  /** An RE2 pattern: its first group, otherwise the whole match. */
  z.strictObject({ by: z.literal('pattern'), pattern: z.string().min(1).max(300), roles }),
]);
export type SourceBlock = z.infer<typeof SourceBlock>;

export const SourceSettings = z.strictObject({
  blocks: z.array(SourceBlock).max(20).default([]),
  /** Whether `document` and `search_result` blocks of Anthropic's messages API count. */
  documents: z.boolean().default(false),
  /** Whether tool results, blocks and documents of earlier turns in the same request count too. */
  earlier_messages: z.boolean().default(false),
});
export type SourceSettings = z.infer<typeof SourceSettings>;

/** The settings of a route or rule without named parts. */
export const noSourceSettings: SourceSettings = {
  blocks: [],
  documents: false,
  earlier_messages: false,
};
