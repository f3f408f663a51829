import type { ProjectCtx } from '../../access';
import { notFound } from '../../platform';
import { readGenSpan } from '../conventions';
import type { Message, SpanRole, ToolResult } from '../conventions/gen-span';
import { embedJson, writeJson } from '../conventions/json-value';
import { durationOf, msBetween, nsOf } from './list-spans';
import { countContents } from '../assembly/merge-spans';
import { findSpan } from './read-spans';
import type { Attributes, AttributeValue } from '../span';
import { rfc3339 } from '../span-time';

/**
 * A longer text is truncated and marked as truncated: a span may contain megabytes, which no page
 * needs in full.
 */
const textMax = 100_000;

export interface SpanContent {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly role: SpanRole;
  /** OTLP SpanKind as a word: `client`. */
  readonly kind: string;
  /** RFC 3339. */
  readonly startedAt: string | null;
  readonly durationMs: number | null;
  readonly status: { readonly error: boolean; readonly message: string };
  /** Conventions that its attributes follow, by precedence. */
  readonly conventions: readonly string[];
  readonly model: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
  readonly finishReasons: readonly string[];
  readonly agent: string | null;
  readonly prompt: string | null;
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  /**
   * Input and output as one value, JSON text or plain text, where they cannot be read as messages.
   */
  readonly inputValue: string | null;
  readonly outputValue: string | null;
  readonly tool: {
    readonly name: string | null;
    readonly callId: string | null;
    readonly arguments: string | null;
    readonly result: string | null;
  } | null;
  readonly documents: readonly { readonly id: string | null; readonly content: string }[];
  readonly attributes: readonly NameAndText[];
  readonly resource: readonly NameAndText[];
  readonly events: readonly {
    readonly name: string;
    readonly atMs: number | null;
    readonly attributes: readonly NameAndText[];
  }[];
  readonly scope: string;
  readonly links: number;
  readonly dropped: {
    readonly attributes: number;
    readonly events: number;
    readonly links: number;
  };
  readonly flags: readonly string[];
  /** Number of distinct contents received under its id, without those of log records. */
  readonly versions: number;
}

export interface NameAndText {
  readonly name: string;
  readonly text: string;
}

/**
 * One span of a trace with all its content. @throws AssayError not_found, also for another
 * project's
 */
export async function getSpan(
  ctx: ProjectCtx,
  traceId: string,
  spanId: string,
): Promise<SpanContent> {
  const span = await findSpan(ctx, traceId, spanId);
  if (span === null) throw notFound('span');
  const gen = readGenSpan(span);
  const start = nsOf(span.startNs);
  const isTool = gen.role === 'tool' || gen.toolName !== null || gen.toolResult !== null;
  return {
    id: span.spanId,
    parentId: span.parentSpanId,
    name: span.name,
    role: gen.role,
    kind: spanKinds[span.kind] ?? 'unspecified',
    startedAt: rfc3339(span.startNs),
    durationMs: durationOf(span.startNs, span.endNs),
    status: { error: span.status.code === 2, message: cut(span.status.message) },
    conventions: gen.conventions,
    model: gen.model,
    inputTokens: gen.inputTokens,
    outputTokens: gen.outputTokens,
    costUsd: gen.costUsd,
    finishReasons: gen.finishReasons,
    agent: gen.agentName,
    prompt: gen.promptName,
    input: gen.input.map(cutMessage),
    output: gen.output.map(cutMessage),
    inputValue: gen.input.length > 0 ? null : textOf(gen.inputValue),
    outputValue: gen.output.length > 0 ? null : textOf(gen.outputValue),
    tool: isTool
      ? {
          name: gen.toolName,
          callId: gen.toolCallId,
          arguments: cutOrNull(gen.toolArguments),
          result: cutOrNull(gen.toolResult),
        }
      : null,
    documents: gen.documents.map((document) => ({
      id: document.id,
      content: cut(document.content),
    })),
    attributes: namesAndTexts(span.attributes),
    resource: namesAndTexts(span.resource),
    events: span.events.map((event) => ({
      name: event.name,
      atMs: msBetween(start, nsOf(event.timeNs)),
      attributes: namesAndTexts(event.attributes),
    })),
    scope: [span.scope.name, span.scope.version].filter((part) => part !== '').join(' '),
    links: span.links,
    dropped: span.dropped,
    flags: span.flags,
    versions: countContents(span),
  };
}

const spanKinds: readonly string[] = [
  'unspecified',
  'internal',
  'server',
  'client',
  'producer',
  'consumer',
];

/** Sorted by name, for people to search. */
function namesAndTexts(attributes: Attributes): NameAndText[] {
  return [...attributes]
    .map(([name, value]) => ({ name, text: cut(plain(value)) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function plain(value: AttributeValue): string {
  return typeof value === 'string' ? value : writeJson(value);
}

function textOf(value: AttributeValue): string | null {
  return value === null || value === ''
    ? null
    : cut(typeof value === 'string' ? value : embedJson(value));
}

function cutMessage(message: Message): Message {
  const cutResult = (result: ToolResult): ToolResult => ({ ...result, result: cut(result.result) });
  return {
    role: message.role,
    text: cut(message.text),
    calls: message.calls.map((call) => ({ ...call, arguments: cut(call.arguments) })),
    results: message.results.map(cutResult),
    other: message.other,
  };
}

function cutOrNull(text: string | null): string | null {
  return text === null ? null : cut(text);
}

/** Truncates a text without splitting a character. */
export function cut(text: string, max = textMax): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max).toWellFormed()}… (${(text.length - max).toLocaleString('en')} more characters are stored)`;
}
