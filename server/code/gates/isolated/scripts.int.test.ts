// Tests in JavaScript and TypeScript that run in a separate box. The tables contain bodies of
// tests: each runs under every available runner, over the same code.
import { afterAll, describe, expect, it } from 'vitest';
import { firstOf } from '../../../../testing/first-of';
import { createBoxMonitor } from '../../../sandbox';
import type { GateResult, TestRunner } from '../gate';
import { runTests } from '../run-tests';
import { runnerKinds } from '../tests/runners';

const monitor = createBoxMonitor();
const state = await monitor.check();
afterAll(() => monitor.stop());

const body = `
class NotFound extends RangeError {
  constructor(key) { super('no ' + key); this.name = 'NotFound'; this.code = 404; }
  describe() { return this.name + ':' + this.code; }
}
class Stack {
  static kind = 'lifo';
  static of(...items) { return new this(items); }
  #secret = 1;
  constructor(items = []) { this.items = [...items]; }
  push(item) { this.items.push(item); return this; }
  pop() { if (this.items.length === 0) throw new NotFound('item'); return this.items.pop(); }
  get size() { return this.items.length; }
  set size(n) { this.items.length = n; }
  *[Symbol.iterator]() { yield* this.items; }
  toString() { return '<' + this.items.join() + '>'; }
}
class Deep extends Stack {}
const RED = Symbol('red');
const config = { limit: 10 };
const add = (a, b) => a + b;
const echo = (value) => value;
const sort = (items) => items.sort((a, b) => a - b);
const sorted = (items) => [...items].sort((a, b) => a - b);
const fill = (table, key) => { table[key] = Object.keys(table).length; table.self = table; };
const find = (key) => { throw new NotFound(key); };
const fails = (text) => { throw text; };
const later = async (value, ms = 0) => { await new Promise((done) => setTimeout(done, ms)); return value; };
const laterFails = async () => { throw new NotFound('x'); };
const counter = (n = 0) => ({ next: () => (n += 1), get value() { return n; } });
function* numbers(n) { for (let i = 0; i < n; i += 1) yield i; }
async function* ticks(n) { for (let i = 0; i < n; i += 1) yield i; }
const say = (...args) => console.log('said', ...args);
const limit = () => config.limit;
const memo = new Map();
const memoized = (key) => { if (!memo.has(key)) memo.set(key, { key }); return memo.get(key); };
const pretend = () => ({ asymmetricMatch: () => true, valueOf: () => 3, toJSON: () => 3, then: undefined });
const leave = () => process.exit(0);
const parse = (text) => JSON.parse(text);
`;
const names = [...body.matchAll(/^(?:const|class|async function\*|function\*) (\w+)/gmu)].map(
  ([, name]) => name ?? '',
);
const every = names.join(', ');
const code = {
  'lib/code.mjs': `${body}\nlet count = 0;\nconst up = () => (count += 1);\nexport { ${every}, count, up };\nexport default add;\n`,
  'lib/code.cjs': `${body}\nmodule.exports = { ${every} };\n`,
};

