/**
 * Writes a turn as JSON text that `prepareTurn` accepts, with members in a fixed order and only
 * content of the spans, so that the same spans yield the same bytes. Truncates content beyond the
 * limits of a turn and reports it in `notes`.
 */
import { intakeLimits } from '../../domain';
import { boundedId } from './bounded-id';
import type { JsonText, Message, RetrievedDocument } from '../conventions/gen-span';
import { embedJson } from '../conventions/json-value';
import type { AttributeValue } from '../span';
import { compareText } from '../span-time';
import type { Usage } from './count-usage';
import type { TurnSource } from './turn-sources';

/** The limits of `WireTurn` in the domain. */
const MAX = { role: 100, source: 200, model: 300, toolName: 500, tag: 200, tags: 100 } as const;

export interface TurnParts {
  readonly id: string;
  readonly traceId: string;
  readonly sessionId: string | null;
  readonly source: string | null;
  readonly model: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly input: readonly Message[];
  readonly inputValue: AttributeValue;
  readonly tools: readonly TurnSource[];
  readonly documents: readonly RetrievedDocument[];
  readonly output: string | null;
  readonly envelope: JsonText | null;
  readonly usage: Usage;
  readonly tags: readonly string[];
  /** The client's own metadata. */
  readonly metadata: ReadonlyMap<string, AttributeValue>;
  /**
   * Where the turn comes from, and its `assay.*` attributes: members `span` and `assay` of the
   * turn's metadata.
   */
  readonly span: ReadonlyMap<string, string | null>;
  readonly assay: ReadonlyMap<string, string>;
}

type Member = readonly [name: string, json: JsonText | null];

export function writeTurn(parts: TurnParts): {
  readonly payload: JsonText;
  readonly notes: readonly string[];
} {
  const limits = new Limits();
  const { usage } = parts;
  const payload = object([
    ['id', text(parts.id)],
    ['session_id', text(limits.id('session id', parts.sessionId))],
    ['trace_id', text(parts.traceId)],
    ['source', text(limits.cut('source', parts.source, MAX.source))],
    ['model', text(limits.cut('model', parts.model, MAX.model))],
    ['started_at', text(parts.startedAt)],
    ['ended_at', text(parts.endedAt)],
    ['input', writeInput(parts, limits)],
    ['tools', list(parts.tools.map((tool) => writeTool(tool, limits)))],
    ['context', list(parts.documents.map((document) => writeDocument(document, limits)))],
    ['output', text(parts.output)],
    // As text, so that the numbers of its facts keep their digits.
    ['envelope', text(parts.envelope)],
    ['cost_usd', number(usage.sentCostUsd)],
    [
      'tokens',
      usage.inputTokens === null && usage.outputTokens === null ? null : writeTokens(usage),
    ],
    ['tags', writeTags(parts.tags, limits)],
    ['metadata', writeMetadata(parts)],
  ]);
  return { payload, notes: limits.notes };
}

function writeTokens(usage: Usage): JsonText {
  return object([
    ['input', number(usage.inputTokens)],
    ['output', number(usage.outputTokens)],
    ['cache_read', number(usage.cacheReadTokens)],
    ['cache_write', number(usage.cacheWriteTokens)],
    ['reasoning', number(usage.reasoningTokens)],
  ]);
}

/** The conversation as the model received it; a single value where it was not a conversation. */
function writeInput({ input, inputValue }: TurnParts, limits: Limits): JsonText | null {
  if (input.length > 0) return list(input.flatMap((message) => writeMessage(message, limits)));
  return inputValue === null
    ? null
    : text(typeof inputValue === 'string' ? inputValue : embedJson(inputValue));
}

function writeMessage(message: Message, limits: Limits): JsonText[] {
  const role = text(limits.cut('role', message.role, MAX.role));
  const results = message.results.map((result) =>
    object([
      ['role', text('tool')],
      ['name', text(result.name)],
      ['tool_call_id', text(result.callId)],
      ['content', result.result],
    ]),
  );
  const calls = message.calls.map((call) =>
    object([
      ['id', text(call.id)],
      ['name', text(call.name)],
      ['arguments', call.arguments],
    ]),
  );
  if (results.length > 0 && message.text === '' && calls.length === 0) return results;
  const content = [
    ...(message.text === '' ? [] : [message.text]),
    ...message.other.map((kind) => `[${kind}]`),
  ].join('\n');
  const turnMembers = object([
    ['role', role],
    ['content', text(content)],
    ['tool_calls', calls.length === 0 ? null : list(calls)],
  ]);
  return [...results, turnMembers];
}

function writeTool(tool: TurnSource, limits: Limits): JsonText {
  return object([
    ['id', text(limits.id('tool call id', tool.id))],
    ['name', text(limits.cut('tool name', tool.name, MAX.toolName))],
    ['arguments', tool.arguments],
    ['result', tool.result],
    ['error', text(tool.error)],
  ]);
}

function writeDocument({ id, content }: RetrievedDocument, limits: Limits): JsonText {
  return object([
    ['id', text(limits.id('document id', id))],
    ['content', content],
  ]);
}

function writeTags(tags: readonly string[], limits: Limits): JsonText {
  if (tags.length > MAX.tags)
    limits.notes.push(`${tags.length} tags: the first ${MAX.tags} are kept`);
  return list(tags.slice(0, MAX.tags).map((tag) => text(limits.cut('tag', tag, MAX.tag)) ?? '""'));
}

function writeMetadata({ metadata, span, assay }: TurnParts): JsonText {
  const clientMembers = [...metadata]
    .filter(([key]) => key !== 'span' && key !== 'assay')
    .sort(([a], [b]) => compareText(a, b));
  return object([
    ...clientMembers.map(
      ([key, value]): Member => [key, typeof value === 'string' ? text(value) : embedJson(value)],
    ),
    ['span', object([...span].map(([key, value]): Member => [key, text(value)]))],
    [
      'assay',
      assay.size === 0
        ? null
        : object(
            [...assay]
              .sort(([a], [b]) => compareText(a, b))
              .map(([key, value]): Member => [key, text(value)]),
          ),
    ],
  ]);
}

/** Omits members without a value. */
function object(members: readonly Member[]): JsonText {
  const written = members.flatMap(([name, json]) =>
    json === null ? [] : [`${JSON.stringify(name)}:${json}`],
  );
  return `{${written.join(',')}}`;
}

function list(items: readonly JsonText[]): JsonText {
  return `[${items.join(',')}]`;
}

function text(value: string | null): JsonText | null {
  return value === null ? null : JSON.stringify(value);
}

function number(value: number | null): JsonText | null {
  return value === null ? null : JSON.stringify(value);
}

class Limits {
  readonly notes: string[] = [];

  /** As `cut`, but truncated ids with the same beginning remain different. */
  id(field: string, value: string | null): string | null {
    if (value === null || value === '') return null;
    const bounded = boundedId(value);
    if (bounded !== value)
      this.notes.push(
        `a ${field} of ${value.length} characters was cut to ${intakeLimits.idChars}`,
      );
    return bounded;
  }

  /** An empty value counts as missing. */
  cut(field: string, value: string | null, max: number): string | null {
    if (value === null || value === '') return null;
    if (value.length <= max) return value;
    this.notes.push(`a ${field} of ${value.length} characters was cut to ${max}`);
    // Never cuts a surrogate pair.
    return value.slice(0, max).isWellFormed() ? value.slice(0, max) : value.slice(0, max - 1);
  }
}
