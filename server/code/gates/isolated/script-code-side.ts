// Runs in the sandbox of JavaScript code whose tests run in another one: it loads modules, calls
// functions and answers with values. It never receives the values that the tests compare an answer
// with. Between two requests the code is paused, as when tests run in its own process; a `turn`
// lets its event loop run.
export const scriptCodeSidePath = '/opt/assay/serve-code.cjs';
export const serveVitestPath = '/opt/assay/serve-vitest.mjs';

/**
 * The file that Vitest runs in the sandbox of the code, so that modules are loaded as in a test.
 */
export const serveVitestFile = 'assay-serve.test.mjs';

export const scriptCodeSide = String.raw`
'use strict';
const { createRequire } = require('node:module');
const { inspect, types } = require('node:util');
const { createTable, receive, refusedKeys, send } = require('/opt/assay/assay-values.cjs');

const { setImmediate } = globalThis;
const { now } = Date;
const then = Function.prototype.call.bind(Promise.prototype.then);
const requireFrom = createRequire('/box/');
const printed = [];
const faults = [];
const settled = [];
const opened = new Map();
const loaded = new Map();

const isErrorPrototype = (value) =>
  value !== null && typeof value === 'object' && Error.prototype.isPrototypeOf(value) && !types.isNativeError(value) && Object.hasOwn(value, 'constructor');

const describe = (value, id) => {
  if (typeof value === 'symbol') return { kind: 'Symbol', content: [value.description] };
  if (types.isProxy(value)) return { kind: typeof value === 'function' ? 'Function' : 'Handle', content: [null] };
  if (types.isPromise(value)) {
    then(value, (result) => settled.push([id, false, result]), (error) => settled.push([id, true, error]));
    return { kind: 'Promise', content: [] };
  }
  if (isErrorPrototype(value)) {
    const content = [Object.getPrototypeOf(value), value.constructor];
    for (const key of Object.getOwnPropertyNames(value)) {
      if (refusedKeys.has(key)) continue;
      const found = Object.getOwnPropertyDescriptor(value, key);
      const isData = 'value' in found && (found.value === null || !['function', 'object'].includes(typeof found.value));
      content.push(key, isData, isData ? found.value : null);
    }
    return { kind: 'ErrorPrototype', content };
  }
  return { kind: typeof value === 'function' ? 'Function' : 'Handle', content: [Object.getPrototypeOf(value)] };
};
const unproven = (text) => Object.assign(new Error(text), { isUnproven: true });
const table = createTable(2, {
  describe,
  make: () => { throw new TypeError('no data'); },
  finish: () => {},
  changed: () => unproven('the code changes plain data into an object of another kind'),
  tooMany: () => unproven('the tests and the code share too many values'),
});

// Printed text is passed on with the next answer.
for (const name of ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn']) console[name] = (...args) => { printed.push([name, args]); };
for (const [name, stream] of [['stdout', process.stdout], ['stderr', process.stderr]]) {
  stream.write = (chunk, encoding, done) => {
    printed.push([name, [typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString()]]);
    const after = [encoding, done].find((one) => typeof one === 'function');
    if (after) process.nextTick(after);
    return true;
  };
}
const isShown = (value) => value === null || !['object', 'function', 'symbol'].includes(typeof value);
const isData = (value, depth) =>
  isShown(value) ||
  (depth < 20 && [null, Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)) && Object.values(value).every((item) => isData(item, depth + 1)));

const asData = (value) => (isData(value, 0) ? value : inspect(value));

for (const name of ['uncaughtException', 'unhandledRejection'])
  process.on(name, (error) => faults.push(String((error && error.message) || error)));

const moduleOf = ({ path, how }) => loaded.get(how + ' ' + path);
const namesOf = (value) => (value !== null && ['object', 'function'].includes(typeof value) ? Object.getOwnPropertyNames(value) : []);
const builtinNames = new Set(['length', 'name', 'prototype', 'arguments', 'caller']);
const exportNames = (value) => namesOf(value).filter((name) => typeof value !== 'function' || !builtinNames.has(name));

/** Functions of a module are sent once; anything else is sent again when it changes. */
const changedExports = () => {
  const changed = [];
  for (const [path, { value, sent }] of opened) {
    for (const [name, before] of sent) {
      let current = before;
      try {
        current = value[name];
      } catch {}
      if (Object.is(current, before)) continue;
      sent.set(name, current);
      changed.push([path, name, current]);
    }
  }
  return changed;
};

const keyOf = ({ key, symbol }) => (symbol === undefined ? key : Symbol[symbol]);
const act = {
  open({ path, how, names }) {
    const found = moduleOf({ path, how });
    if (found === undefined) throw unproven('the tests import ' + path + ' by a path that they compute');
    printed.unshift(...found.printed.splice(0));
    if ('error' in found) throw found.error;
    if (how === 'require') return [found.value];
    const sent = new Map(names.map((name) => [name, found.value[name]]));
    opened.set(path, { value: found.value, sent });
    return [...sent.values()];
  },
  exports: (asked, value) => {
    const isModule = value !== null && typeof value === 'object' && !types.isProxy(value) && [null, Object.prototype].includes(Object.getPrototypeOf(value));
    return [isModule, ...(isModule ? exportNames(value).flatMap((name) => [name, Object.getOwnPropertyDescriptor(value, name).enumerable]) : [])];
  },
  get: (asked, value) => [Object(value)[keyOf(asked)]],
  set: ({ key }, value, item) => [Reflect.set(value, key, item)],
  has: (asked, value) => [keyOf(asked) in value],
  delete: ({ key }, value) => [Reflect.deleteProperty(value, key)],
  keys: (asked, value) => exportNames(value).filter((name) => Object.prototype.propertyIsEnumerable.call(value, name)),
  own: ({ key }, value) => [Object.hasOwn(value, key), Object.hasOwn(value, key) ? value[key] : undefined],
  call: (asked, value, self, ...args) => [Reflect.apply(value, self, args)],
  new: (asked, value, ...args) => [Reflect.construct(value, args)],
  text: (asked, value) => [String(value)],
};

const reply = (work) => {
  const answer = { threw: false };
  let values = [];
  try {
    values = work();
  } catch (error) {
    if (error && error.isUnproven === true) answer.unproven = error.message;
    else [answer.threw, values] = [true, [error]];
  }
  try {
    const said = printed.splice(0).map(([name, args]) => [name, args.map(asData)]);
    const changes = changedExports();
    const ends = settled.splice(0);
    const all = [...values, ...said.flatMap(([, args]) => args), ...changes.map(([, , value]) => value), ...ends.map(([, , value]) => value)];
    const { v, h } = table.pack(all);
    let at = values.length;
    answer.v = v.slice(0, at);
    answer.h = h;
    answer.printed = said.map(([name, args]) => [name, v.slice(at, (at += args.length))]);
    answer.exports = changes.map(([path, name]) => [path, name, v[at++]]);
    answer.settled = ends.map(([id, threw]) => [id, threw, v[at++]]);
    if (faults.length > 0) answer.fault = faults.splice(0)[0];
    send(answer);
  } catch (error) {
    send({ unproven: error && error.isUnproven === true ? error.message : 'an answer cannot be passed between processes' });
  }
};

/** Modules are loaded once, at the first import by any test. */
const load = async (asked, importModule) => {
  const key = asked.how + ' ' + asked.path;
  if (loaded.has(key)) return;
  const found = { printed: [] };
  const before = printed.splice(0);
  try {
    found.value = asked.how === 'require' ? requireFrom('/box/' + asked.path) : await importModule('/box/' + asked.path);
  } catch (error) {
    found.error = error;
  }
  found.printed = printed.splice(0);
  printed.push(...before);
  loaded.set(key, found);
};

const serve = (importModule) =>
  new Promise(() => {
    const waitFor = (asked) => {
      const until = now() + asked.wait;
      const poll = () => {
        if (settled.length === 0 && now() < until) return setImmediate(poll);
        reply(() => []);
        step();
      };
      setImmediate(poll);
    };
    const step = () => {
      for (;;) {
        const asked = receive();
        if (asked === null) process.exit(0);
        if (asked.do === 'turn') return waitFor(asked);
        if (asked.do === 'names') {
          void load(asked, importModule).then(() => {
            const found = moduleOf(asked);
            send({ names: exportNames(found.value) });
            setImmediate(step);
          });
          return;
        }
        reply(() => {
          table.take(asked.h);
          return act[asked.do](asked, ...asked.v.map(table.valueOf));
        });
      }
    };
    setImmediate(step);
  });

module.exports = { serve };
if (require.main === module) serve((path) => import(path));
`;

export const serveVitest = String.raw`
const { startVitest } = await import('/box/node_modules/vitest/dist/node.js');
await startVitest('test', [], {
  root: '/box', config: false, watch: false, include: ['${serveVitestFile}'], exclude: [], reporters: [{}], pool: 'threads', maxWorkers: 1,
  globals: true, testTimeout: 0, cache: false, coverage: { enabled: false },
}, { configFile: false, cacheDir: '/tmp/vite', envDir: false, publicDir: false, server: { fs: { strict: false } }, logLevel: 'error' });
process.exit(0);
`;

export const serveVitestTest = String.raw`
import { createRequire } from 'node:module';
test('serves the code', () => createRequire(import.meta.url)('/opt/assay/serve-code.cjs').serve((path) => import(/* @vite-ignore */ path)));
`;
