import { createRecorder, type WrapOptions } from '../wrap/recorder';
import { listOf, maxIdChars, membersOf, stringOf, textOf } from '../wrap/conversation';
import { answerIn, conversationOf, sumTokens } from './messages';
import { type Invocation, turnOfInvocation } from './invocation';

/**
 * Callbacks for LangChain and LangGraph: an invocation with all the runs within it becomes one turn
 * with its tools and documents (docs/how-to/wrap-clients.md).
 */

export type { WrapOptions, WrappedTurn } from '../wrap/recorder';

/** The methods of LangChain's `CallbackHandlerMethods` that are used here. */
export interface AssayCallbacks {
  handleChainStart(
    chain: unknown,
    inputs: unknown,
    runId: string,
    parent?: string,
    tags?: unknown,
    metadata?: unknown,
  ): void;
  handleChainEnd(outputs: unknown, runId: string): void;
  handleChainError(error: unknown, runId: string): void;
  handleChatModelStart(
    model: unknown,
    messages: unknown,
    runId: string,
    parent?: string,
    extra?: unknown,
    tags?: unknown,
    metadata?: unknown,
  ): void;
  handleLLMStart(
    model: unknown,
    prompts: string[],
    runId: string,
    parent?: string,
    extra?: unknown,
    tags?: unknown,
    metadata?: unknown,
  ): void;
  handleLLMNewToken(token: string, at: unknown, runId: string): void;
  handleLLMEnd(output: unknown, runId: string): void;
  handleLLMError(error: unknown, runId: string): void;
  handleToolStart(
    tool: unknown,
    input: string,
    runId: string,
    parent?: string,
    tags?: unknown,
    metadata?: unknown,
    name?: string,
    callId?: string,
  ): void;
  handleToolEnd(output: unknown, runId: string): void;
  handleToolError(error: unknown, runId: string): void;
  handleRetrieverStart(retriever: unknown, query: string, runId: string, parent?: string): void;
  handleRetrieverEnd(documents: unknown, runId: string): void;
  handleRetrieverError(error: unknown, runId: string): void;
}

/**
 * For `callbacks` of any invocation: `chain.invoke(input, { callbacks: [assayCallbacks()] })`. The
 * id of the turn is that of the outermost run, and its session the `session_id` or `thread_id` of
 * the invocation's metadata, unless the options name one. An invocation that calls no model is not
 * recorded.
 *
 * @throws TypeError for invalid options
 */
export function assayCallbacks(options: WrapOptions = {}): AssayCallbacks {
  const recorder = createRecorder(options);
  /** Every run that has not ended, with the invocation that it belongs to. */
  const runs = new Map<string, Invocation>();

  function begin(runId: string, parent: string | undefined, metadata: unknown): Invocation {
    const outer = parent === undefined ? undefined : runs.get(parent);
    const { session_id: session, thread_id: thread } = membersOf(metadata);
    const invocation: Invocation = outer ?? {
      id: runId,
      hostMembers: recorder.begin(),
      startedAt: new Date(),
      session: stringOf(session) || stringOf(thread) || null,
      conversation: null,
      tools: new Map(),
      context: [],
      partial: '',
      answer: null,
      model: null,
      tokens: null,
    };
    runs.set(runId, invocation);
    return invocation;
  }

  /** Ends a run, and with the outermost one the turn. */
  function end(runId: string, outputs: unknown, error: unknown = null): void {
    const invocation = runs.get(runId);
    runs.delete(runId);
    if (invocation?.id !== runId) return;
    // Runs whose end was never reported.
    for (const [id, each] of runs) if (each === invocation) runs.delete(id);
    if (invocation.conversation === null) return;
    const endedAt = new Date();
    recorder.record(invocation.hostMembers, () =>
      turnOfInvocation(invocation, outputs, error, endedAt),
    );
  }

  return {
    handleChainStart: (_chain, _inputs, runId, parent, _tags, metadata) =>
      void begin(runId, parent, metadata),
    handleChainEnd: (outputs, runId) => end(runId, outputs),
    handleChainError: (error, runId) => end(runId, null, error),
    ...modelCallbacks({ begin, end, runs }),
    ...toolCallbacks({ begin, end, runs }),
  };
}

