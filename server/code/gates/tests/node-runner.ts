// Loaded before a test script on Node. It counts assertions, records each failure, and freezes the
// functions that report it, so that code under test can replace neither them nor the ways a process
// ends. A script that stops by itself before its end, or that asserts nothing, proves nothing.
import { scriptTestSidePath } from '../isolated/script-test-side';

export const nodeRunnerPath = '/opt/assay/watch-tests.cjs';

export const nodeRunner = String.raw`
'use strict';
const fs = require('node:fs');
const assert = require('node:assert');
const Module = require('node:module');
const { nonce, test, mayCountNothing, modules } = JSON.parse(fs.readFileSync(0, 'utf8'));
const link = modules ? require('${scriptTestSidePath}') : null;
link?.prepare(modules);
const { writeSync } = fs;
const { from } = Buffer;
const { defineProperty, freeze } = Object;
const { apply } = Reflect;
const realExit = process.reallyExit.bind(process);
let lines = 0;
let checked = 0;
let isDone = false;
let failures = 0;
// Methods in their original form: code under test may change prototypes.
const call = Function.prototype.call;
const toText = call.bind(Buffer.prototype.toString);
const [slice, split, trim] = ['slice', 'split', 'trim'].map((name) => call.bind(String.prototype[name]));
const text = String;
const hex = (value) => toText(from(text(value)), 'hex');
const sendLine = (kind, id, message = '') => {
  const line = from(nonce + ' ' + kind + ' ' + hex(id) + ' ' + hex(message) + '\n');
  let at = 0;
  while (at < line.length) at += writeSync(3, line, at);
  lines += 1;
};
const fixed = (holder, name, value) => defineProperty(holder, name, { value, writable: false, configurable: false, enumerable: true });
const firstLine = (error) => String((error && error.stack) || error).split('\n').slice(0, 2).join(' ').slice(0, 400);
const end = (code) => {
  if (isDone) return;
  isDone = true;
  for (const [kind, text] of link?.noted() ?? []) {
    if (kind === 'fail') failures += 1;
    sendLine(kind, test, text);
  }
  if (failures === 0 && code === 0) {
    if (checked > 0 || mayCountNothing) sendLine('pass', test);
    else sendLine('fail', test, 'no assertion ran: use console.assert, node:assert or node:test');
  }
  sendLine('end', '', lines);
};
// A fake end is detected by any check after it: nothing may follow the last line.
const count = () => {
  checked += 1;
  if (isDone) sendLine('late', test);
};
sendLine('expect', test);
// Written at once, so that code under test cannot revoke it.
const fail = (message) => {
  failures += 1;
  if (failures <= 20 && !isDone) sendLine('fail', test, message);
};

const realAssert = console.assert.bind(console);
fixed(console, 'assert', (value, ...rest) => {
  count();
  if (!value) fail('Assertion failed' + (rest.length > 0 ? ': ' + slice(text(rest[0]), 0, 300) : ' at ' + trim(text(split(text(new Error().stack), '\n')[2]))));
  return realAssert(value, ...rest);
});
const counted = (real) => {
  const wrapper = function (...given) {
    count();
    return apply(real, this, given);
  };
  return wrapper;
};
// Node's own "match" checks whether it is still "assert.match", and inverts its meaning otherwise.
const { ok } = assert;
const exec = call.bind(RegExp.prototype.exec);
const match = (value, pattern, message) => {
  ok(typeof value === 'string' && exec(pattern, value) !== null, message || 'The input did not match ' + text(pattern));
};
for (const kind of [assert, assert.strict]) {
  kind.match = match;
  for (const name of Object.keys(kind)) {
    if (typeof kind[name] === 'function' && !['AssertionError', 'CallTracker', 'strict', 'Assert'].includes(name)) kind[name] = counted(kind[name]);
  }
}
// The function itself is called as assert(value): only its members can be replaced.
const asCalled = (real) => {
  const wrapper = counted(real);
  for (const name of Object.keys(real)) wrapper[name] = real[name];
  return wrapper;
};
const strict = asCalled(assert.strict);
const loose = asCalled(assert);
strict.strict = strict;
loose.strict = strict;
const given = new Map([['assert', loose], ['node:assert', loose], ['assert/strict', strict], ['node:assert/strict', strict]]);
freeze(strict);
freeze(loose);
freeze(assert.strict);
freeze(assert);
Module.syncBuiltinESMExports();
const realLoad = Module._load;
fixed(Module, '_load', function (name, ...rest) {
  return given.get(name) ?? apply(realLoad, this, [name, ...rest]);
});
fixed(Module.prototype, 'require', function (name) {
  return Module._load(name, this, false);
});

// Uncaught errors, handled first.
process.setUncaughtExceptionCaptureCallback((error) => {
  fail(firstLine(error));
  end(1);
  realExit(1);
});
const refused = () => { throw new Error('not while tests run'); };
fixed(process, 'setUncaughtExceptionCaptureCallback', refused);
for (const name of ['reallyExit', 'exit']) {
  fixed(process, name, (code) => {
    fail('the script called process.exit before its end');
    end(1);
    realExit(typeof code === 'number' && code !== 0 ? code : 1);
  });
}
const inspector = require('node:inspector');
for (const name of ['Session', 'open', 'url', 'waitForDebugger']) fixed(inspector, name, refused);
Module.syncBuiltinESMExports();
for (const name of ['abort', 'dlopen', 'binding', '_linkedBinding', 'getBuiltinModule']) if (name in process) fixed(process, name, refused);
// The process ends by itself when no work is left.
let naturally = false;
const on = process.on;
apply(on, process, ['beforeExit', () => { naturally = true; }]);
apply(on, process, ['exit', (code) => {
  if (!naturally) fail('the script ended before its end');
  if (code !== 0 && failures === 0) fail('exit code ' + code);
  end(code);
}]);
`;
