import type { Turn } from '../client/turn';
import {
  listOf,
  membersOf,
  numberOf,
  type Spoken,
  type SpokenCall,
  stringOf,
  textOf,
} from '../wrap/conversation';
import { type ModelAnswer, noAnswer } from '../wrap/exchange';

/** Messages and results of models in LangChain (`BaseMessage`, `LLMResult`). */

type Members = Readonly<Record<string, unknown>>;

const roles: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' };

export const conversationOf = (messages: unknown): Spoken[] => listOf(messages).map(spokenOf);

function spokenOf(message: Members): Spoken {
  const { content, tool_call_id: id, name, role } = message;
  const type = typeOf(message);
  if (type === 'tool' || type === 'function') {
    const result = Array.isArray(content) ? textOf(content) : content;
    return {
      role: 'tool',
      text: '',
      result: { id: stringOf(id), name: stringOf(name) || null, result },
    };
  }
  return {
    role: roles[type] ?? (stringOf(role) || type),
    text: textOf(content),
    calls: callsOf(message),
  };
}

function typeOf(message: Members): string {
  const { type, getType, _getType: older } = message;
  if (typeof type === 'string') return type;
  for (const read of [getType, older])
    if (typeof read === 'function') return stringOf((read as () => unknown).call(message));
  return 'human';
}

const callsOf = ({ tool_calls: calls }: Members): SpokenCall[] =>
  listOf(calls).map(({ id, name, args }) => ({
    id: stringOf(id),
    name: stringOf(name),
    arguments: args,
  }));

/** The first generation of a result. */
export function answerIn(output: unknown): ModelAnswer {
  const { generations, llmOutput } = membersOf(output);
  const [first] = Array.isArray(generations) ? (generations as unknown[]) : [];
  const [generation] = listOf(first);
  if (generation === undefined) return noAnswer;
  const message = membersOf(generation.message);
  const metadata = membersOf(message.response_metadata);
  const info = membersOf(generation.generationInfo);
  const { model_name: name, model, finish_reason: finish, stop_reason: stop } = metadata;
  return {
    text: textOf(message.content) || stringOf(generation.text),
    calls: callsOf(message),
    tokens: tokensOf(membersOf(message.usage_metadata), membersOf(membersOf(llmOutput).tokenUsage)),
    model: stringOf(name) || stringOf(model) || null,
    finishReason: stringOf(finish) || stringOf(stop) || stringOf(info.finish_reason) || null,
  };
}

/** @param usage of the message; @param older of the whole result */
function tokensOf(usage: Members, older: Members): ModelAnswer['tokens'] {
  const input = numberOf(usage.input_tokens) ?? numberOf(older.promptTokens);
  const output = numberOf(usage.output_tokens) ?? numberOf(older.completionTokens);
  if (input === null && output === null) return null;
  const inputParts = membersOf(usage.input_token_details);
  return {
    input,
    output,
    cache_read: numberOf(inputParts.cache_read),
    cache_write: numberOf(inputParts.cache_creation),
    reasoning: numberOf(membersOf(usage.output_token_details).reasoning),
  };
}

/** The tokens of several calls; null if none of them reported any. */
export function sumTokens(sum: Turn['tokens'], more: Turn['tokens']): Turn['tokens'] {
  if (sum === null || sum === undefined) return more;
  if (more === null || more === undefined) return sum;
  const names = ['input', 'output', 'cache_read', 'cache_write', 'reasoning'] as const;
  return Object.fromEntries(
    names.map((name) => {
      const [a, b] = [sum[name] ?? null, more[name] ?? null];
      return [name, a === null && b === null ? null : (a ?? 0) + (b ?? 0)];
    }),
  );
}