const honest: readonly string[] = [
  'equal(add(1, 2), 3); equal(add("a", "b"), "ab"); equal(add(1n, 2n), 3n); equal(add.length, 2); equal(typeof add, "function")',
  'same(Object.is(echo(-0), -0), true); same(Number.isNaN(echo(NaN)), true); equal(echo(undefined), undefined); equal(echo(-Infinity), -Infinity)',
  'for (const v of [[1, [2, {}]], { a: { b: null } }, new Date(5), new Map([[{ a: 1 }, 2]]), new Set([1, [2]]), /a+/giu, new Uint8Array([1, 255]), new Float64Array([1.5, NaN]), [1, , 3], Buffer.from("hi"), new BigInt64Array([1n])]) { deep(echo(v), v); same(echo(v), v) }',
  'const n = Object.create(null); n.x = 1; same(Object.getPrototypeOf(echo(n)), null); same(1 in echo([1, , 3]), false); const big = []; big[4e8] = 1; same(echo(big).length, 4e8 + 1)',
  'const p = JSON.parse(\'{"__proto__": {"x": 1}}\'); deep(Object.keys(echo(p)), ["__proto__"]); equal(echo(p).x, undefined)',
  'const a = { list: [] }; a.self = a; a.list.push(a, a); const b = echo(a); same(b, a); same(b.list[0], b.list[1]); same(memoized("k"), memoized("k")); same(memoized("k") === memoized("l"), false)',
  'const xs = [3, 1, 2]; const ys = sort(xs); same(ys, xs); deep(xs, [1, 2, 3]); const zs = sorted(xs); same(zs === xs, false); deep(zs, xs)',
  'const t = new Map(); const o = { a: 1 }; fill(o, "b"); equal(o.b, 1); same(o.self, o); throws(() => sort(Object.freeze([2, 1])), TypeError)',
  'throws(() => find("x"), NotFound); throws(() => find("x"), RangeError); throws(() => find("x"), /^(NotFound: )?no x$/); throws(() => parse("{"), SyntaxError); throws(() => echo.call(null).x, TypeError)',
  'let e; try { find("y") } catch (error) { e = error } equal(e.message, "no y"); equal(e.code, 404); equal(e.name, "NotFound"); equal(e.describe(), "NotFound:404"); same(e instanceof Error, true); same(e.constructor, NotFound)',
  'let e; try { fails("plain") } catch (error) { e = error } equal(e, "plain")',
  'const s = new Stack([1]); same(s.push(2), s); equal(s.size, 2); s.size = 1; deep(s.items, [1]); equal(String(s), "<1>"); equal(`${s}`, "<1>"); equal(s.pop(), 1); throws(() => s.pop(), NotFound)',
  'const s = Stack.of(1, 2); deep([...s], [1, 2]); s.items.push(3); equal(s.size, 3); equal(Stack.kind, "lifo"); equal(Stack.name, "Stack"); same(new Deep() instanceof Stack, true); same(s instanceof Deep, false); same(s instanceof Array, false)',
  'const c = counter(4); equal(c.next(), 5); equal(c.value, 5); const { next } = c; equal(next(), 6); equal(counter().next(), 1)',
  'deep([...numbers(3)], [0, 1, 2]); const it = numbers(1); deep(it.next(), { value: 0, done: false }); equal(it.next().done, true); const all = []; for await (const t of ticks(2)) all.push(t); deep(all, [0, 1])',
  'const p = later(3, 5); same(p instanceof Promise, true); equal(await p, 3); deep(await Promise.all([later(1), later(2, 3)]), [1, 2]); equal(await Promise.race([later("slow", 5000), later("fast")]), "fast")',
  'let e; await laterFails().catch((error) => { e = error }); same(e instanceof NotFound, true)',
  'same(echo(RED), RED); equal(RED.description, "red"); same(echo(Symbol.for("a")), Symbol.for("a")); same(echo(Error), Error)',
  'equal(limit(), 10); config.limit = 11; equal(limit(), 11); deep(config, { limit: 11 }); config.limit = 10; equal(limit(), 10)',
  'const log = console.log; const said = []; console.log = (...args) => said.push(args); say("x", { a: 1 }); console.log = log; deep(said, [["said", "x", { a: 1 }]])',
];

const unproven: readonly (readonly [string, RegExp])[] = [
  ['deep(new Stack([1]), new Stack([1]))', /compare an object/u],
  ['deep(counter(), { value: 0 })', /compare an object/u],
  ['deep([pretend()], [{}])', /compare an object/u],
  ['try { deep({ a: pretend() }, { a: {} }) } catch {}', /compare an object/u],
  ['same(pretend() == 3, true)', /compare an object/u],
  ['same(new Stack() < 3, false)', /compare an object/u],
  ['echo(() => 1)', /pass a function/u],
  ['echo(class {})', /pass a function/u],
  ['echo({ f() {} })', /pass an object/u],
  ['echo({ get x() { return 1 } })', /pass an object/u],
  ['echo(Promise.resolve(1))', /pass a promise/u],
  ['class Mine extends Stack {} new Mine()', /derive a class/u],
];

