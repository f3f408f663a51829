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

/**
 * OpenAI chat completions, which many vendors copy:
 * https://platform.openai.com/docs/api-reference/chat
 */
export const chat: Dialect = {
  path: /\/chat\/completions$/,
  request({ model, messages, metadata, user }) {
    return {
      model: stringOf(model) || null,
      conversation: listOf(messages).map(spokenOf),
      session: stringOf(membersOf(metadata).session_id) || stringOf(user) || null,
    };
  },
  readAnswer({ model, choices, usage }) {
    const [choice = {}] = listOf(choices);
    const { content, refusal, tool_calls: calls } = membersOf(choice.message);
    return {
      text: textOf(content) || stringOf(refusal),
      calls: listOf(calls).map(callOf),
      tokens: tokensOf(usage),
      model: stringOf(model) || null,
      finishReason: stringOf(choice.finish_reason) || null,
    };
  },
  streamed(events) {
    let text = '';
    let last: Partial<ModelAnswer> = {};
    const calls = new Map<unknown, { id: string; name: string; arguments: string }>();
    for (const { model, choices, usage } of events) {
      const choice = listOf(choices).find(({ index }) => (index ?? 0) === 0) ?? {};
      const { content, refusal, tool_calls: parts } = membersOf(choice.delta);
      text += stringOf(content) || stringOf(refusal);
      for (const part of listOf(parts)) {
        const call = calls.get(part.index) ?? { id: '', name: '', arguments: '' };
        const { name, arguments: piece } = membersOf(part.function);
        call.id += stringOf(part.id);
        call.name += stringOf(name);
        call.arguments += stringOf(piece);
        calls.set(part.index, call);
      }
      last = {
        model: stringOf(model) || (last.model ?? null),
        finishReason: stringOf(choice.finish_reason) || (last.finishReason ?? null),
        tokens: tokensOf(usage) ?? last.tokens,
      };
    }
    const { model = null, finishReason = null, tokens } = last;
    return { text, calls: [...calls.values()], tokens, model, finishReason };
  },
};

function spokenOf(message: Readonly<Record<string, unknown>>): Spoken {
  const { role, content, refusal, tool_calls: calls, tool_call_id: id, name } = message;
  if (role === 'tool' || role === 'function')
    return {
      role: 'tool',
      text: '',
      result: { id: stringOf(id), name: stringOf(name) || null, result: textOf(content) },
    };
  return {
    role: role === 'developer' ? 'system' : stringOf(role) || 'user',
    text: textOf(content) || stringOf(refusal),
    calls: listOf(calls).map(callOf),
  };
}

function callOf(call: Readonly<Record<string, unknown>>): SpokenCall {
  const { name, arguments: callArguments, input } = membersOf(call.function ?? call.custom);
  return { id: stringOf(call.id), name: stringOf(name), arguments: callArguments ?? input };
}

function tokensOf(usage: unknown): ModelAnswer['tokens'] {
  const counts = membersOf(usage);
  const input = numberOf(counts.prompt_tokens);
  const output = numberOf(counts.completion_tokens);
  return input === null && output === null
    ? null
    : {
        input,
        output,
        cache_read: numberOf(membersOf(counts.prompt_tokens_details).cached_tokens),
        reasoning: numberOf(membersOf(counts.completion_tokens_details).reasoning_tokens),
      };
}
