/**
 * Writes an event of Langfuse's ingestion API as a span with the attributes that Langfuse's SDKs
 * for OpenTelemetry use. Each event is one content of its span: `mergeSpans` merges them in the
 * order of the events' times, regardless of the order of arrival.
 */
import { sha256 } from '../../platform';
import { isMap, writeJson } from '../conventions/json-value';
import { attributeText, attributeTexts, valueAt } from '../conventions/read-attribute';
import type { PlainSpan, PlainValue } from '../otlp/encode-json';
import type { AttributeValue } from '../span';
import { updateTimeKey } from '../span-time';
import { type BatchEvent, EventFault, type Members, membersAt, timeAt } from './batch-event';

/** An update of the same millisecond as its creation follows it. */
const UPDATE_NS = 500_000n;
/** 16 bytes in hex, with or without the dashes of a UUID. */
const TRACE_ID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

/**
 * The span of an event; null for one that describes nothing (`sdk-log`).
 * @throws EventFault naming the member that is missing or wrong
 */
export function eventSpan(event: BatchEvent): PlainSpan | null {
  switch (event.kind.of) {
    case 'trace':
      return traceSpan(event);
    case 'score':
      return scoreSpan(event);
    case 'observation':
      return observationSpan(event, event.kind);
    case 'log':
      return null;
  }
}

function traceSpan(event: BatchEvent): PlainSpan {
  const { body } = event;
  const id = attributeText(body, 'id') ?? event.id;
  return {
    traceId: traceIdOf(id),
    spanId: spanIdOf('trace', id),
    name: attributeText(body, 'name') ?? '',
    startNs: timeAt(body, 'timestamp') ?? event.timeNs,
    attributes: attributes(event, false, [
      ['langfuse.trace.name', attributeText(body, 'name')],
      ['langfuse.trace.input', content(body.get('input'))],
      ['langfuse.trace.output', content(body.get('output'))],
      ['langfuse.trace.tags', attributeTexts(body.get('tags'))],
      ['langfuse.session.id', attributeText(body, 'sessionId')],
      ['langfuse.user.id', attributeText(body, 'userId')],
      ['langfuse.release', attributeText(body, 'release')],
      ...metadata('langfuse.trace.metadata', body),
    ]),
  };
}

function observationSpan(
  event: BatchEvent,
  { type, isUpdate }: Extract<BatchEvent['kind'], { of: 'observation' }>,
): PlainSpan {
  const { body } = event;
  const id = attributeText(body, 'id') ?? (isUpdate ? null : event.id);
  if (id === null) throw new EventFault('body.id: is required to update an observation');
  const trace = attributeText(body, 'traceId') ?? id;
  const parent = attributeText(body, 'parentObservationId');
  const startNs = timeAt(body, 'startTime');
  const endNs = timeAt(body, 'endTime') ?? (type === 'event' ? startNs : null);
  // An update does not repeat the parent: the observation keeps the one that it has.
  const above = isUpdate ? null : spanIdOf('trace', trace);
  const parentSpanId = parent === null ? above : spanIdOf('observation', parent);
  return {
    traceId: traceIdOf(trace),
    spanId: spanIdOf('observation', id),
    ...(parentSpanId !== null && { parentSpanId }),
    name: attributeText(body, 'name') ?? '',
    ...(startNs !== null && { startNs }),
    ...(endNs !== null && { endNs }),
    ...(attributeText(body, 'level') === 'ERROR' && {
      status: { code: 2, message: attributeText(body, 'statusMessage') ?? '' },
    }),
    attributes: attributes(event, isUpdate, observationAttributes(body, type)),
  };
}

function observationAttributes(body: Members, type: string | null): Pairs {
  return [
    ['langfuse.observation.type', type],
    ['langfuse.observation.input', content(body.get('input'))],
    ['langfuse.observation.output', content(body.get('output'))],
    ['langfuse.observation.model.name', attributeText(body, 'model')],
    ['langfuse.observation.model.parameters', content(body.get('modelParameters'))],
    ['langfuse.observation.usage_details', content(valueAt(body, 'usageDetails', 'usage'))],
    ['langfuse.observation.cost_details', costs(body)],
    ['langfuse.observation.prompt.name', attributeText(body, 'promptName')],
    ['langfuse.observation.level', attributeText(body, 'level')],
    ['langfuse.observation.status_message', attributeText(body, 'statusMessage')],
    ...metadata('langfuse.observation.metadata', body),
  ];
}