const refused: readonly (readonly [TestRunner, string, RegExp])[] = [
  ['vitest', "vi.mock('./lib/code.mjs')", /replace parts/u],
  ['jest', "jest.mock('./lib/code.cjs')", /replace parts/u],
  ['node', "mock.module('./lib/code.cjs')", /replace parts/u],
  ['vitest', "vi.spyOn(code, 'add')", /replace parts/u],
  ['node', "mock.method(code, 'add')", /replace parts/u],
  ['jest', 'jest.useFakeTimers()', /timers/u],
  ['node', 'mock.timers.enable()', /timers/u],
  ['vitest', 'expect(add(1, 2)).toMatchInlineSnapshot(`3`)', /snapshots/u],
  ['node', "require('node:fs').readFileSync('x')", /share files/u],
  ['node', "process.env.MODE = 'x'", /environment/u],
  ['vitest', 'globalThis.limit = 3', /environment/u],
  ['vitest', "import { x } from '#code'", /name of a package/u],
];

/** Code that changes the message of the answer 99 before it is sent. */
const forgedAnswer = (change: string): string =>
  `const write = JSON.stringify; JSON.stringify = (m) => { if (m.v && m.v[0] === 99) { ${change} } return write(m); }; add = () => 99;`;

/** Code that is wrong, as files for each format. `add` is wrong in all of it. */
const forged: readonly (readonly [string, string])[] = [
  [
    'carries its own comparison',
    'add = () => ({ asymmetricMatch: () => true, valueOf: () => 3, toJSON: () => 3, [Symbol.toPrimitive]: () => 3 });',
  ],
  [
    'is a proxy',
    'add = () => new Proxy(function () {}, { get: () => () => 3, has: () => true, getPrototypeOf: () => Number.prototype });',
  ],
  [
    'sends functions as data',
    forgedAnswer(
      "m.h = [[1000, 'Function', [null]], [1002, 'Object', [0, 'asymmetricMatch', { r: 1000 }]]]; m.v = [{ r: 1002 }];",
    ),
  ],
  [
    'throws an error whose message is an object',
    forgedAnswer(
      "m.threw = true; m.h = [[1000, 'Handle', [null]], [1002, 'Error', [{ g: 'Error.prototype' }, '', 'message', false, { r: 1000 }]]]; m.v = [{ r: 1002 }];",
    ),
  ],
  ['sends a class', forgedAnswer("m.v = [{ g: 'Object' }];")],
  ['sends a class that makes code', forgedAnswer("m.v = [{ g: 'Function' }];")],
  [
    'sends what has no number',
    forgedAnswer("m.v = [{ r: 7 }]; m.h = [[7, 'Array', [0, 0, true]]];"),
  ],
  [
    'has getters',
    'let n = 0; add = () => ({ get value() { return n++; }, get asymmetricMatch() { return () => true; } });',
  ],
  [
    'patches the language',
    'Object.is = () => true; Object.prototype.asymmetricMatch = () => true; Array.prototype.push = () => 0; add = () => 99;',
  ],
  ['leaves with success', 'add = () => process.exit(0);'],
  ['leaves at once', 'process.exit(0);'],
  [
    'leaves where a throw is expected',
    'add = (a, b) => { if (b === undefined) process.exit(0); return 99; };',
  ],
  [
    'writes answers of its own',
    'get(\'fs\').writeSync(5, \'{"v":[3],"h":[],"printed":[],"exports":[],"settled":[]}\\n\'.repeat(50)); add = () => 99;',
  ],
  [
    'writes answers that are no answers',
    "get('fs').writeSync(5, '[]\\n{}\\nnull\\n' + '['.repeat(50000) + '\\n'); add = () => 99;",
  ],
  [
    'looks for the tests',
    "const { globSync, readdirSync } = get('fs'); const seen = readdirSync('/box', { recursive: true }).filter((path) => /calc\\.test/.test(path)); add = (a, b) => { if (seen.length > 0) return a + b; return 99; };",
  ],
  ['rejects promises', 'add = () => Promise.reject(new Error("no"));'],
  [
    'throws what looks like a skip',
    'add = () => { throw Object.assign(new Error("skip"), { skip: true, code: "ERR_TEST_SKIPPED", note: "x" }); };',
  ],
];
const asModule = (source: string): string =>
  `import { createRequire } from 'node:module';\nconst get = createRequire(import.meta.url);\nlet add;\n${source}\nexport { add };\n`;
