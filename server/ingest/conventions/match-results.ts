import type { Message, ToolCall, ToolResult } from './gen-span';
import { embedJson } from './json-value';

const SPEAKERS = new Set(['system', 'user', 'assistant', 'tool']);

/**
 * Completes the results of a conversation that arrived without the id or the name of their call:
 * they answer the earliest open call, with the same name if they have one. A message whose role is
 * the name of an earlier call is the result of that call (Langfuse's callback for LangChain).
 */
export function matchResults(messages: readonly Message[]): readonly Message[] {
  const open = new OpenCalls();
  return messages.map((message) => {
    const read = asResult(message, open);
    const results = read.results.map((result) => complete(result, open));
    for (const call of read.calls) if (!call.ranByProvider) open.add(call);
    return { ...read, results };
  });
}

function asResult(message: Message, open: OpenCalls): Message {
  const { role, text, results, calls } = message;
  if (SPEAKERS.has(role) || text === '' || results.length > 0 || calls.length > 0) return message;
  if (!open.isNamed(role)) return message;
  return {
    ...message,
    role: 'tool',
    text: '',
    results: [{ callId: null, name: role, result: embedJson(text) }],
  };
}

function complete(result: ToolResult, open: OpenCalls): ToolResult {
  const call = open.answer(result);
  if (call === null) return result;
  return { ...result, callId: result.callId ?? call.id, name: result.name ?? call.name };
}

/** Calls in order. Each is passed once by each queue, so that a conversation takes linear time. */
interface CallQueue {
  readonly calls: ToolCall[];
  next: number;
}

class OpenCalls {
  private readonly byId = new Map<string, ToolCall>();
  private readonly byName = new Map<string, CallQueue>();
  private readonly all: CallQueue = { calls: [], next: 0 };
  private readonly answered = new Set<ToolCall>();

  add(call: ToolCall): void {
    this.all.calls.push(call);
    // Some models restart the numbering of calls at each step.
    if (call.id !== null) this.byId.set(call.id, call);
    if (call.name === null) return;
    const named = this.byName.get(call.name) ?? { calls: [], next: 0 };
    named.calls.push(call);
    this.byName.set(call.name, named);
  }

  isNamed(name: string): boolean {
    return this.byName.has(name);
  }

  /** The call that a result answers, which is then no longer open; null if there is none. */
  answer({ callId, name }: ToolResult): ToolCall | null {
    const queue = name === null ? this.all : this.byName.get(name);
    const call = callId === null ? this.earliest(queue) : (this.byId.get(callId) ?? null);
    if (call !== null) this.answered.add(call);
    return call;
  }

  private earliest(queue: CallQueue | undefined): ToolCall | null {
    if (queue === undefined) return null;
    for (; queue.next < queue.calls.length; queue.next++) {
      const call = queue.calls[queue.next];
      if (call !== undefined && !this.answered.has(call)) return call;
    }
    return null;
  }
}
