import { messageOf } from '../client/post';
import {
  listOf,
  membersOf,
  numberOf,
  type Spoken,
  type SpokenCall,
  stringOf,
} from './conversation';
import { type Exchange, type ModelAnswer, type ModelRequest, noAnswer, turnOf } from './exchange';
import type { Recorder } from './recorder';
import { tapStream } from './tap-stream';

/** Language models of the AI SDK (specifications v2 and v3): https://ai-sdk.dev/providers */

type Json = Readonly<Record<string, unknown>>;

/** The part of a model that is read here. */
export interface SdkModel {
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

export function isSdkModel(value: object): value is SdkModel {
  const { modelId, doGenerate, doStream } = value as Json;
  return (
    typeof modelId === 'string' &&
    typeof doGenerate === 'function' &&
    typeof doStream === 'function'
  );
}

/** The same model, whose calls are recorded. */
export function wrapSdkModel<Model extends SdkModel>(model: Model, recorder: Recorder): Model {
  const calls = {
    doGenerate: (options: never) => generate(model, options, recorder),
    doStream: (options: never) => stream(model, options, recorder),
  };
  return new Proxy(model, {
    get(target, name) {
      if (name === 'doGenerate' || name === 'doStream') return calls[name];
      const value: unknown = Reflect.get(target, name, target);
      // Methods may need private members, which a proxy does not have.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

type RecordEnd = (end: Pick<Exchange, 'answer' | 'error'>) => void;

function begin(model: SdkModel, options: unknown, recorder: Recorder): RecordEnd {
  const startedAt = new Date();
  const hostMembers = recorder.begin();
  return (end) => {
    const endedAt = new Date();
    recorder.record(hostMembers, () =>
      turnOf({ request: requestOf(model, membersOf(options)), startedAt, endedAt, ...end }),
    );
  };
}

async function generate(model: SdkModel, options: never, recorder: Recorder): Promise<unknown> {
  const record = begin(model, options, recorder);
  try {
    const result = await model.doGenerate(options);
    record({ answer: answerOf(membersOf(result)), error: null });
    return result;
  } catch (error) {
    record({ answer: noAnswer, error: messageOf(error) });
    throw error;
  }
}

async function stream(model: SdkModel, options: never, recorder: Recorder): Promise<unknown> {
  const record = begin(model, options, recorder);
  let result: unknown;
  try {
    result = await model.doStream(options);
  } catch (error) {
    record({ answer: noAnswer, error: messageOf(error) });
    throw error;
  }
  const { stream: source } = membersOf(result);
  if (!(source instanceof ReadableStream)) return result;
  const parts: Json[] = [];
  const { abortSignal } = membersOf(options);
  const tapped = tapStream<unknown>(
    source,
    {
      item: (part) => parts.push(membersOf(part)),
      end: (failure) => {
        const failed = parts.find(({ type }) => type === 'error');
        const reported = failed === undefined ? null : messageOf(failed.error);
        record({ answer: answerOfParts(parts), error: failure ?? reported });
      },
    },
    abortSignal instanceof AbortSignal ? abortSignal : null,
  );
  return { ...membersOf(result), stream: tapped };
}

function requestOf({ modelId }: SdkModel, { prompt }: Json): ModelRequest {
  return { model: modelId, conversation: listOf(prompt).flatMap(spokenOf), session: null };
}

function spokenOf({ role, content }: Json): Spoken[] {
  if (typeof content === 'string') return [{ role: stringOf(role), text: content }];
  const parts = listOf(content);
  const results = parts
    .filter(({ type }) => type === 'tool-result')
    .map(
      ({ toolCallId, toolName, output, result }): Spoken => ({
        role: 'tool',
        text: '',
        result: {
          id: stringOf(toolCallId),
          name: stringOf(toolName) || null,
          // `{type: 'json' | 'text' | …, value}` in prompts.
          result: membersOf(output).value ?? output ?? result,
        },
      }),
    );
  if (role === 'tool') return results;
  return [{ role: stringOf(role), text: textIn(parts), calls: callsIn(parts) }, ...results];
}

const textIn = (parts: readonly Json[]): string =>
  parts
    .flatMap(({ type, text }) =>
      type === 'text' ? [stringOf(text)] : type === 'file' ? ['[file]'] : [],
    )
    .join('\n');

const callsIn = (parts: readonly Json[]): SpokenCall[] =>
  parts
    .filter(({ type }) => type === 'tool-call')
    .map(({ toolCallId, toolName, input }) => ({
      id: stringOf(toolCallId),
      name: stringOf(toolName),
      arguments: input,
    }));

function answerOf({ content, usage, finishReason, response }: Json): ModelAnswer {
  const parts = listOf(content);
  return {
    text: parts.flatMap(({ type, text }) => (type === 'text' ? [stringOf(text)] : [])).join(''),
    calls: callsIn(parts),
    tokens: tokensOf(membersOf(usage)),
    model: stringOf(membersOf(response).modelId) || null,
    finishReason: reasonOf(finishReason),
  };
}

function answerOfParts(parts: readonly Json[]): ModelAnswer {
  const finish = parts.filter(({ type }) => type === 'finish').at(-1) ?? {};
  const metadata = parts.filter(({ type }) => type === 'response-metadata').at(-1) ?? {};
  return {
    text: parts
      .flatMap(({ type, delta }) => (type === 'text-delta' ? [stringOf(delta)] : []))
      .join(''),
    calls: callsIn(parts),
    tokens: tokensOf(membersOf(finish.usage)),
    model: stringOf(metadata.modelId) || null,
    finishReason: reasonOf(finish.finishReason),
  };
}

/** v2: a word; v3: `{unified, raw}`. */
const reasonOf = (reason: unknown): string | null =>
  stringOf(reason) || stringOf(membersOf(reason).unified) || null;

/** v2: numbers; v3: `{total, cacheRead, …}`. */
function tokensOf(usage: Json): ModelAnswer['tokens'] {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = usage;
  const input = numberOf(inputTokens) ?? numberOf(membersOf(inputTokens).total);
  const output = numberOf(outputTokens) ?? numberOf(membersOf(outputTokens).total);
  if (input === null && output === null) return null;
  return {
    input,
    output,
    cache_read: numberOf(cachedInputTokens) ?? numberOf(membersOf(inputTokens).cacheRead),
    cache_write: numberOf(membersOf(inputTokens).cacheWrite),
    reasoning: numberOf(reasoningTokens) ?? numberOf(membersOf(outputTokens).reasoning),
  };
}
