/**
 * OTLP/JSON (the protobuf JSON mapping, narrowed by the OTLP specification): names in
 * lowerCamelCase, others ignored; null is missing; ids hex; enumerations integers; 64-bit integers
 * and times as numbers or as strings of digits; doubles as numbers, digits in a string, or "NaN",
 * "Infinity", "-Infinity"; bytes base64.
 *
 * These checks take the result of JSON.parse. Each returns null, or the reason as text.
 */
import { intakeLimits } from '../../domain';
import { faults, parentIdOf, spanIdOf, traceIdOf } from './span-rules';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const digits = /^\d{1,20}$/;
const signedDigits = /^-?\d{1,20}$/;
const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const doubleWords: readonly string[] = ['NaN', 'Infinity', '-Infinity'];
const int64 = 2 ** 63;
const uint64 = 2 ** 64;

/** Reason why the span is refused, its ids included. */
export function spanFault(span: JsonObject): string | null {
  if (traceIdOf(span.traceId) === null) return faults.traceId;
  if (spanIdOf(span.spanId) === null) return faults.spanId;
  if (parentIdOf(span.parentSpanId) === null) return faults.parentSpanId;
  if (!isText(span.name)) return 'name must be a string';
  if (!isEnum(span.kind)) return 'kind must be an integer, not a name';
  if (!isTime(span.startTimeUnixNano))
    return 'startTimeUnixNano must be nanoseconds since 1970, not negative';
  if (!isTime(span.endTimeUnixNano))
    return 'endTimeUnixNano must be nanoseconds since 1970, not negative';
  if (!isCount(span.flags)) return 'flags must be an unsigned 32-bit number';
  if (
    !isCount(span.droppedAttributesCount) ||
    !isCount(span.droppedEventsCount) ||
    !isCount(span.droppedLinksCount)
  ) {
    return 'dropped counts must be unsigned 32-bit numbers';
  }
  if (!isMissing(span.links) && !Array.isArray(span.links)) return 'links must be an array';
  return statusFault(span.status) ?? attributesFault(span.attributes) ?? eventsFault(span.events);
}

/** Reason why the log record is refused. Both ids may be missing or zero. */
export function logFault(record: JsonObject): string | null {
  if (!isNoId(record.traceId) && traceIdOf(record.traceId) === null) return faults.logTraceId;
  if (parentIdOf(record.spanId) === null) return faults.logSpanId;
  if (!isText(record.eventName)) return 'eventName must be a string';
  if (!isTime(record.timeUnixNano))
    return 'timeUnixNano must be nanoseconds since 1970, not negative';
  if (!isTime(record.observedTimeUnixNano))
    return 'observedTimeUnixNano must be nanoseconds since 1970, not negative';
  if (!isCount(record.droppedAttributesCount))
    return 'droppedAttributesCount must be an unsigned 32-bit number';
  const fault = valueFault(record.body, 0);
  return fault === null ? attributesFault(record.attributes) : `body: ${fault}`;
}

function isNoId(id: unknown): boolean {
  return isMissing(id) || (typeof id === 'string' && /^0*$/.test(id));
}

/** Reason why no span of this resource can be accepted. */
export function resourceFault(resource: unknown): string | null {
  if (isMissing(resource)) return null;
  if (!isJsonObject(resource)) return 'resource must be an object';
  const fault = attributesFault(resource.attributes);
  return fault === null ? null : `resource: ${fault}`;
}

/** Reason why no span of this scope can be accepted. */
export function scopeFault(scope: unknown): string | null {
  if (isMissing(scope)) return null;
  return isJsonObject(scope) && isText(scope.name) && isText(scope.version)
    ? null
    : 'scope must be an object with texts';
}

function statusFault(status: unknown): string | null {
  if (isMissing(status)) return null;
  if (!isJsonObject(status)) return 'status must be an object';
  if (!isEnum(status.code)) return 'status.code must be an integer, not a name';
  return isText(status.message) ? null : 'status.message must be a string';
}