interface Tracking {
  readonly begin: (runId: string, parent: string | undefined, metadata: unknown) => Invocation;
  readonly end: (runId: string, outputs: unknown, error?: unknown) => void;
  readonly runs: ReadonlyMap<string, Invocation>;
}

type ModelMethods =
  | 'handleChatModelStart'
  | 'handleLLMStart'
  | 'handleLLMNewToken'
  | 'handleLLMEnd'
  | 'handleLLMError';

function modelCallbacks({ begin, end, runs }: Tracking): Pick<AssayCallbacks, ModelMethods> {
  function beginCall(
    invocation: Invocation,
    spoken: Invocation['conversation'],
    extra: unknown,
    metadata: unknown,
  ): void {
    invocation.conversation ??= spoken;
    invocation.partial = '';
    const { model, model_name: name } = membersOf(membersOf(extra).invocation_params);
    invocation.model =
      stringOf(model) ||
      stringOf(name) ||
      stringOf(membersOf(metadata).ls_model_name) ||
      invocation.model;
  }
  return {
    handleChatModelStart(_model, messages, runId, parent, extra, _tags, metadata) {
      const [first] = Array.isArray(messages) ? (messages as unknown[]) : [];
      beginCall(begin(runId, parent, metadata), conversationOf(first), extra, metadata);
    },
    handleLLMStart(_model, prompts, runId, parent, extra, _tags, metadata) {
      const spoken = [{ role: 'user', text: stringOf(prompts[0]) }];
      beginCall(begin(runId, parent, metadata), spoken, extra, metadata);
    },
    handleLLMNewToken(token, _at, runId) {
      const invocation = runs.get(runId);
      if (invocation !== undefined) invocation.partial += stringOf(token);
    },
    handleLLMEnd(output, runId) {
      const invocation = runs.get(runId);
      if (invocation === undefined) return;
      const answer = answerIn(output);
      invocation.answer = answer;
      invocation.model ??= answer.model;
      invocation.tokens = sumTokens(invocation.tokens, answer.tokens);
      end(runId, answer.text);
    },
    handleLLMError: (error, runId) => end(runId, null, error),
  };
}

type ToolMethods =
  | 'handleToolStart'
  | 'handleToolEnd'
  | 'handleToolError'
  | 'handleRetrieverStart'
  | 'handleRetrieverEnd'
  | 'handleRetrieverError';

function toolCallbacks({ begin, end, runs }: Tracking): Pick<AssayCallbacks, ToolMethods> {
  return {
    handleToolStart(tool, input, runId, parent, _tags, metadata, name, callId) {
      const { id, name: own } = membersOf(tool);
      const last: unknown = Array.isArray(id) ? id.at(-1) : '';
      begin(runId, parent, metadata).tools.set(runId, {
        id: callId ?? runId,
        name: name ?? (stringOf(own) || stringOf(last) || 'tool'),
        arguments: input,
        result: undefined,
      });
    },
    handleToolEnd(output, runId) {
      const tool = runs.get(runId)?.tools.get(runId);
      if (tool !== undefined) {
        const { tool_call_id: callId, content } = membersOf(output);
        if (typeof callId === 'string') tool.id = callId;
        tool.result = typeof callId === 'string' ? contentOf(content) : output;
      }
      end(runId, output);
    },
    handleToolError(error, runId) {
      const tool = runs.get(runId)?.tools.get(runId);
      if (tool !== undefined) tool.result = { error: String(error) };
      end(runId, null, error);
    },
    handleRetrieverStart: (_retriever, _query, runId, parent) =>
      void begin(runId, parent, undefined),
    handleRetrieverEnd(documents, runId) {
      for (const { id, metadata, pageContent } of listOf(documents)) {
        const name = stringOf(id) || stringOf(membersOf(metadata).source) || null;
        runs.get(runId)?.context.push({
          id: name?.slice(0, maxIdChars) ?? null,
          content: stringOf(pageContent),
        });
      }
      end(runId, documents);
    },
    handleRetrieverError: (error, runId) => end(runId, null, error),
  };
}

/** The content of the message with a tool's result. */
const contentOf = (content: unknown): unknown =>
  Array.isArray(content) && listOf(content).every(({ type }) => type === 'text')
    ? textOf(content)
    : content;
