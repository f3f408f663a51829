import { z } from 'zod';
import type { TurnMessage } from '../../evaluators/steering';

/**
 * A message in the format of OpenAI or Anthropic, as text: content that is a string or parts, tool
 * calls and their results (QV-22). Parsing is idempotent.
 */
export const MessageAsText = z
  .object({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function'], {
      error: 'must be `system`, `developer`, `user`, `assistant`, `tool` or `function`',
    }),
    content: z.unknown().optional(),
    tool_calls: z.array(z.unknown()).nullish(),
    function_call: z.unknown().optional(),
  })
  .transform(({ role, content, tool_calls, function_call }): TurnMessage => {
    const calls = [...(tool_calls ?? []), ...(function_call == null ? [] : [function_call])].map(
      callText,
    );
    return {
      role: roles[role],
      content: [contentText(content), ...calls].filter((text) => text !== '').join('\n\n'),
    };
  });

const roles = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
} as const;

function contentText(content: unknown): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts
    .map(partText)
    .filter((text) => text !== '')
    .join('\n\n');
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  const { type, text, name, input, content } = (
    typeof part === 'object' && part !== null ? part : {}
  ) as Readonly<Record<string, unknown>>;
  if (typeof text === 'string') return text;
  switch (type) {
    case 'tool_use':
      return callWords(name, input);
    case 'tool_result':
      return `[result of a tool]\n${contentText(content)}`;
    case 'thinking':
    case 'redacted_thinking':
      return '';
    default:
      return typeof type === 'string' ? `[${type.slice(0, 50)}]` : jsonOf(part);
  }
}

/** `{"function":{"name","arguments"}}`, or only its inner object. */
function callText(call: unknown): string {
  const fields = (typeof call === 'object' && call !== null ? call : {}) as Readonly<
    Record<string, unknown>
  >;
  const called = (
    typeof fields.function === 'object' && fields.function !== null ? fields.function : fields
  ) as Readonly<Record<string, unknown>>;
  return callWords(called.name, called.arguments ?? called.input);
}

function callWords(name: unknown, input: unknown): string {
  return `[call of the tool ${typeof name === 'string' ? name : 'without a name'}]\n${typeof input === 'string' ? input : jsonOf(input)}`;
}

function jsonOf(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}