function eventsFault(events: unknown): string | null {
  if (isMissing(events)) return null;
  if (!Array.isArray(events)) return 'events must be an array';
  for (const event of events as readonly unknown[]) {
    if (!isJsonObject(event) || !isText(event.name)) return 'events must be objects with a name';
    if (!isTime(event.timeUnixNano))
      return 'events: timeUnixNano must be nanoseconds since 1970, not negative';
    if (!isCount(event.droppedAttributesCount))
      return 'events: droppedAttributesCount must be an unsigned 32-bit number';
    const fault = attributesFault(event.attributes);
    if (fault !== null) return `events: ${fault}`;
  }
  return null;
}

function attributesFault(attributes: unknown): string | null {
  if (isMissing(attributes)) return null;
  if (!Array.isArray(attributes)) return 'attributes must be an array';
  return pairsFault(attributes, 0);
}

/** `depth`: lists that enclose these pairs. */
function pairsFault(pairs: readonly unknown[], depth: number): string | null {
  for (const pair of pairs) {
    if (!isJsonObject(pair)) return 'attributes must be objects of key and value';
    if (!isText(pair.key)) return 'attributes: each key must be a string';
    const fault = valueFault(pair.value, depth);
    if (fault !== null) return fault;
  }
  return null;
}

function valueFault(value: unknown, depth: number): string | null {
  if (!isJsonObject(value))
    return isMissing(value)
      ? null
      : 'attributes: each value must be an object such as {"stringValue":"…"}';
  for (const name in value) {
    const member = value[name];
    if (member === null) continue;
    let sound = true;
    switch (name) {
      case 'stringValue':
        sound = typeof member === 'string';
        break;
      case 'intValue':
        sound = isInteger(member, signedDigits, -int64, int64);
        break;
      case 'doubleValue':
        sound = typeof member === 'number' || isDoubleText(member);
        break;
      case 'boolValue':
        sound = typeof member === 'boolean';
        break;
      case 'bytesValue':
        sound = typeof member === 'string' && base64.test(member);
        break;
      case 'arrayValue':
      case 'kvlistValue': {
        const fault = listFault(name, member, depth + 1);
        if (fault !== null) return fault;
        break;
      }
      default:
    }
    if (!sound) return `attributes: ${name} has another type`;
  }
  return null;
}

function listFault(
  name: 'arrayValue' | 'kvlistValue',
  member: unknown,
  depth: number,
): string | null {
  if (depth > intakeLimits.depth) return faults.depth;
  if (!isJsonObject(member)) return `attributes: ${name} has another type`;
  if (isMissing(member.values)) return null;
  if (!Array.isArray(member.values)) return `attributes: ${name}.values must be an array`;
  const values: readonly unknown[] = member.values;
  if (name === 'kvlistValue') return pairsFault(values, depth);
  for (const item of values) {
    const fault = valueFault(item, depth);
    if (fault !== null) return fault;
  }
  return null;
}

function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' || isMissing(value);
}

function isDoubleText(value: unknown): boolean {
  return typeof value === 'string' && (doubleWords.includes(value) || jsonNumber.test(value));
}

function isEnum(value: unknown): boolean {
  return isMissing(value) || (typeof value === 'number' && (value | 0) === value);
}

function isCount(value: unknown): boolean {
  return isMissing(value) || isInteger(value, digits, 0, 2 ** 32 - 1);
}

function isTime(value: unknown): boolean {
  return isMissing(value) || isInteger(value, digits, 0, uint64);
}

/**
 * The range is compared with the nearest double, for numbers and digits alike: JSON.parse preserves
 * only that of a number.
 */
function isInteger(value: unknown, pattern: RegExp, low: number, high: number): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && value >= low && value <= high;
  if (typeof value !== 'string' || !pattern.test(value)) return false;
  if (value.length <= 18 && high >= int64) return true;
  const number = Number(value);
  return number >= low && number <= high;
}
