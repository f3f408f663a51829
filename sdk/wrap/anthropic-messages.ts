import {
  listOf,
  membersOf,
  numberOf,
  type Spoken,
  type SpokenCall,
  stringOf,
  textOf,
} from './conversation';
import type { Dialect } from './dialect';
import type { ModelAnswer } from './exchange';

/** Anthropic messages: https://docs.anthropic.com/en/api/messages */
export const anthropicMessages: Dialect = {
  path: /\/messages$/,
  request({ model, system, messages, metadata }) {
    const first = textOf(system);
    return {
      model: stringOf(model) || null,
      conversation: [
        ...(first === '' ? [] : [{ role: 'system', text: first }]),
        ...listOf(messages).flatMap(spokenOf),
      ],
      session: stringOf(membersOf(metadata).user_id) || null,
    };
  },
  readAnswer: answerOf,
  streamed(events) {
    const blocks: Record<string, unknown>[] = [];
    let message: Readonly<Record<string, unknown>> = {};
    for (const event of events) {
      const delta = membersOf(event.delta);
      const block = blocks.at(-1) ?? {};
      if (event.type === 'message_start') message = membersOf(event.message);
      else if (event.type === 'content_block_start')
        blocks.push({ ...membersOf(event.content_block), json: '' });
      else if (event.type === 'content_block_delta') {
        if (delta.type === 'text_delta') block.text = stringOf(block.text) + stringOf(delta.text);
        else if (delta.type === 'input_json_delta')
          block.json = stringOf(block.json) + stringOf(delta.partial_json);
      } else if (event.type === 'message_delta')
        message = {
          ...message,
          ...delta,
          usage: { ...membersOf(message.usage), ...membersOf(event.usage) },
        };
    }
    const content = blocks.map((block) =>
      block.json === '' ? block : { ...block, input: block.json },
    );
    return answerOf({ ...message, content });
  },
};

/** Results of tools are blocks of a message of the user, whose other text is not a new question. */
function spokenOf({ role, content }: Readonly<Record<string, unknown>>): Spoken[] {
  const blocks = listOf(content);
  const results = blocks.filter(({ type }) => stringOf(type).endsWith('tool_result'));
  const text = Array.isArray(content) ? textWithoutTools(blocks) : stringOf(content);
  const answered = results.map(
    ({ tool_use_id: id, content: result }): Spoken => ({
      role: 'tool',
      text: '',
      result: { id: stringOf(id), name: null, result: plainResult(result) },
    }),
  );
  if (role === 'assistant') return [{ role, text, calls: blocks.flatMap(callOf) }, ...answered];
  if (results.length === 0) return [{ role: 'user', text }];
  return text === '' ? answered : [...answered, { role: 'tool', text }];
}

const textWithoutTools = (blocks: readonly Readonly<Record<string, unknown>>[]): string =>
  textOf(blocks.filter(({ type }) => !/tool_(use|result)$/.test(stringOf(type))));

/** Blocks of text are their text; anything else stays JSON. */
const plainResult = (result: unknown): unknown =>
  Array.isArray(result) && listOf(result).every(({ type }) => type === 'text')
    ? textOf(result)
    : result;

function callOf({
  type,
  id,
  name,
  input,
}: Readonly<Record<string, unknown>>): readonly SpokenCall[] {
  return stringOf(type).endsWith('tool_use')
    ? [{ id: stringOf(id), name: stringOf(name), arguments: input }]
    : [];
}

function answerOf({
  content,
  model,
  stop_reason: reason,
  usage,
}: Readonly<Record<string, unknown>>): ModelAnswer {
  const blocks = listOf(content);
  return {
    text: textWithoutTools(blocks),
    calls: blocks.flatMap(callOf),
    tokens: tokensOf(membersOf(usage)),
    model: stringOf(model) || null,
    finishReason: stringOf(reason) || null,
  };
}

/** Anthropic counts the tokens of caches separately from its input. */
function tokensOf(usage: Readonly<Record<string, unknown>>): ModelAnswer['tokens'] {
  const input = numberOf(usage.input_tokens);
  const output = numberOf(usage.output_tokens);
  if (input === null && output === null) return null;
  const read = numberOf(usage.cache_read_input_tokens);
  const write = numberOf(usage.cache_creation_input_tokens);
  return {
    input: (input ?? 0) + (read ?? 0) + (write ?? 0),
    output,
    cache_read: read,
    cache_write: write,
  };
}
