import { messageOf } from '../client/post';
import type { ContextBlock, Turn } from '../client/turn';
import {
  jsonValue,
  listOf,
  membersOf,
  type Spoken,
  stringOf,
  textOf,
  toolOf,
} from '../wrap/conversation';
import { type ModelAnswer, turnOf } from '../wrap/exchange';
import type { WrappedTurn } from '../wrap/recorder';

/** An outermost run of LangChain with all the runs within it. */
export interface Invocation {
  /** Of its outermost run. */
  readonly id: string;
  readonly hostMembers: WrappedTurn;
  readonly startedAt: Date;
  readonly session: string | null;
  /** The messages of the first call of a model; null if no model was called. */
  conversation: readonly Spoken[] | null;
  /** By run. */
  readonly tools: Map<string, RunTool>;
  readonly context: ContextBlock[];
  /** The text streamed so far by the current call of a model. */
  partial: string;
  /** Of the latest call of a model that ended. */
  answer: ModelAnswer | null;
  model: string | null;
  /** Of all calls. */
  tokens: Turn['tokens'];
}

export interface RunTool {
  id: string;
  readonly name: string;
  readonly arguments: unknown;
  result: unknown;
}

/** The id makes a turn that is reported twice one turn; outcomes can name it. */
export function turnOfInvocation(
  invocation: Invocation,
  outputs: unknown,
  error: unknown,
  endedAt: Date,
): Turn {
  const { id, startedAt, session, model, tokens, answer, context, partial } = invocation;
  const ran = [...invocation.tools.values()];
  // Calls that no run of a tool followed.
  const calls = (answer?.calls ?? []).filter((call) => !ran.some((tool) => tool.id === call.id));
  const failed = error !== null && error !== undefined;
  const text = failed ? partial : outputText(outputs) || (answer?.text ?? '');
  const turn = turnOf({
    request: { model, conversation: invocation.conversation ?? [], session },
    answer: { text, calls, tokens, model, finishReason: answer?.finishReason ?? null },
    startedAt,
    endedAt,
    error: failed ? messageOf(error) : null,
  });
  const tools = [
    ...ran.map((tool) => ({
      ...toolOf(tool),
      ...(tool.result === undefined ? {} : { result: jsonValue(tool.result) }),
    })),
    ...(turn.tools ?? []),
  ];
  return {
    ...turn,
    id,
    ...(tools.length === 0 ? {} : { tools }),
    ...(context.length === 0 ? {} : { context }),
  };
}

/** The text of a chain's output: text itself, a message, or the last of its messages. */
function outputText(outputs: unknown): string {
  if (typeof outputs === 'string') return outputs;
  const { content, messages, output, answer, text } = membersOf(outputs);
  const last = listOf(messages).at(-1);
  return textOf(content) || textOf(last?.content) || firstText(output, answer, text);
}

const firstText = (...values: readonly unknown[]): string =>
  values.map(stringOf).find((text) => text !== '') ?? '';
