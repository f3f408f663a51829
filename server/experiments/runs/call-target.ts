import type { ProjectCtx } from '../../access';
import { type Ask, hasInput, promptMessages } from '../../domain';
import { AssayError, guardedFetch, OutboundError, outboundPolicy } from '../../platform';
import { compileQuery, isProblem } from '../../evaluators';
import type { RunOutput } from './output-turn';
import { fillBody, fillText, chatMessages, plainText, type RunItem } from './run-item';
import type { ExperimentTarget } from './run-input';

/** The answer to one item, or why there is none. */
export type TargetAnswer =
  | { readonly state: 'answered'; readonly made: RunOutput; readonly latencyMs: number }
  | { readonly state: 'failed'; readonly error: string; readonly costUsd: number | null }
  /** The budget does not allow the call, which was not made. */
  | { readonly state: 'refused'; readonly reason: string };

export type CallTarget = (item: RunItem) => Promise<TargetAnswer>;

export interface PromptCall {
  readonly target: Extract<ExperimentTarget, { type: 'prompt' }>;
  /** The text of the prompt version; null for a target with messages. */
  readonly prompt: { readonly version: string; readonly text: string } | null;
  readonly ask: Ask;
  readonly signal: AbortSignal;
}

/** The time limit of one answer of a model, with its retries. */
const MODEL_DEADLINE_MS = 300_000;

/** Calls a model. The input of the item follows a prompt that does not show it. */
export function createPromptCall(
  ctx: Pick<ProjectCtx, 'clock'>,
  { target, prompt, ask, signal }: PromptCall,
): CallTarget {
  return async (item) => {
    const began = ctx.clock.now();
    const result = await ask({
      model: target.model,
      ...chatOf(target, prompt, item),
      reply: null,
      maxOutputTokens: target.max_output_tokens,
      deadlineMs: MODEL_DEADLINE_MS,
      signal,
      purpose: 'experiment',
      promptVersion: prompt?.version ?? null,
    });
    const { usage } = result;
    if (result.state === 'failed')
      return { state: 'failed', error: result.message, costUsd: usage.costUsd };
    return {
      state: 'answered',
      latencyMs: usage.latencyMs,
      made: {
        output: JSON.stringify(result.text),
        tools: null,
        model: usage.provider === null ? usage.model : `${usage.provider}/${usage.model}`,
        costUsd: usage.costUsd,
        tokens: { input: usage.inputTokens, output: usage.outputTokens },
        startedAt: began,
        endedAt: ctx.clock.now(),
      },
    };
  };
}

interface Chat {
  readonly system: string;
  readonly messages: { role: 'user' | 'assistant'; content: string }[];
}

/** The messages of a target, or of a prompt, with the item's values in place of placeholders. */
export function chatOf(
  target: Pick<PromptCall['target'], 'messages'>,
  prompt: PromptCall['prompt'],
  item: RunItem,
): Chat {
  const written = target.messages ?? promptMessages(prompt?.text ?? '');
  const messages: Chat['messages'] = [];
  const system: string[] = [];
  for (const { role, content } of written) {
    const text = fillText(content, item);
    if (role === 'system') system.push(text);
    else messages.push({ role, content: text });
  }
  const isShown = target.messages !== undefined || written.some((each) => hasInput(each.content));
  return {
    system: system.join('\n\n'),
    messages: isShown ? messages : [...messages, ...conversationOf(item)],
  };
}

/** The unchanged input of an item: placeholders within it are not replaced. */
function conversationOf({ input }: RunItem): Chat['messages'] {
  const conversation = chatMessages(input) ?? [{ role: 'user', content: plainText(input) }];
  return conversation.map(({ role, content }) => ({
    role: role === 'assistant' ? 'assistant' : 'user',
    content,
  }));
}

export interface HttpCall {
  readonly target: Extract<ExperimentTarget, { type: 'http' }>;
  readonly headers: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

const REPLY_BYTES_MAX = 5 * 1024 * 1024;

/** Posts to an application, by the guarded client, and reads the answer by a JSONPath. */
export function createHttpCall(
  ctx: Pick<ProjectCtx, 'clock' | 'env'>,
  { target, headers, signal }: HttpCall,
): CallTarget {
  return async (item) => {
    const began = ctx.clock.now();
    const from = ctx.clock.monotonicMs();
    const failed = (error: string): TargetAnswer => ({ state: 'failed', error, costUsd: null });
    let reply: Awaited<ReturnType<typeof guardedFetch>>;
    try {
      reply = await guardedFetch(outboundPolicy(ctx.env), {
        method: 'POST',
        url: target.url,
        headers: new Map([['content-type', 'application/json'], ...headers]),
        body: fillBody(target.body ?? null, item),
        deadlineMs: target.timeout_ms,
        replyBytesMax: REPLY_BYTES_MAX,
        signal,
      });
    } catch (error) {
      if (error instanceof OutboundError) return failed(reasonOf(error, target.timeout_ms));
      if (error instanceof AssayError) return failed(error.message);
      throw error;
    }
    if (reply.status < 200 || reply.status > 299)
      return failed(`the target answered with the status ${reply.status}`);
    const read = readReply(reply.body.toString('utf8'), target);
    if ('error' in read) return failed(read.error);
    return {
      state: 'answered',
      latencyMs: ctx.clock.monotonicMs() - from,
      made: {
        ...read,
        model: null,
        costUsd: null,
        tokens: null,
        startedAt: began,
        endedAt: ctx.clock.now(),
      },
    };
  };
}

/** A tenant learns the kind of a fault, but nothing about the network (S-47). */
function reasonOf({ kind }: OutboundError, timeoutMs: number): string {
  switch (kind) {
    case 'timeout':
      return `the target did not answer within ${timeoutMs} ms`;
    case 'too_large':
      return `the reply of the target has more than ${REPLY_BYTES_MAX} bytes`;
    case 'refused':
      return 'the address of the target may not be called: ask the operator to allow it';
    case 'unreachable':
      return 'the target could not be reached';
  }
}

function readReply(
  text: string,
  { output, tools }: HttpCall['target'],
): { readonly output: string; readonly tools: string | null } | { readonly error: string } {
  let reply: unknown;
  try {
    reply = JSON.parse(text);
  } catch {
    if (output === '$') return { output: JSON.stringify(text), tools: null };
    return { error: 'the reply of the target is not JSON' };
  }
  const select = (path: string): readonly unknown[] => {
    const query = compileQuery(path);
    return isProblem(query) ? [] : query.select(reply);
  };
  try {
    const [found] = select(output);
    if (found === undefined) return { error: `the reply of the target has nothing at ${output}` };
    const used = tools === undefined ? undefined : select(tools)[0];
    return {
      output: JSON.stringify(found),
      tools: used === undefined ? null : JSON.stringify(used),
    };
  } catch (error) {
    return { error: `${output}: ${error instanceof Error ? error.message : String(error)}` };
  }
}
