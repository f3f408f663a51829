import { sha256 } from '../../platform';
import { placeAgentLog } from '../conventions/agent-log';
import { evaluationEvent } from '../conventions/evaluation';
import { detailsEvent } from '../conventions/otel';
import { messageEvents } from '../conventions/otel-legacy';
import { attributeText } from '../conventions/read-attribute';
import { isJsonObject, type JsonObject } from '../otlp/json-rules';
import type { LogRecord } from '../otlp/read-logs';
import { isNoParent, traceIdOf } from '../otlp/span-rules';
import { type Attributes, type AttributeValue, logsAttribute } from '../span';

/** The destination of a log record. */
export type LogPlace =
  | { readonly kind: 'event'; readonly traceId: string; readonly span: JsonSpan }
  /** It has content of a model call that belongs to no span. */
  | { readonly kind: 'refused'; readonly message: string }
  /** It looks like content of a model call, in a form that Assay does not read. */
  | { readonly kind: 'unread'; readonly name: string }
  /** A log record of the program. */
  | { readonly kind: 'other' };

/** A span of OTLP/JSON that carries a log record as its event. */
export interface JsonSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly JsonObject[];
  readonly status: JsonObject;
  readonly events: readonly JsonObject[];
}

const contentKeys = ['gen_ai.input.messages', 'gen_ai.output.messages'];
/** Claude Code's raw requests and replies. */
const rawBodies: readonly string[] = [
  'claude_code.api_request_body',
  'claude_code.api_response_body',
];
const fromLogs = { key: logsAttribute, value: { boolValue: true } };

/**
 * Turns a log record with content of a model call into an event of its span: a span with only that
 * event, which `mergeSpans` unites with the span itself in any order of arrival.
 */
export function placeLog({ fields, shared }: LogRecord): LogPlace {
  const attributes = scalars(fields.attributes);
  const name = eventName(fields, attributes, shared.scope);
  if (name.startsWith('gen_ai.')) return placeGenAi(fields, name);
  const timeNs = timeOf(fields);
  const agent = placeAgentLog(name, attributes, timeNs);
  if (agent === null)
    return rawBodies.includes(name) ? { kind: 'unread', name } : { kind: 'other' };
  const sentTrace = traceIdOf(fields.traceId);
  if (sentTrace === null && agent.trace === null)
    return {
      kind: 'refused',
      message: `${name}: the log record has neither a traceId nor the id of its session, so that it belongs to no trace; let the client send session ids`,
    };
  const traceId = sentTrace ?? sha256(agent.trace ?? '').slice(0, 32);
  const outer = isNoParent(fields.spanId) ? '' : idText(fields.spanId);
  return {
    kind: 'event',
    traceId,
    span: {
      ...eventSpan(fields, name, { traceId, spanId: derivedSpanId(traceId, agent.span) }),
      name: agent.name,
      parentSpanId: agent.parent === null ? outer : derivedSpanId(traceId, agent.parent),
      startTimeUnixNano: before(timeNs, agent.durationMs),
      status: agent.error === null ? {} : { code: 2, message: agent.error },
    },
  };
}

function placeGenAi(fields: JsonObject, name: string): LogPlace {
  const isWhole = name === detailsEvent || name === evaluationEvent;
  if (!isWhole && !messageEvents.has(name)) return { kind: 'unread', name };
  const sentTrace = traceIdOf(fields.traceId);
  const hasSpan = !isNoParent(fields.spanId);
  // An evaluation names its answer by response id, and details contain the whole call.
  const needsNoSpan = name === detailsEvent || (name === evaluationEvent && sentTrace !== null);
  if ((sentTrace === null || !hasSpan) && !needsNoSpan)
    return {
      kind: 'refused',
      message: `${name}: the log record has no ${sentTrace === null ? 'traceId' : 'spanId'}, so that it belongs to no span; emit it in the context of the span`,
    };
  const recordHash = sha256(JSON.stringify(fields));
  const traceId = sentTrace ?? recordHash.slice(0, 32);
  const spanId =
    sentTrace !== null && hasSpan ? idText(fields.spanId) : derivedSpanId(traceId, recordHash);
  return { kind: 'event', traceId, span: eventSpan(fields, name, { traceId, spanId }) };
}