/** A number, or a text for a category. Its span is inside the one that it measures. */
function scoreSpan(event: BatchEvent): PlainSpan {
  const { body } = event;
  const id = attributeText(body, 'id') ?? event.id;
  const trace = attributeText(body, 'traceId');
  if (trace === null)
    throw new EventFault('body.traceId: is required; scores of sessions are not supported');
  const name = attributeText(body, 'name');
  if (name === null) throw new EventFault('body.name: is required, the name of the score');
  const value = body.get('value') ?? null;
  const label = typeof value === 'string' ? value : attributeText(body, 'stringValue');
  const digits = isNumber(value) ? value.raw : null;
  if (digits === null && (label === null || label === ''))
    throw new EventFault('body.value: is required, a number or a text');
  const observation = attributeText(body, 'observationId');
  const at = timeAt(body, 'timestamp') ?? event.timeNs;
  return {
    traceId: traceIdOf(trace),
    spanId: spanIdOf('score', id),
    parentSpanId:
      observation === null ? spanIdOf('trace', trace) : spanIdOf('observation', observation),
    name,
    startNs: at,
    endNs: at,
    attributes: attributes(event, false, [
      ['gen_ai.evaluation.name', name],
      ['gen_ai.evaluation.score.value', digits],
      ['gen_ai.evaluation.score.label', label],
      ['gen_ai.evaluation.explanation', attributeText(body, 'comment')],
    ]),
  };
}

type Pairs = readonly (readonly [string, string | readonly string[] | null])[];

/** Omits empty values, so that an update does not erase unmentioned values. */
function attributes(event: BatchEvent, isUpdate: boolean, pairs: Pairs): Map<string, PlainValue> {
  const found = new Map<string, PlainValue>();
  for (const [key, value] of pairs) if (value !== null && value.length > 0) found.set(key, value);
  const environment = attributeText(event.body, 'environment');
  if (environment !== null) found.set('langfuse.environment', environment);
  const version = attributeText(event.body, 'version');
  if (version !== null) found.set('langfuse.version', version);
  return found.set(updateTimeKey, String(BigInt(event.timeNs) + (isUpdate ? UPDATE_NS : 0n)));
}

/** Text as is, anything else as JSON text. */
function content(value: AttributeValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : writeJson(value);
}

/** Costs in US dollars: those of the observation, else those within its usage. */
function costs(body: Members): string | null {
  const details = content(body.get('costDetails'));
  if (details !== null) return details;
  const usage = membersAt(body, 'usage');
  const found = new Map<string, AttributeValue>();
  for (const [key, name] of [
    ['inputCost', 'input'],
    ['outputCost', 'output'],
    ['totalCost', 'total'],
  ] as const) {
    const value = usage.get(key);
    if (isNumber(value)) found.set(name, value);
  }
  return found.size === 0 ? null : writeJson(found);
}

/** Members one by one, so that updates merge them; any other value under its prefix. */
function metadata(prefix: string, body: Members): Pairs {
  const sent = body.get('metadata');
  if (isMap(sent)) return [...sent].map(([key, value]) => [`${prefix}.${key}`, content(value)]);
  return [[`${prefix}.metadata`, content(sent)]];
}

function isNumber(value: AttributeValue | undefined): value is { readonly raw: string } {
  return typeof value === 'object' && value !== null && 'raw' in value;
}

/** A UUID becomes its own digits, any other id a hash, in hex. */
function traceIdOf(id: string): string {
  const digits = id.replaceAll('-', '').toLowerCase();
  return TRACE_ID.test(id) && /[1-9a-f]/.test(digits)
    ? digits
    : sha256(`langfuse trace\n${id}`).slice(0, 32);
}

/** Traces, observations and scores may have equal ids. */
function spanIdOf(of: 'trace' | 'observation' | 'score', id: string): string {
  return sha256(`langfuse ${of}\n${id}`).slice(0, 16);
}
