/**
 * Copies of OTLP/JSON objects with the members that OTLP knows. Others are ignored, and may nest so
 * deep that they cannot be written. The values are those that `json-rules` accepts.
 */
import { isJsonObject, type JsonObject } from './json-rules';

const logMembers = [
  'timeUnixNano',
  'observedTimeUnixNano',
  'eventName',
  'traceId',
  'spanId',
  'droppedAttributesCount',
] as const;
const plainValues = ['stringValue', 'boolValue', 'intValue', 'doubleValue', 'bytesValue'];

export function knownLog(log: JsonObject): JsonObject {
  return {
    ...pick(log, logMembers),
    ...(isJsonObject(log.body) ? { body: knownValue(log.body) } : {}),
    attributes: knownPairs(log.attributes),
  };
}

export function knownResource(resource: unknown): JsonObject {
  return isJsonObject(resource) ? { attributes: knownPairs(resource.attributes) } : {};
}

export function knownScope(scope: unknown): JsonObject {
  return isJsonObject(scope) ? pick(scope, ['name', 'version']) : {};
}

function knownPairs(pairs: unknown): JsonObject[] {
  return objectsIn(pairs).map(({ key, value }) => ({
    key: key ?? '',
    ...(isJsonObject(value) ? { value: knownValue(value) } : {}),
  }));
}

function knownValue(value: JsonObject): JsonObject {
  const { arrayValue, kvlistValue } = value;
  return {
    ...pick(value, plainValues),
    ...(isJsonObject(arrayValue)
      ? { arrayValue: { values: listOf(arrayValue.values).map(knownItem) } }
      : {}),
    ...(isJsonObject(kvlistValue)
      ? { kvlistValue: { values: knownPairs(kvlistValue.values) } }
      : {}),
  };
}

/** Null in a list is an item without a value. */
function knownItem(item: unknown): JsonObject {
  return isJsonObject(item) ? knownValue(item) : {};
}

function pick(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  );
}

function objectsIn(list: unknown): readonly JsonObject[] {
  return listOf(list).filter(isJsonObject);
}

function listOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}