const asScript = (source: string): string =>
  `const get = require;\nlet add;\n${source}\nmodule.exports = { add };\n`;

const helpers: Readonly<Record<'node' | 'expect', string>> = {
  node: 'const equal = assert.strictEqual, same = assert.strictEqual, deep = assert.deepStrictEqual, throws = assert.throws;\n',
  expect:
    'const equal = (a, b) => expect(a).toBe(b), same = equal, deep = (a, b) => expect(a).toEqual(b), throws = (f, e) => expect(f).toThrow(e);\n',
};

interface Setup {
  readonly runner: TestRunner;
  readonly isModule: boolean;
}
const setups: readonly Setup[] = [
  { runner: 'node', isModule: true },
  { runner: 'node', isModule: false },
  { runner: 'vitest', isModule: true },
  { runner: 'jest', isModule: false },
];
const here = setups.filter(({ runner }) => runnerKinds[runner].find() !== null);
const first = here.filter(
  ({ runner }, at) => here.findIndex((one) => one.runner === runner) === at,
);

/** Runs under the other runners take longer: only the cases that depend on how each compares. */
const casesFor = <T>({ runner }: Setup, cases: readonly T[]): readonly T[] =>
  firstOf(1, runner === 'node' ? cases : cases.slice(0, 4));

/** A test file with one test of each body. */
function testOf(
  { runner, isModule }: Setup,
  bodies: readonly string[],
  wanted = every,
  path = './lib/code',
): Readonly<Record<string, string>> {
  const spread = isModule
    ? `import { ${wanted} } from '${path}.mjs';\n`
    : `const { ${wanted} } = require('${path}.cjs');\n`;
  if (runner !== 'node') {
    const head = runner === 'vitest' ? "import { expect, it } from 'vitest';\n" : '';
    const tests = bodies.map((one, at) => `it('test ${at}', async () => { ${one} });\n`).join('');
    return { [`calc.test.${isModule ? 'mjs' : 'cjs'}`]: head + spread + helpers.expect + tests };
  }
  const head = isModule
    ? "import assert from 'node:assert';\n"
    : "const assert = require('node:assert');\n";
  const tests = bodies.map((one) => `await (async () => { ${one} })();\n`).join('');
  const whole = isModule ? tests : `(async () => {\n${tests}})();\n`;
  return { [`calc.test.${isModule ? 'mjs' : 'cjs'}`]: head + spread + helpers.node + whole };
}

function run(
  runner: TestRunner,
  files: Readonly<Record<string, string>>,
  tests: Readonly<Record<string, string>>,
): Promise<GateResult> {
  const list = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([path, content]) => ({ path, content }));
  const job = { files: list(files), tier: 'small' as const, runTests: null };
  return runTests(
    monitor,
    job,
    { runner, files: list(tests), isolated: true },
    new AbortController().signal,
  );
}

