import { listOf, membersOf, numberOf, type Spoken, stringOf, textOf } from './conversation';
import type { Dialect } from './dialect';
import { type ModelAnswer, noAnswer } from './exchange';

/** The Responses API of OpenAI: https://platform.openai.com/docs/api-reference/responses */
export const responses: Dialect = {
  path: /\/responses$/,
  request({ model, instructions, input, metadata, user, safety_identifier: safetyId }) {
    const system = stringOf(instructions);
    return {
      model: stringOf(model) || null,
      conversation: [
        ...(system === '' ? [] : [{ role: 'system', text: system }]),
        ...(typeof input === 'string'
          ? [{ role: 'user', text: input }]
          : listOf(input).flatMap(spokenOf)),
      ],
      session:
        stringOf(membersOf(metadata).session_id) || stringOf(user) || stringOf(safetyId) || null,
    };
  },
  readAnswer: answerOf,
  streamed(events) {
    const last = events.filter(({ response }) => response !== undefined).at(-1);
    const answer = last === undefined ? noAnswer : answerOf(membersOf(last.response));
    if (last?.type === 'response.completed') return answer;
    const done = events
      .filter(({ type }) => type === 'response.output_item.done')
      .map(({ item }) => membersOf(item));
    const text = events
      .filter(({ type }) => type === 'response.output_text.delta')
      .map(({ delta }) => stringOf(delta))
      .join('');
    return { ...answer, text: text || answer.text, calls: answerOf({ output: done }).calls };
  },
};

/** Messages, tool calls and their results. Other items, such as reasoning, are omitted. */
function spokenOf(item: Readonly<Record<string, unknown>>): Spoken[] {
  const { type = 'message', role, content, call_id: id, name, output } = item;
  switch (type) {
    case 'message':
      return [
        {
          role: role === 'developer' ? 'system' : stringOf(role) || 'user',
          text: textOf(content),
        },
      ];
    case 'function_call':
    case 'custom_tool_call':
      return [{ role: 'assistant', text: '', calls: [callOf(item)] }];
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const result = Array.isArray(output) ? textOf(output) : output;
      return [
        {
          role: 'tool',
          text: '',
          result: { id: stringOf(id), name: stringOf(name) || null, result },
        },
      ];
    }
    default:
      return [];
  }
}

const callOf = ({
  call_id: id,
  name,
  arguments: callArguments,
  input,
}: Readonly<Record<string, unknown>>) => ({
  id: stringOf(id),
  name: stringOf(name),
  arguments: callArguments ?? input,
});

function answerOf({
  model,
  output,
  usage,
  status,
}: Readonly<Record<string, unknown>>): ModelAnswer {
  const items = listOf(output);
  const counts = membersOf(usage);
  const inputTokens = numberOf(counts.input_tokens);
  const outputTokens = numberOf(counts.output_tokens);
  return {
    text: items
      .filter(({ type }) => type === 'message')
      .map(({ content }) => textOf(content))
      .join('\n'),
    calls: items
      .filter(({ type }) => type === 'function_call' || type === 'custom_tool_call')
      .map(callOf),
    tokens:
      inputTokens === null && outputTokens === null
        ? null
        : {
            input: inputTokens,
            output: outputTokens,
            cache_read: numberOf(membersOf(counts.input_tokens_details).cached_tokens),
            reasoning: numberOf(membersOf(counts.output_tokens_details).reasoning_tokens),
          },
    model: stringOf(model) || null,
    finishReason: stringOf(status) || null,
  };
}
