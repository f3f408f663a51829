import { parametersScript } from './javascript-parameters';

/**
 * Runs a JavaScript function inside a box: reads the source and then one subject a line from
 * descriptor 9, and writes one result a line to descriptor 3 (protocol: `lines.ts`). The patched
 * modules are not a security boundary: they only turn processes and sockets into clear errors. The
 * sandbox is the boundary.
 */
export const javascriptHarness = String.raw`
'use strict';
const fs = require('node:fs');
const net = require('node:net');
const vm = require('node:vm');
const { spawnSync } = require('node:child_process');
const { AsyncLocalStorage } = require('node:async_hooks');
const { createRequire, syncBuiltinESMExports } = require('node:module');
const { parse, stringify } = JSON;
const { writeSync, fstatSync, ftruncateSync, readSync } = fs;
const { isFinite } = Number;
const now = performance.now.bind(performance);
const textOf = (value) => String(value);

let kept, most, longest;
const printed = fs.openSync('/tmp/output', 'r+');
const owners = new AsyncLocalStorage();

function send(text) {
  let rest = Buffer.from('\n' + text + '\n');
  while (rest.length > 0) rest = rest.subarray(writeSync(3, rest));
}

class Unsuitable extends Error {}

function lastLine(error) {
  let text;
  try {
    text = error instanceof Error || (typeof error === 'object' && error !== null && 'message' in error)
      ? textOf(error.name) + ': ' + textOf(error.message)
      : 'threw ' + textOf(error);
  } catch {
    text = 'threw a value that has no text';
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, longest);
}

function lineOf(error) {
  try {
    const found = /evaluate\.m?js:(\d+)/.exec(textOf(error.stack));
    return found === null ? null : Number(found[1]);
  } catch {
    return null;
  }
}

function dump(value) {
  if (value === undefined) return 'null';
  const text = stringify(value, (_name, each) => {
    if (typeof each === 'number' && !isFinite(each))
      throw new Unsuitable('the result has NaN or an infinite number');
    return each;
  });
  if (text === undefined)
    throw new Unsuitable('evaluate returned a ' + typeof value + '; return a number, a boolean, null, an object or a list');
  if (text.length > most[1])
    throw new Unsuitable('the result has ' + text.length + ' characters as JSON; the limit is ' + most[1]);
  return text;
}

function takePrinted() {
  const { size } = fstatSync(printed);
  if (size === 0) return ['', 0];
  const bytes = Buffer.alloc(Math.min(size, kept));
  readSync(printed, bytes, 0, bytes.length, 0);
  ftruncateSync(printed, 0);
  return [bytes.toString('utf8'), size];
}

function forbid() {
  const refuse = (reason) => () => {
    throw new Error(reason);
  };
  const noProcess = refuse('a function cannot start processes');
  const noNetwork = refuse('a function has no network');
  const processes = require('node:child_process');
  processes.ChildProcess.prototype.spawn = noProcess;
  for (const name of ['spawnSync', 'execSync', 'execFileSync']) processes[name] = noProcess;
  net.Socket.prototype.connect = noNetwork;
  net.Server.prototype.listen = noNetwork;
  const datagrams = require('node:dgram');
  datagrams.createSocket = noNetwork;
  datagrams.Socket.prototype.bind = noNetwork;
  datagrams.Socket.prototype.send = noNetwork;
  syncBuiltinESMExports();
}

${parametersScript}

const header = ['exports', 'require', 'module', '__filename', '__dirname'];
const isModule = (source) => /^\s*(?:import\b\s*[^(]|export\b)/m.test(source);
const found = 'typeof evaluate === "undefined" ? undefined : evaluate';

/** CommonJS in a function, as Node does; a module with import, export or await as a file. */
async function load(source) {
  if (!isModule(source)) {
    let script;
    try {
      script = vm.compileFunction(source + '\n;return ' + found + ';', header, {
        filename: 'evaluate.js',
        importModuleDynamically: vm.constants && vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      });
    } catch (error) {
      if (!/\bawait\b/.test(source)) return ['syntax', lastLine(error), lineOf(error)];
    }
    if (script !== undefined) return loadScript(script);
  }
  fs.writeFileSync('/tmp/evaluate.mjs', source + '\nexport const __assayFound = ' + found + ';\n');
  try {
    const names = await import('/tmp/evaluate.mjs');
    return [names.__assayFound ?? names.evaluate ?? names.default];
  } catch (error) {
    return error instanceof SyntaxError
      ? ['syntax', lastLine(error), lineOf(error) ?? lineInModule()]
      : ['load', lastLine(error), lineOf(error)];
  }
}

/** The loader of modules reports where a syntax error is only when the program ends by it. */
function lineInModule() {
  const { stderr } = spawnSync(process.execPath, ['--check', '/tmp/evaluate.mjs'], { timeout: 5_000 });
  return lineOf({ stack: stderr });
}

function loadScript(script) {
  const module = { exports: {} };
  try {
    const local = script(module.exports, createRequire('/tmp/evaluate.js'), module, '/tmp/evaluate.js', '/tmp');
    const { exports } = module;
    return [local ?? exports.evaluate ?? exports.default ?? exports];
  } catch (error) {
    return ['load', lastLine(error), lineOf(error)];
  }
}

let failCurrent = null;
let current = null;
process.on('uncaughtException', (error) => {
  // An error of an earlier subject, such as one from its timer, is not this subject's.
  if (failCurrent !== null && owners.getStore() === current) failCurrent(error);
});
process.on('unhandledRejection', () => undefined);

async function answer(call, [token, args]) {
  const begun = now();
  let state = 'ok';
  let body;
  let line = null;
  try {
    current = token;
    let value = owners.run(token, call, args);
    if (value !== null && typeof value === 'object' && typeof value.then === 'function') {
      const failed = new Promise((_resolve, reject) => {
        failCurrent = reject;
      });
      value = await Promise.race([value, failed]);
    }
    body = dump(value);
  } catch (error) {
    state = 'bad';
    const isOwn = error instanceof Unsuitable;
    body = stringify(isOwn ? error.message : lastLine(error));
    line = isOwn ? null : lineOf(error);
  }
  failCurrent = null;
  const took = now() - begun;
  const [text, size] = takePrinted();
  if (size > most[0]) {
    state = 'bad';
    body = stringify('printed ' + size + ' bytes; the limit is ' + most[0]);
    line = null;
  }
  send('["' + token + '",' + took.toFixed(3) + ',"' + state + '",' + body + ',' + stringify(text) + ',' + stringify(line) + ']');
}

async function begin([source, _packages, ...limits]) {
  [kept, most, longest] = limits;
  forbid();
  const loaded = await load(source);
  takePrinted();
  if (loaded.length === 3) return send(stringify(['fault', ...loaded]));
  const [evaluate] = loaded;
  const signature = signatureOf(evaluate);
  if (typeof signature === 'string') return send(stringify(['fault', 'signature', signature, null]));
  const { names, isObject, takesAll } = signature;
  send(stringify(['ready', names, takesAll]));
  return isObject ? (args) => evaluate(args) : (args) => evaluate(...names.map(([name]) => args[name]));
}

const waiting = [];
let call = null;
let isBusy = false;
async function pump() {
  if (isBusy) return;
  isBusy = true;
  while (waiting.length > 0) {
    const message = parse(waiting.shift());
    if (call === null) call = (await begin(message)) ?? process.exit(0);
    else await answer(call, message);
  }
  isBusy = false;
}

let partial = [];
new net.Socket({ fd: 9, readable: true, writable: false })
  .setEncoding('utf8')
  .on('data', (part) => {
    const pieces = part.split('\n');
    partial.push(pieces[0]);
    for (const piece of pieces.slice(1)) {
      waiting.push(partial.join(''));
      partial = [piece];
    }
    void pump();
  })
  .on('end', () => process.exit(0));
`;
