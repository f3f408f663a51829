// Imported by the tests of JavaScript code in place of the code, which runs in another sandbox.
// Values that the code returns are rebuilt here from data, so the code never sees the expected
// values. An object of the code that is not plain data stays there: its methods can be called, and
// comparing it proves nothing, because the code would decide the result.
import { scriptValuesPath } from './script-values';

export const scriptTestSidePath = '/opt/assay/assay-link.cjs';

/** How the tests' process loads a module: as a CommonJS module or as an ES module. */
export type ModuleFormat = 'require' | 'import';

/**
 * The content of a module file before the runner has requested the names of its exports from the
 * code's sandbox.
 */
export function scriptProxy(path: string, format: ModuleFormat): string {
  const open = `(${JSON.stringify(path)}, ${JSON.stringify(format)}, [])`;
  if (format === 'require')
    return `module.exports = require('${scriptTestSidePath}').open${open};\n`;
  return `import { createRequire } from 'node:module';\ncreateRequire(import.meta.url)('${scriptTestSidePath}').open${open};\n`;
}

export const scriptTestSide = String.raw`
'use strict';
const fs = require('node:fs');
const { createTable, receive, refusedKeys, send } = require('${scriptValuesPath}');

const { clearTimeout, console, process, queueMicrotask, setTimeout } = globalThis;
const notes = '/tmp/assay-notes';
const { appendFileSync, readFileSync, writeFileSync } = fs;

// Why the run proves nothing, or cannot pass; the runner reports it at the end.
const note = (kind, text) => appendFileSync(notes, JSON.stringify([kind, String(text).slice(0, 300)]) + '\n');
const noted = () => {
  try {
    return readFileSync(notes, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));
  } catch {
    return [];
  }
};
class Unproven extends Error {}
const unproven = (reason) => {
  note('unproven', reason);
  return new Unproven(reason);
};
const noAnswer = 'the process of the code sent an invalid answer';
const compared = () => unproven('the tests compare an object of the code, and the code would decide the result');
const ended = () => {
  note('fail', 'the process of the code has ended');
  return new Error('the process of the code has ended');
};

const pending = new Map();
const followers = new Map();
const methods = new Set(['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn']);
let isOver = false;

const receiveAnswer = () => {
  try {
    const answer = receive();
    if (answer === null || (typeof answer === 'object' && !Array.isArray(answer))) return answer;
  } catch {}
  throw unproven(noAnswer);
};

const show = ([name, args]) => {
  if (name === 'stdout' || name === 'stderr') process[name].write(String(args[0]));
  else if (methods.has(name)) console[name](...args);
};

/** Sends a request, applies the changes in its answer, and returns or throws its values. */
const ask = (kind, fixed = {}, values = []) => {
  if (isOver) throw ended();
  send({ do: kind, ...fixed, ...table.pack(values) });
  const answer = receiveAnswer();
  if (answer === null) {
    isOver = true;
    throw ended();
  }
  if (answer.unproven !== undefined) throw unproven(String(answer.unproven));
  let result;
  let printed;
  try {
    table.take(answer.h);
    result = answer.v.map(table.valueOf);
    printed = answer.printed.map(([name, args]) => [name, args.map(table.valueOf)]);
    for (const [path, name, form] of answer.exports) followers.get(path)?.(name, table.valueOf(form));
    for (const [id, threw, form] of answer.settled) settle(id, threw === true, table.valueOf(form));
  } catch (error) {
    throw error instanceof Unproven ? error : unproven(noAnswer);
  }
  printed.forEach(show);
  if (answer.fault !== undefined) note('fail', 'the code has an error that it does not handle: ' + String(answer.fault));
  if (answer.threw === true) throw result[0];
  return result;
};

const settle = (id, threw, value) => {
  const found = pending.get(id);
  pending.delete(id);
  if (found === undefined) throw new TypeError('no promise');
  if (threw) found.reject(value);
  else found.resolve(value);
};

// The event loop of the code runs while that of the tests does.
let timer;
const turn = (wait) => {
  try {
    if (!isOver) ask('turn', { wait });
  } catch (error) {
    for (const { reject } of pending.values()) reject(error);
    pending.clear();
  }
};
const schedule = () => {
  clearTimeout(timer);
  if (isOver) return;
  timer = setTimeout(() => {
    turn(pending.size > 0 ? 4 : 0);
    schedule();
  }, pending.size > 0 ? 0 : 5);
  if (pending.size === 0) timer.unref?.();
};

const protos = new Map();

const find = (proxy, key) => {
  if (typeof key === 'string') {
    if (key === 'asymmetricMatch' || key === '$$typeof') throw compared();
    return ask('get', { key }, [proxy])[0];
  }
  if (key === Symbol.iterator || key === Symbol.asyncIterator) return ask('get', { symbol: key === Symbol.iterator ? 'iterator' : 'asyncIterator' }, [proxy])[0];
  if (key !== Symbol.toPrimitive) return undefined;
  return (hint) => {
    if (hint !== 'string') throw compared();
    return String(ask('text', {}, [proxy])[0]);
  };
};

const selfOf = (self) => {
  if (self === undefined || self === null || (typeof self === 'object' && self[Symbol.toStringTag] === 'Module')) return undefined;
  return self;
};

const makeHandle = (id, isFunction) => {
  const proxy = new Proxy(isFunction ? function () {} : {}, {
    get: (target, key) => (key === Symbol.hasInstance && isFunction ? Function.prototype[key] : find(proxy, key)),
    set: (target, key, value) => {
      if (typeof key !== 'string') throw unproven('the tests set a symbol of an object of the code');
      return ask('set', { key }, [proxy, value])[0] === true;
    },
    has: (target, key) => {
      if (key === 'asymmetricMatch') throw compared();
      if (typeof key === 'string') return ask('has', { key }, [proxy])[0] === true;
      return (key === Symbol.iterator || key === Symbol.asyncIterator) && find(proxy, key) !== undefined;
    },
    deleteProperty: (target, key) => typeof key === 'string' && ask('delete', { key }, [proxy])[0] === true,
    getPrototypeOf: () => protos.get(proxy) ?? null,
    ownKeys: (target) => {
      if (!isFunction) throw compared();
      return [...new Set([...Reflect.ownKeys(target), ...ask('keys', {}, [proxy]).map(String)])];
    },
    getOwnPropertyDescriptor: (target, key) => {
      const own = Reflect.getOwnPropertyDescriptor(target, key);
      if (own !== undefined || typeof key !== 'string') return own;
      const [isOwn, value] = ask('own', { key }, [proxy]);
      return isOwn === true ? { value, writable: true, enumerable: true, configurable: true } : undefined;
    },
    defineProperty: () => { throw unproven('the tests define a property of an object of the code'); },
    setPrototypeOf: () => { throw unproven('the tests change the class of an object of the code'); },
    preventExtensions: () => { throw unproven('the tests freeze an object of the code'); },
    apply: (target, self, args) => ask('call', {}, [proxy, selfOf(self), ...args])[0],
    construct: (target, args, made) => {
      if (made !== proxy) throw unproven('the tests derive a class from one of the code');
      const value = ask('new', {}, [proxy, ...args])[0];
      if (value === null || !['object', 'function'].includes(typeof value)) throw unproven(noAnswer);
      return value;
    },
  });
  return proxy;
};

const describe = (value) => {
  if (typeof value === 'function') throw unproven('the tests pass a function to the code');
  if (typeof value === 'symbol') throw unproven('the tests pass a symbol of their own to the code');
  if (typeof value.then === 'function') throw unproven('the tests pass a promise to the code');
  throw unproven('the tests pass an object to the code that is no plain data');
};

const promiseOf = (id) => {
  const made = new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
  queueMicrotask(() => {
    if (pending.has(id)) turn(0);
    schedule();
  });
  return made;
};

const make = (kind, id, forms) => {
  if (kind === 'Promise') return promiseOf(id);
  if (kind === 'Symbol') return Symbol(forms[0] === undefined ? undefined : String(forms[0]));
  if (kind === 'ErrorPrototype') return Object.create(Error.prototype);
  if (kind !== 'Function' && kind !== 'Handle') throw new TypeError('no kind');
  return makeHandle(id, kind === 'Function');
};

const finish = (kind, value, content) => {
  if (kind === 'Function' || kind === 'Handle') {
    const [proto] = content;
    if (proto !== null && !['object', 'function'].includes(typeof proto)) throw new TypeError('no prototype');
    protos.set(value, proto);
  }
  if (kind !== 'ErrorPrototype') return;
  const [parent, made, ...rest] = content;
  if (parent !== Error.prototype && !Object.prototype.isPrototypeOf.call(Error.prototype, parent)) throw new TypeError('no error');
  Object.setPrototypeOf(value, parent);
  Object.defineProperty(value, 'constructor', { value: made, writable: true, configurable: true });
  for (let at = 0; at < rest.length; at += 3) {
    const key = String(rest[at]);
    if (refusedKeys.has(key)) continue;
    const found = rest[at + 1] === true ? { value: rest[at + 2], writable: true } : { get() { return ask('get', { key }, [this])[0]; } };
    if (typeof found.value === 'function' || (typeof found.value === 'object' && found.value !== null)) throw new TypeError('no data');
    Object.defineProperty(value, key, { ...found, configurable: true });
  }
};

const table = createTable(1, {
  describe,
  make,
  finish,
  changed: () => unproven('the tests change plain data of the code into an object of another kind'),
  tooMany: () => unproven('the tests and the code share too many values'),
});

/**
 * The exports of a CommonJS module: an object of functions is created here, so that its names can
 * be listed.
 */
const exportsOf = (value) => {
  if (value === null || typeof value !== 'object' || !protos.has(value)) return value;
  const [isModule, ...names] = ask('exports', {}, [value]);
  if (isModule !== true) return value;
  const made = {};
  table.replace(value, made);
  for (let at = 0; at < names.length; at += 2) {
    const key = String(names[at]);
    if (key === '__proto__') continue;
    Object.defineProperty(made, key, {
      get: () => ask('get', { key }, [made])[0],
      set: (item) => { ask('set', { key }, [made, item]); },
      enumerable: names[at + 1] === true,
      configurable: true,
    });
  }
  return made;
};

/** @param follow receives exports that the code changes later */
const open = (path, how, names, follow) => {
  schedule();
  const values = ask('open', { path, how, names });
  if (how === 'require') return exportsOf(values[0]);
  if (follow === undefined) throw unproven('the tests import ' + path + ' by a path that they compute');
  followers.set(path, follow);
  return values;
};

const isName = (text) => /^[A-Za-z_$][\w$]*$/.test(text);
const link = JSON.stringify(__filename);
const moduleText = (path, how, names) => {
  const given = JSON.stringify(path) + ', ' + JSON.stringify(how) + ', ' + JSON.stringify(names);
  if (how === 'require') return 'module.exports = require(' + link + ').open(' + given + ');\nif (0) { ' + names.filter(isName).map((name) => 'exports.' + name + ' = 0;').join(' ') + ' }\n';
  const lets = names.map((name, at) => 'v' + at);
  const head = "import { createRequire } from 'node:module';\nconst names = " + JSON.stringify(names) + ';\n';
  if (names.length === 0) return head + 'createRequire(import.meta.url)(' + link + ').open(' + given + ', () => {});\nexport {};\n';
  const set = lets.map((one, at) => 'if (name === names[' + at + ']) ' + one + ' = value;').join('\n  ');
  const open = 'let [' + lets.join(', ') + '] = createRequire(import.meta.url)(' + link + ').open(' + given + ', (name, value) => {\n  ' + set + '\n});\n';
  return head + open + 'export { ' + lets.map((one, at) => one + ' as ' + (isName(names[at]) ? names[at] : JSON.stringify(names[at]))).join(', ') + ' };\n';
};

/** Writes the modules that the tests import, with the names that the code exports. */
const prepare = (modules) => {
  for (const { path, how } of modules) {
    send({ do: 'names', path, how });
    let names = null;
    try {
      ({ names } = receive() ?? {});
    } catch {}
    if (!Array.isArray(names)) return note('unproven', noAnswer);
    const own = names.filter((name) => typeof name === 'string' && name !== '__esModule' && name.isWellFormed());
    writeFileSync('/box/' + path, moduleText(path, how, own));
  }
};

module.exports = { noted, open, prepare };
`;
