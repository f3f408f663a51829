import { canonicalJson } from '../../domain';
import type { JsonText, Message, RetrievedDocument, ToolCall } from '../conventions/gen-span';
import type { SpanAnswer } from './find-answers';
import type { Node } from './span-tree';

export interface TurnSource {
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: JsonText | null;
  /** Null where the client did not send it. */
  readonly result: JsonText | null;
  /** The reason why the tool returned no result. */
  readonly error: string | null;
}

/**
 * The tool results that the model had when it answered: those in its own input after the user's
 * last message, those of the provider's own tools within the answer, and those of tool spans. One
 * entry per call id, and one for equal name, arguments and result; the result in the model's input
 * has precedence over the tool's own report.
 */
export function turnTools(answer: SpanAnswer, spans: readonly Node[]): TurnSource[] {
  const seen = new SeenTools();
  for (const source of [...fromInput(answer.node.gen.input), ...fromReply(answer)])
    seen.add(source, 'message');
  for (const { span, gen } of spans) {
    if (gen.role !== 'tool') continue;
    const failed = gen.toolResult === null && span.status.code === 2;
    const source = {
      id: gen.toolCallId ?? span.spanId,
      name: gen.toolName ?? span.name,
      arguments: gen.toolArguments,
      result: gen.toolResult,
      error: failed ? span.status.message || 'the tool failed' : null,
    };
    seen.add(source, 'span');
  }
  return seen.list;
}

/** Retrieved documents, each once. */
export function turnDocuments(spans: readonly Node[]): RetrievedDocument[] {
  const found = new Map<string, RetrievedDocument>();
  for (const document of spans.flatMap(({ gen }) => gen.documents)) {
    const key = `${document.id ?? ''}\n${canonicalJson(document.content)}`;
    if (!found.has(key)) found.set(key, document);
  }
  return [...found.values()];
}

/** Earlier results are sources of an earlier turn: the user has written since. */
function fromInput(input: readonly Message[]): TurnSource[] {
  const lastUserIndex = input.findLastIndex(
    ({ role, text, results }) => role === 'user' && text !== '' && results.length === 0,
  );
  const calls = new Map<string, ToolCall>();
  const found: TurnSource[] = [];
  input.forEach((message, at) => {
    // Some models restart the numbering of calls at each step: a result answers the latest call
    // with its id.
    for (const call of message.calls) if (call.id !== null) calls.set(call.id, call);
    if (at <= lastUserIndex) return;
    for (const { callId, name, result } of message.results) {
      const call = callId === null ? undefined : calls.get(callId);
      found.push({
        id: callId,
        name: name ?? call?.name ?? null,
        arguments: call?.arguments ?? null,
        result,
        error: null,
      });
    }
  });
  return found;
}

function fromReply({ results }: SpanAnswer): TurnSource[] {
  return results.map(({ callId, name, result, call }) => ({
    id: callId,
    name: name ?? call?.name ?? null,
    arguments: call?.arguments ?? null,
    result,
    error: null,
  }));
}

type Origin = 'message' | 'span';

interface Seen {
  readonly at: number;
  readonly content: string;
  readonly origins: Set<Origin>;
}

class SeenTools {
  readonly list: TurnSource[] = [];
  private readonly ids = new Map<string, Seen[]>();
  private readonly contents = new Map<string, Seen>();

  add(source: TurnSource, origin: Origin): void {
    const content = `${source.name ?? ''}\n${same(source.arguments)}\n${same(source.result)}`;
    const known = this.find(source, content, origin);
    const existing = known === undefined ? undefined : this.list[known.at];
    if (known !== undefined && existing !== undefined) {
      known.origins.add(origin);
      this.list[known.at] = combine(existing, source);
      return;
    }
    const seen: Seen = { at: this.list.length, content, origins: new Set([origin]) };
    if (source.id !== null) this.ids.set(source.id, [...(this.ids.get(source.id) ?? []), seen]);
    this.contents.set(content, seen);
    this.list.push(source);
  }

  /** The same call id reported twice by one origin with other content is a different call. */
  private find(source: TurnSource, content: string, origin: Origin): Seen | undefined {
    const named = source.id === null ? [] : (this.ids.get(source.id) ?? []);
    const byId =
      named.find((seen) => seen.content === content) ??
      named.find(({ origins }) => !origins.has(origin));
    return byId ?? (source.result === null ? undefined : this.contents.get(content));
  }
}

/** The first report wins; the second adds missing values. */
function combine(first: TurnSource, source: TurnSource): TurnSource {
  return {
    id: first.id ?? source.id,
    name: first.name ?? source.name,
    arguments: first.arguments ?? source.arguments,
    result: first.result ?? source.result,
    error: first.result === null && source.result === null ? (first.error ?? source.error) : null,
  };
}

/**
 * Normalises spelling: for no arguments one client sends `{}` with spaces, another sends nothing.
 */
function same(text: JsonText | null): string {
  const canonical = text === null ? '{}' : canonicalJson(text);
  return canonical === 'null' || canonical === '""' ? '{}' : canonical;
}
