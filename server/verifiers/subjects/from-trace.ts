import {
  jsonAsText,
  type SubjectContext,
  subjectInput,
  type SubjectInput,
  type SubjectOf,
  type SubjectStep,
  type SubjectTool,
  type SubjectVerdict,
} from '../../domain';
import type { TraceSpan } from '../../ingest';
import { readFileEdits } from './file-edits';
import { argumentsOf } from './from-turn';
import { isObject, structuredValue, valueOf } from './json-value';
import { sumUsage } from './sum-usage';

/** The stored data of a trace. `spans` and `turns` in the order in which they began. */
export interface TraceParts {
  readonly id: string;
  readonly sessionId: string | null;
  readonly missionId?: string | null;
  /** The service that sent it. */
  readonly service: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  readonly tags: readonly string[];
  readonly spans: readonly TraceSpan[];
  readonly turns: readonly SubjectOf<'turn'>[];
  readonly verdicts?: Readonly<Record<string, SubjectVerdict>>;
}

/**
 * Builds the subject: input of the root, final output, and everything between as `steps`. If the
 * root has no content, the first turn's input and the last turn's output are those of the trace.
 */
export function fromTrace(parts: TraceParts): SubjectOf<'trace'> {
  const { spans, turns } = parts;
  const root = rootOf(spans);
  const last = turns.at(-1);
  const usage = sumUsage(turns);
  const input = (root === null ? null : inputOf(root)) ?? turns[0]?.input ?? subjectInput(null);
  const output = (root === null ? null : outputOf(root)) ?? last?.output ?? null;
  const tools = toolsOf(spans, turns);
  return {
    target: 'trace',
    id: parts.id,
    input,
    output,
    tools,
    context: contextOf(spans, turns),
    files: [...readFileEdits({ tools, output, messages: input.messages }).files],
    reference: turns.findLast(({ reference }) => reference !== null)?.reference ?? null,
    model: last?.model ?? null,
    source: parts.service ?? last?.source ?? null,
    session_id: parts.sessionId,
    trace_id: parts.id,
    mission_id: parts.missionId ?? last?.mission_id ?? null,
    tags: [...new Set([...parts.tags, ...turns.flatMap(({ tags }) => tags)])],
    metadata: Object.assign({}, ...turns.map(({ metadata }) => metadata)) as Record<
      string,
      unknown
    >,
    cost_usd: parts.costUsd ?? usage.cost_usd,
    tokens: {
      input: parts.inputTokens ?? usage.tokens.input,
      output: parts.outputTokens ?? usage.tokens.output,
    },
    latency_ms: msBetween(parts.startedAt, parts.endedAt),
    steps: spans.length > 0 ? spans.flatMap(stepOf) : turns.flatMap(stepsOfTurn),
    verdicts: { ...parts.verdicts },
  };
}

/** The first span whose parent is missing. */
export function rootOf(spans: readonly TraceSpan[]): TraceSpan | null {
  const ids = new Set(spans.map(({ id }) => id));
  return (
    spans.find(({ parentId }) => parentId === null) ??
    spans.find(({ parentId }) => parentId !== null && !ids.has(parentId)) ??
    null
  );
}

type SpanMessage = TraceSpan['input'][number];

/** The input of a span; null if it recorded none. */
export function inputOf({ input, inputValue }: TraceSpan): SubjectInput | null {
  if (input.length > 0) return subjectInput(input.flatMap(asMessages));
  return inputValue === null ? null : subjectInput(structuredValue(inputValue));
}

/** One message of a span: each tool result is a separate message. */
function asMessages({ role, text, calls, results, other }: SpanMessage) {
  const content = [...(text === '' ? [] : [text]), ...other.map((kind) => `[${kind}]`)].join('\n');
  const tool_calls = calls.map((call) => ({
    id: call.id,
    name: call.name,
    arguments: argumentsOf(call.arguments),
  }));
  const own =
    content === '' && tool_calls.length === 0 && results.length > 0
      ? []
      : [{ role, content, ...(tool_calls.length === 0 ? {} : { tool_calls }) }];
  const brought = results.map(({ callId, name, result }) => ({
    role: 'tool',
    tool_call_id: callId,
    name,
    content: valueOf(result),
  }));
  return [...brought, ...own];
}

/** Keys under which wrappers return their result, if it is the only text of an object. */
const TEXT_MEMBERS = ['output', 'answer', 'response', 'text', 'content', 'result'] as const;

/**
 * The output of a span: the last message of a conversation, or its value; null if there is none.
 */
export function outputOf({ output, outputValue }: TraceSpan): unknown {
  const lastAnswer = output.findLast(({ role, text }) => role === 'assistant' && text !== '');
  if (lastAnswer !== undefined) return lastAnswer.text;
  if (output.length > 0) return asksForTools(output);
  const value = structuredValue(outputValue);
  if (!isObject(value)) return value;
  const texts = TEXT_MEMBERS.filter((name) => typeof value[name] === 'string');
  const [only] = texts;
  return texts.length === 1 && only !== undefined && !('facts' in value) ? value[only] : value;
}