function eventSpan(
  fields: JsonObject,
  name: string,
  ids: { readonly traceId: string; readonly spanId: string },
): JsonSpan {
  const timeUnixNano = timeOf(fields);
  const { droppedAttributesCount } = fields;
  return {
    ...ids,
    parentSpanId: '',
    name: 'log events',
    startTimeUnixNano: timeUnixNano,
    endTimeUnixNano: timeUnixNano,
    attributes: [fromLogs],
    status: {},
    events: [
      {
        name,
        timeUnixNano,
        attributes: [...pairsOf(fields.attributes), ...bodyPairs(fields.body, name)],
        droppedAttributesCount: droppedAttributesCount ?? 0,
      },
    ],
  };
}

/**
 * Clients put the name into `eventName`, into `event.name`, or into the body; Claude Code's
 * `event.name` lacks the prefix that its body has.
 */
function eventName(fields: JsonObject, attributes: Attributes, scope: unknown): string {
  const short = attributeText(attributes, 'event.name') ?? '';
  const names = [textOf(fields.eventName), short, bodyText(fields.body)];
  const known = names.find((name) => /^(?:gen_ai|claude_code|codex)\.[\w.-]+$/.test(name));
  if (known !== undefined) return known;
  const scopeName = isJsonObject(scope) ? textOf(scope.name) : '';
  if (scopeName.startsWith('com.anthropic.claude_code') && short !== '')
    return `claude_code.${short}`;
  return contentKeys.some((key) => hasKey(fields.attributes, key)) ? detailsEvent : '';
}

/** The body's members as attributes; a body of text is the content of its message. */
function bodyPairs(body: unknown, name: string): readonly JsonObject[] {
  if (!isJsonObject(body)) return [];
  if (isJsonObject(body.kvlistValue)) return pairsOf(body.kvlistValue.values);
  const text = bodyText(body);
  if (text === '' || text === name) return [];
  const key = /^\s*\{/.test(text) ? 'gen_ai.event.content' : 'content';
  return [{ key, value: body }];
}

function bodyText(body: unknown): string {
  return isJsonObject(body) ? textOf(body.stringValue) : '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function idText(id: unknown): string {
  return textOf(id).toLowerCase();
}

function pairsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function hasKey(list: unknown, key: string): boolean {
  return pairsOf(list).some((pair) => pair.key === key);
}

/** The attributes that are texts, numbers or booleans. */
function scalars(list: unknown): Attributes {
  const found = new Map<string, AttributeValue>();
  for (const { key, value } of pairsOf(list)) {
    if (!isJsonObject(value)) continue;
    const number = value.intValue ?? value.doubleValue;
    if (typeof value.stringValue === 'string') found.set(textOf(key), value.stringValue);
    else if (typeof value.boolValue === 'boolean') found.set(textOf(key), value.boolValue);
    else if (typeof number === 'number' || typeof number === 'string')
      found.set(textOf(key), { raw: String(number) });
  }
  return found;
}

/** The record's time, or the time at which it was observed; "0" where both are missing. */
function timeOf(fields: JsonObject): string {
  for (const sent of [fields.timeUnixNano, fields.observedTimeUnixNano]) {
    const digits = typeof sent === 'number' || typeof sent === 'string' ? String(sent) : '0';
    if (!/^0*$/.test(digits)) return digits;
  }
  return '0';
}

const nsPerMs = 1_000_000n;

function before(timeNs: string, durationMs: number | null): string {
  if (durationMs === null || !Number.isSafeInteger(Math.round(durationMs))) return timeNs;
  const start = BigInt(timeNs) - BigInt(Math.round(durationMs)) * nsPerMs;
  return start > 0n ? String(start) : timeNs;
}

function derivedSpanId(traceId: string, text: string): string {
  return sha256(`${traceId}\n${text}`).slice(0, 16);
}
