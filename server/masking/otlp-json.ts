import {
  type ChildOf,
  type JsonChild,
  type JsonFrame,
  maskedValue,
  maskJson,
  valueEnd,
} from './mask-json';
import type { Masker } from './masker';
import { allChildren, followPaths, type PathStates, startPaths } from './paths';

/** A value of an attribute as protobuf and JSON share it: integers are digits, bytes Base64. */
export type AttributeJson =
  | string
  | number
  | boolean
  | null
  | readonly AttributeJson[]
  | { readonly [key: string]: AttributeJson };

/** The states of the paths in the attributes of a resource, a span, an event or a record. */
export const attributePaths = ({ rules }: Masker): PathStates =>
  followPaths(startPaths(rules.paths), 'attributes') ?? allChildren;

/**
 * Masks a request in OTLP/JSON: all texts but ids, and attributes at a path. The same bytes if
 * nothing is to be masked.
 */
export function maskOtlpJson(bytes: Buffer, masker: Masker): Buffer {
  return maskJson(bytes, {
    masker,
    states: [],
    childOf: childrenOf(attributePaths(masker)),
    isKept,
    wholeOf: (value) => {
      // The text of a log record's body; any other value is an object.
      if (typeof value === 'string') return maskedValue(masker, value);
      const plain = plainOf(value);
      return plain === null ? value : { stringValue: maskedValue(masker, plain) };
    },
    bytesMember: 'bytesValue',
  });
}

const ID = /^(?:[0-9a-f]{16}|[0-9a-f]{32})$/i;
const NUMBER = /^-?\d+$/;
const isKept = (member: string, text: string): boolean =>
  /^(?:traceId|spanId|parentSpanId)$/.test(member)
    ? ID.test(text)
    : /^(?:intValue|\w*imeUnixNano)$/.test(member) && NUMBER.test(text);

const ATTRIBUTE = /^(?:attributes|kvlistValue\.values)\[\]$/;
const TEXT_OF_VALUE = /^(?:stringValue|bytesValue|arrayValue|kvlistValue)$/;
const none: PathStates = [];

/** The paths apply to values of attributes, by key, and into lists and pairs of them. */
function childrenOf(attributes: PathStates): ChildOf {
  return (frame, bytes): JsonChild => {
    const { states, label, role, step } = frame;
    if (typeof step === 'number') {
      const isItem = role === 'arrayValue.values';
      return { states: isItem ? followPaths(states, step) : states, label, role: `${role}[]` };
    }
    if (step === 'attributes') return { states: attributes, label: '', role: step };
    // The members of a log record's body become attributes, and a text its content.
    if (step === 'body') return { states: attributes, label: '', role: step };
    if (step === 'stringValue' && role === 'body')
      return { states: followPaths(states, 'content'), label: 'content', role: step };
    if (step === 'value' && ATTRIBUTE.test(role)) {
      const key = keyOf(frame, bytes);
      return { states: followPaths(states, key), label: key, role: step };
    }
    if (step === 'values') return { states, label, role: `${role}.values` };
    if (TEXT_OF_VALUE.test(step)) return { states, label, role: step };
    return { states: none, label: '', role: step };
  };
}

/** Objects of this depth whose key follows their value are refused later. */
const DEPTH_MAX = 500;

/** The key of an attribute, which may follow the value. */
function keyOf({ key, depth, start }: JsonFrame, bytes: Buffer): string {
  if (key !== null || depth > DEPTH_MAX) return key ?? '';
  const pair: unknown = JSON.parse(bytes.toString('utf8', start, valueEnd(bytes, start)));
  return isObject(pair) && typeof pair.key === 'string' ? pair.key : '';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function plainOf(value: unknown, depth = 0): AttributeJson {
  if (!isObject(value) || depth > DEPTH_MAX) return null;
  const { stringValue, bytesValue, intValue, doubleValue, boolValue, arrayValue, kvlistValue } =
    value;
  if (typeof stringValue === 'string') return stringValue;
  if (typeof bytesValue === 'string') return Buffer.from(bytesValue, 'base64').toString('base64');
  if (typeof intValue === 'string' || typeof intValue === 'number') return String(intValue);
  if (typeof doubleValue === 'string' || typeof doubleValue === 'number')
    return Number(doubleValue);
  if (typeof boolValue === 'boolean') return boolValue;
  if (isObject(arrayValue)) return itemsOf(arrayValue).map((item) => plainOf(item, depth + 1));
  if (!isObject(kvlistValue)) return null;
  return Object.fromEntries(
    itemsOf(kvlistValue).map((pair) =>
      isObject(pair) && typeof pair.key === 'string'
        ? [pair.key, plainOf(pair.value, depth + 1)]
        : ['', null],
    ),
  );
}

const itemsOf = (list: unknown): readonly unknown[] =>
  isObject(list) && Array.isArray(list.values) ? list.values : [];