function asksForTools(output: readonly SpanMessage[]): unknown {
  const calls = output.flatMap((message) => message.calls);
  if (calls.length === 0) return null;
  return {
    tool_calls: calls.map(({ id, name, arguments: sent }) => ({
      id,
      name,
      arguments: argumentsOf(sent),
    })),
  };
}

const kinds: Readonly<Record<TraceSpan['role'], SubjectStep['kind'] | null>> = {
  llm: 'llm',
  tool: 'tool',
  agent: 'agent',
  retriever: 'retriever',
  chain: 'chain',
  other: 'chain',
  embedding: null,
  // Evaluator spans are not part of the work.
  evaluator: null,
};

/** Spans with neither input nor output are not steps. */
function stepOf(span: TraceSpan): SubjectStep[] {
  const kind = kinds[span.role];
  if (kind === null) return [];
  const { input, output } = contentOf(span, kind);
  const error = span.error;
  if (input === null && output === null && error === null && kind !== 'tool') return [];
  return [{ kind, name: nameOf(span, kind), input, output, error }];
}

function nameOf(span: TraceSpan, kind: SubjectStep['kind']): string {
  if (kind === 'tool') return span.tool?.name ?? span.name;
  return kind === 'agent' ? (span.agent ?? span.name) : span.name;
}

function contentOf(
  span: TraceSpan,
  kind: SubjectStep['kind'],
): { readonly input: unknown; readonly output: unknown } {
  if (kind === 'tool')
    return {
      input: argumentsOf(span.tool?.arguments ?? span.inputValue),
      output: valueOf(span.tool?.result ?? span.outputValue),
    };
  const documents = documentsOf(span);
  return {
    input: newMessagesOf(span),
    output: kind === 'retriever' && documents.length > 0 ? documents : modelOutput(span),
  };
}

/** The messages that the step adds to the conversation: those since the model's last one. */
function newMessagesOf({ input, inputValue }: TraceSpan): unknown {
  if (input.length === 0) return structuredValue(inputValue);
  const from = input.findLastIndex(({ role }) => role === 'assistant') + 1;
  const fresh = input.slice(from).filter(({ role }) => role !== 'system');
  const [only] = fresh;
  if (fresh.length === 1 && only !== undefined && only.results.length === 0 && only.text !== '')
    return only.text;
  return fresh.flatMap(asMessages);
}

function modelOutput(span: TraceSpan): unknown {
  const { output } = span;
  const calls = output.flatMap((message) => message.calls);
  if (output.length === 0 || calls.length === 0) return outputOf(span);
  const texts = output.map(({ text }) => text).filter((text) => text !== '');
  return {
    ...(texts.length === 0 ? {} : { content: texts.join('\n\n') }),
    ...(asksForTools(output) as object),
  };
}

function stepsOfTurn(turn: SubjectOf<'turn'>): SubjectStep[] {
  const tools = turn.tools.map(
    ({ name, arguments: input, result, error }): SubjectStep => ({
      kind: 'tool',
      name,
      input,
      output: result,
      error,
    }),
  );
  const { last_user: request } = turn.input;
  return [
    ...tools,
    { kind: 'llm', name: turn.model ?? '', input: request, output: turn.output, error: null },
  ];
}

/**
 * Lists each call once: first those of spans, which record times, then those that only turns have.
 */
function toolsOf(spans: readonly TraceSpan[], turns: readonly SubjectOf<'turn'>[]): SubjectTool[] {
  const ofSpans = spans.filter(({ role }) => role === 'tool').map(toolOf);
  const tools = new Map<string, SubjectTool>();
  for (const tool of [...ofSpans, ...turns.flatMap((turn) => turn.tools)]) {
    const key = `${tool.id}\n${jsonAsText(tool.arguments)}`;
    const known = tools.get(key);
    if (known === undefined) tools.set(key, tool);
    else if (known.result === null) tools.set(key, { ...known, result: tool.result });
  }
  return [...tools.values()];
}

function toolOf(span: TraceSpan): SubjectTool {
  const { tool } = span;
  return {
    id: tool?.callId ?? span.id,
    name: tool?.name ?? span.name,
    arguments: argumentsOf(tool?.arguments ?? null),
    result: valueOf(tool?.result ?? null),
    error: span.error,
    started_at: span.startedAt,
    duration_ms: span.durationMs,
  };
}

function documentsOf({
  documents,
}: TraceSpan): { readonly id: string | null; readonly content: unknown }[] {
  return documents.map(({ id, content }) => ({ id, content: valueOf(content) }));
}

function contextOf(
  spans: readonly TraceSpan[],
  turns: readonly SubjectOf<'turn'>[],
): SubjectContext[] {
  const blocks = new Map<string, SubjectContext>();
  const found = [...turns.flatMap((turn) => turn.context), ...spans.flatMap(documentsOf)];
  for (const { id, content } of found) {
    const key = jsonAsText(content);
    if (!blocks.has(key)) blocks.set(key, { id: id ?? `context[${blocks.size}]`, content });
  }
  return [...blocks.values()];
}

function msBetween(from: Date | null, to: Date | null): number | null {
  const ms = from === null || to === null ? null : to.getTime() - from.getTime();
  return ms === null || ms < 0 ? null : ms;
}