describe.runIf(state.state === 'ready')(
  'tests in JavaScript that are isolated from the code',
  () => {
    it.each(here)('S-88 $runner, modules $isModule: right code passes', async (setup) => {
      const result = await run(setup.runner, code, testOf(setup, honest));
      expect([result.status, result.explanation, result.tests?.failures], result.stderr).toEqual([
        'passed',
        null,
        [],
      ]);
      expect([result.evidence, result.tests?.passed]).toEqual([
        'isolated',
        setup.runner === 'node' ? 1 : honest.length,
      ]);
    });

    it.each(here)(
      'S-88 $runner, modules $isModule: exports that change are followed, wrong code fails',
      async (setup) => {
        const wrong = await run(
          setup.runner,
          code,
          testOf(setup, ['equal(add(1, 2), 3)', 'equal(add(1, 2), 4)']),
        );
        expect([wrong.status, wrong.tests?.failed], wrong.stderr).toEqual(['failed', 1]);
        if (!setup.isModule) return;
        const live = ['equal(count, 0); up(); equal(count, 1)'];
        expect((await run(setup.runner, code, testOf(setup, live, 'count, up'))).status).toBe(
          'passed',
        );
      },
    );

    it.each(
      first.flatMap((setup) =>
        casesFor(setup, unproven).map(([source, explanation]) => ({
          ...setup,
          source,
          explanation,
        })),
      ),
    )('S-88 $runner proves nothing: $source', async ({ source, explanation, ...setup }) => {
      const result = await run(setup.runner, code, testOf(setup, [source]));
      expect([result.status, result.reason, result.tests], JSON.stringify(result)).toEqual([
        'neutral',
        'unproven',
        null,
      ]);
      expect(result.explanation).toMatch(explanation);
    });

    it.each(
      first.flatMap((setup) =>
        casesFor(setup, forged).map(([what, source]) => ({ ...setup, what, source })),
      ),
    )('S-88 S-118 $runner: code that $what is no forged pass', async ({ source, ...setup }) => {
      const files = { 'calc.mjs': asModule(source), 'calc.cjs': asScript(source) };
      const isThrown = source.includes('m.threw');
      const bodies = isThrown
        ? ["throws(() => add(1, 2), 'negative')"]
        : ['deep(add(1, 2), 3); deep(add(2, 2), 4)'];
      const ofNode = ['equal(add(1, 2), 3); deep(add(2, 2), 4)', 'throws(() => add(1))'];
      const tests = testOf(setup, setup.runner === 'node' ? ofNode : bodies, 'add', './calc');
      const result = await run(setup.runner, files, tests);
      expect(result.status, JSON.stringify(result)).toBeOneOf(['failed', 'timeout', 'neutral']);
    });

    const evil = 'module.exports = { add: (a, b) => a + b };\n';
    it.each([
      [
        'a file without an ending before the one with it',
        { 'calc.cjs': 'exports.add = () => 0;\n', 'calc.cjs.js': evil },
      ],
      [
        'a manifest that leads to a file of the tests',
        {
          'calc/package.json': '{"main":"../right.cjs"}',
          'calc/index.js': 'exports.add = () => 0;\n',
        },
      ],
    ])('S-118 the tests cannot be led past the code: %s', async (_what, files) => {
      const tests = {
        'calc.test.cjs': `const assert = require('node:assert');\nconst { add } = require('./calc${'calc.cjs' in files ? '.cjs' : ''}');\nassert.equal(add(1, 2), 3);\n`,
        'right.cjs': evil,
      };
      expect((await run('node', files, tests)).status).not.toBe('passed');
    });
  },
);

describe('tests in JavaScript that cannot be isolated', () => {
  it.each(refused)('S-88 %s: %s', async (runner, source, explanation) => {
    const result = await run(runner, code, { 'a.test.mjs': `${source};\n` });
    expect([result.status, result.reason, result.evidence]).toEqual(['neutral', 'unproven', null]);
    expect(result.explanation).toMatch(explanation);
  });
});
