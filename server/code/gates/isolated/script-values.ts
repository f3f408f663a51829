// The transfer of values between the sandboxes of tests in JavaScript and of the code that they
// call. Both sides keep a table of the objects that they share: an object has one number and one
// copy on each side, and each message carries the changes in any of them. So identity, cycles and
// changes in place are preserved, and only data passes. The two sides decide how to handle objects
// that are not plain data.
export const scriptValuesPath = '/opt/assay/assay-values.cjs';

export const scriptValues = String.raw`
'use strict';
const fs = require('node:fs');
const { types } = require('node:util');

const LINK = 5;
const mostBytes = 256 * 1024 * 1024;
const mostSlots = 2_000_000;
const { Atomics, Buffer, Int32Array, JSON, Map, Object, Reflect, SharedArrayBuffer, Symbol } = globalThis;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;
const { readSync, writeSync } = fs;

// A descriptor of the second sandbox does not block: the first retry is immediate, the next ones
// wait.
const waiter = new Int32Array(new SharedArrayBuffer(4));
const patiently = (work) => {
  for (let tries = 0; ; tries += 1) {
    try {
      return work();
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      if (tries > 100) Atomics.wait(waiter, 0, 0, tries > 1000 ? 1 : 0.05);
    }
  }
};

const send = (message) => {
  let data = Buffer.from(JSON.stringify(message) + '\n');
  while (data.length > 0) data = data.subarray(patiently(() => writeSync(LINK, data)));
};

let rest = Buffer.alloc(0);

/** The next message; null if the other side has ended. */
const receive = () => {
  const parts = [rest];
  let size = rest.length;
  for (let part = rest; ; ) {
    const end = part.indexOf(10);
    if (end >= 0) {
      parts[parts.length - 1] = part.subarray(0, end);
      rest = part.subarray(end + 1);
      return JSON.parse(Buffer.concat(parts).toString('utf8'));
    }
    const chunk = Buffer.alloc(65536);
    let length = 0;
    try {
      length = patiently(() => readSync(LINK, chunk));
    } catch (error) {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') throw error;
    }
    size += length;
    if (length === 0) return null;
    if (size > mostBytes) throw new RangeError('a message is too long');
    part = chunk.subarray(0, length);
    parts.push(part);
  }
};

// Classes of the language that pass by name. Function is not among them: it turns text into code.
const shared = new Map();
const named = new Map();
const know = (name, value) => { shared.set(value, name); named.set(name, value); };
const errors = 'Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError'.split(' ');
const typedArrays = ('Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array ' +
  'Float64Array BigInt64Array BigUint64Array').split(' ');
const classes = 'Object Array Number String Boolean Symbol BigInt Date RegExp Map Set WeakMap WeakSet WeakRef Promise ArrayBuffer URL';
for (const name of [...classes.split(' '), ...errors, ...typedArrays]) {
  know(name, globalThis[name]);
  know(name + '.prototype', globalThis[name].prototype);
}
know('Buffer', Buffer);
know('Buffer.prototype', Buffer.prototype);
for (const [name, one] of [['Function', () => 0], ['AsyncFunction', async () => 0], ['Generator', function* () {}], ['AsyncGenerator', async function* () {}]])
  know(name + '.prototype', getPrototypeOf(one));

const exact = new Map([...typedArrays, 'Date', 'RegExp', 'Map', 'Set', 'ArrayBuffer', 'Buffer'].map((name) => [named.get(name + '.prototype'), name]));
const HOLE = Symbol('hole');

const markOf = (value) => (Object.isExtensible(value) ? 0 : Object.isFrozen(value) ? 3 : Object.isSealed(value) ? 2 : 1);

const isPlain = (value) => {
  const mark = markOf(value);
  return ownKeys(value).every((key) => {
    const found = getOwnPropertyDescriptor(value, key);
    return typeof key === 'string' && 'value' in found && typeof found.value !== 'function' && found.enumerable &&
      found.writable === mark < 3 && found.configurable === mark < 2;
  });
};

/** The kind of data; null for anything else. */
const kindOf = (value) => {
  if (typeof value !== 'object' || types.isProxy(value)) return null;
  if (types.isNativeError(value)) return 'Error';
  const proto = getPrototypeOf(value);
  if (Array.isArray(value)) return proto === Array.prototype ? 'Array' : null;
  if (proto === null || proto === Object.prototype) return isPlain(value) ? (proto === null ? 'Null' : 'Object') : null;
  return exact.get(proto) ?? null;
};

const pairsOf = (value) => Object.keys(value).flatMap((key) => [key, value[key]]);
const textKeys = new Set(['message', 'name']);
const refusedKeys = new Set(['asymmetricMatch', 'isEqualNode', 'then', 'constructor', '__proto__', '$$typeof', 'stack']);

/** The content of an object, as a flat list. */
const contentOf = (kind, value) => {
  switch (kind) {
    case 'Array': {
      const { length } = value;
      let isDense = length <= 1_000_000;
      for (let at = 0; isDense && at < length; at += 1) isDense = Object.hasOwn(value, at);
      if (!isDense) return [markOf(value), length, false, ...pairsOf(value)];
      const others = length > 10_000 ? [] : Object.keys(value).slice(length);
      const list = [markOf(value), length, true];
      for (let at = 0; at < length; at += 1) list.push(value[at]);
      for (const key of others) list.push(key, value[key]);
      return list;
    }
    case 'Object':
    case 'Null':
      return [markOf(value), ...pairsOf(value)];
    case 'Date':
      return [value.getTime()];
    case 'RegExp':
      return [value.source, value.flags, value.lastIndex];
    case 'Map':
      return [...value].flat();
    case 'Set':
      return [...value];
    case 'ArrayBuffer':
      return [Buffer.from(value).toString('hex')];
    case 'Error': {
      const list = [getPrototypeOf(value), String(value.stack)];
      for (const key of Object.getOwnPropertyNames(value)) {
        const found = getOwnPropertyDescriptor(value, key);
        if ('value' in found && !refusedKeys.has(key)) list.push(key, found.enumerable, found.value);
      }
      return list;
    }
    default:
      return [Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')];
  }
};

const bytesOf = (hex) => {
  const bytes = Buffer.from(hex, 'hex');
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
};

const emptyOf = (kind, forms) => {
  switch (kind) {
    case 'Array':
      return [];
    case 'Object':
      return {};
    case 'Null':
      return Object.create(null);
    case 'Date':
      return new Date(0);
    case 'RegExp':
      return new RegExp(forms[0], forms[1]);
    case 'Map':
      return new Map();
    case 'Set':
      return new Set();
    case 'ArrayBuffer':
      return bytesOf(forms[0]);
    case 'Buffer':
      return Buffer.from(forms[0], 'hex');
    case 'Error':
      return new Error();
    default:
      return new (named.get(kind))(bytesOf(forms[0]));
  }
};
const kinds = new Set(['Array', 'Object', 'Null', 'Error', ...exact.values()]);

const put = (value, key, item, enumerable = true) => {
  if (typeof key !== 'string' || typeof item === 'function') throw new TypeError('no data');
  defineProperty(value, key, { value: item, writable: true, enumerable, configurable: true });
};
const close = (value, mark) => (mark === 3 ? Object.freeze(value) : mark === 2 ? Object.seal(value) : mark === 1 ? Object.preventExtensions(value) : value);

/** Replaces the content of an object. */
const fill = (kind, value, content) => {
  if (Object.isExtensible(value) && (kind === 'Array' || kind === 'Object' || kind === 'Null' || kind === 'Error'))
    for (const key of ownKeys(value)) if (getOwnPropertyDescriptor(value, key).configurable) delete value[key];
  if (kind === 'Array') {
    const [mark, length, isDense, ...items] = content;
    if (!Object.isExtensible(value)) return;
    value.length = length;
    const dense = isDense ? length : 0;
    for (let at = 0; at < dense; at += 1) value[at] = items[at];
    for (let at = dense; at < items.length; at += 2) {
      if (/^(?:0|[1-9]\d*)$/.test(items[at])) value[items[at]] = items[at + 1];
      else put(value, items[at], items[at + 1]);
    }
    close(value, mark);
  } else if (kind === 'Object' || kind === 'Null') {
    const isOpen = Object.isExtensible(value);
    for (let at = 1; at < content.length; at += 2) {
      if (isOpen) put(value, content[at], content[at + 1]);
      else if (Object.hasOwn(value, content[at]) && typeof content[at + 1] !== 'function') Reflect.set(value, content[at], content[at + 1]);
    }
    close(value, content[0]);
  } else if (kind === 'Date') value.setTime(content[0]);
  else if (kind === 'RegExp') value.lastIndex = content[2];
  else if (kind === 'Map') {
    value.clear();
    for (let at = 0; at < content.length; at += 2) value.set(content[at], content[at + 1]);
  } else if (kind === 'Set') {
    value.clear();
    for (const item of content) value.add(item);
  } else if (kind === 'Error') {
    const [proto, stack] = content;
    if (proto !== Error.prototype && !Object.prototype.isPrototypeOf.call(Error.prototype, proto)) throw new TypeError('no error');
    Object.setPrototypeOf(value, proto);
    put(value, 'stack', String(stack), false);
    for (let at = 2; at < content.length; at += 3) {
      if (!refusedKeys.has(content[at]) && typeof content[at + 2] !== 'function') {
        // Tests search these with string methods.
        if (textKeys.has(content[at]) && typeof content[at + 2] === 'object') throw new TypeError('no text');
        put(value, content[at], content[at + 2], content[at + 1] === true);
      }
    }
  } else Buffer.from(kind === 'ArrayBuffer' ? value : value.buffer, value.byteOffset ?? 0, value.byteLength).write(content[0], 'hex');
};

/**
 * The objects that both sides know.
 * @param first number of the first object of this side; the next is two more
 * @param others handles objects that are not data: describe(value) gives a kind and a content, and
 * make(kind, id, forms) and finish(kind, value, content) are the other end
 */
const createTable = (first, others) => {
  const ids = new Map();
  const objects = new Map();
  let next = first;
  let waiting = [];
  let slots = 0;

  const add = (id, value, kind) => {
    ids.set(value, id);
    objects.set(id, { value, kind, before: null });
  };

  const formOf = (value) => {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0) ? value : { n: Object.is(value, -0) ? '-0' : String(value) };
      case 'undefined':
        return { u: 1 };
      case 'bigint':
        return { b: String(value) };
      case 'symbol':
        if (Symbol.keyFor(value) !== undefined) return { s: Symbol.keyFor(value) };
    }
    if (value === null) return null;
    if (shared.has(value)) return { g: shared.get(value) };
    if (!ids.has(value)) {
      const kind = kindOf(value);
      const other = kind === null ? others.describe(value, next) : null;
      add(next, value, kind ?? other.kind);
      waiting.push({ id: next, content: other?.content ?? null });
      next += 2;
    }
    return { r: ids.get(value) };
  };

  /** The values as text, with all new or changed objects. */
  const pack = (values) => {
    waiting = [];
    slots = 0;
    for (const [id, entry] of objects) {
      if (!kinds.has(entry.kind)) continue;
      if (kindOf(entry.value) !== entry.kind) throw others.changed();
      const content = contentOf(entry.kind, entry.value);
      slots += content.length;
      if (slots > mostSlots) throw others.tooMany();
      const { before } = entry;
      if (before.length !== content.length || content.some((item, at) => !Object.is(item, before[at]))) waiting.push({ id, content });
    }
    const v = values.map(formOf);
    const h = [];
    for (let at = 0; at < waiting.length; at += 1) {
      const { id, content: given } = waiting[at];
      const entry = objects.get(id);
      const content = given ?? contentOf(entry.kind, entry.value);
      entry.before = content;
      h.push([id, entry.kind, content.map(formOf)]);
    }
    return { v, h };
  };

  const valueOf = (form) => {
    if (form === null || typeof form !== 'object') return form;
    if ('r' in form) {
      if (!objects.has(form.r)) throw new TypeError('no object');
      return objects.get(form.r).value;
    }
    if ('g' in form) {
      if (!named.has(form.g)) throw new TypeError('no class');
      return named.get(form.g);
    }
    if ('n' in form) return Number(form.n);
    if ('b' in form) return BigInt(String(form.b));
    if ('s' in form) return Symbol.for(String(form.s));
    if ('u' in form) return undefined;
    throw new TypeError('no value');
  };

  /** Applies the objects in a message of the other side. */
  const take = (changes) => {
    for (const [id, kind, forms] of changes) {
      const known = objects.get(id);
      if (!Array.isArray(forms) || (known !== undefined && known.kind !== kind)) throw new TypeError('no object');
      if (known !== undefined) continue;
      if (!Number.isSafeInteger(id) || (id - first) % 2 === 0) throw new TypeError('no number');
      add(id, kinds.has(kind) ? emptyOf(kind, forms) : others.make(kind, id, forms), kind);
    }
    for (const [id, kind, forms] of changes) {
      const entry = objects.get(id);
      const content = forms.map(valueOf);
      if (!kinds.has(kind)) others.finish(kind, entry.value, content);
      else fill(kind, entry.value, content);
    }
    for (const [id, kind] of changes) if (kinds.has(kind)) objects.get(id).before = contentOf(kind, objects.get(id).value);
  };

  const replace = (before, value) => add(ids.get(before), value, objects.get(ids.get(before)).kind);
  return { pack, replace, take, valueOf };
};

module.exports = { createTable, receive, refusedKeys, send };
`;
