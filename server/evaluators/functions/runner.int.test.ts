// Functions in real boxes: permitted actions, and the effect of forbidden ones on the other
// subjects of the process.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { firstOf } from '../../../testing/first-of';
import { createBoxMonitor } from '../../sandbox';
import { createFunctionRunner, type FunctionOutcome, type FunctionSource } from '.';
import type { FunctionBoxes } from './box-process';

const monitor = createBoxMonitor();
const { state } = await monitor.check();
let starts = 0;
const boxes: FunctionBoxes = {
  atOnce: monitor.atOnce,
  run(job, signal, stream) {
    starts += 1;
    return monitor.run(job, signal, stream);
  },
};
const runner = createFunctionRunner(boxes);
afterAll(() => {
  runner.close();
  monitor.stop();
});

const never = new AbortController().signal;
const given = (values: Readonly<Record<string, unknown>>) => ({
  valueOf: (name: string): unknown => (name === 'subject' ? values : values[name]),
  names: Object.keys(values),
});
const python = (source: string, timeoutMs = 1_000): FunctionSource => ({
  language: 'python',
  source,
  timeoutMs,
});
const javascript = (source: string, timeoutMs = 1_000): FunctionSource => ({
  language: 'javascript',
  source,
  timeoutMs,
});

const run = (source: FunctionSource, outputs: readonly unknown[], project = 'prj_1') =>
  runner.forProject(project).run(
    source,
    outputs.map((output) => given({ output, reference: null, metadata: { n: 1 } })),
    never,
  );
const brief = (outcome: FunctionOutcome | undefined): unknown =>
  outcome?.state === 'returned' ? outcome.value : outcome?.reason;

/** The body of a branch, and the error of its subject. */
type Hostile = readonly [what: string, body: string, reason: RegExp | string];

const hostilePython: readonly Hostile[] = [
  ['loops', 'while True: pass', 'evaluate did not return within timeout_ms (1000 ms)'],
  ['sleeps', 'time.sleep(60)', /timeout_ms/],
  ['changes timers', 'signal.setitimer(signal.ITIMER_REAL, 0)\n  while True: pass', /timeout_ms/],
  ['is an endless generator', 'return sum(1 for _ in iter(int, 1))', /timeout_ms/],
  ['returns a generator', 'return (n for n in [1])', /object of the type generator/],
  ['forks without end', 'while True: os.fork()', /PermissionError: a function cannot start proc/],
  ['starts a program', 'subprocess.run(["true"])', /PermissionError: a function cannot start proc/],
  ['forks below the hooks', 'while True: libc.fork()', /timeout_ms|ended its process|memory/],
  ['holds 2 GB at once', 'return len(bytearray(2 << 30))', /MemoryError|512 MiB/],
  [
    'holds 2 GB bit by bit',
    'held = []\n  while True: held.append(os.urandom(8 << 20))',
    /MemoryError|evaluate used more than 512 MiB of memory/,
  ],
  ['opens a socket', 'socket.socket()', 'PermissionError: a function has no network'],
  ['opens an address', 'urllib.request.urlopen("http://1.1.1.1")', /no network/],
  ['prints 10 MB', 'print("x" * 10_000_000)', 'printed 10000001 bytes; the limit is 1048576'],
  [
    'prints below Python',
    'os.write(1, b"x" * 10_000_000)',
    'printed 10000000 bytes; the limit is 1048576',
  ],
  ['prints without end', 'while True: print("x" * 1000)', /OSError|printed \d+ bytes/],
  ['ends its process', 'os._exit(3)', 'evaluate ended its process (exit code 3)'],
  ['kills its process', 'os.kill(os.getpid(), 9)', 'evaluate ended its process (signal 9)'],
  ['exits', 'sys.exit(4)', 'SystemExit: 4'],
  ['crashes', 'ctypes.string_at(0)', 'evaluate ended its process (signal 11)'],
  ['recurses', 'return evaluate(output)', /RecursionError/],
  ['writes garbage for a result', 'os.write(3, b"garbage")', /descriptor 3/],
  ['forges a result', 'os.write(3, b\'["x",1,"ok",1,"",null]\\n\')', /descriptor 3/],
  ['floods the results', 'while True: os.write(3, b"x" * 65536)', /descriptor 3/],
  ['closes the results', 'os.close(3)', /ended its process/],
  ['raises', 'return {}["no such key"]', "KeyError: 'no such key'"],
  ['raises what has no text', 'raise Mute()', 'evaluate.Mute: <exception str() failed>'],
  ['returns NaN', 'return float("nan")', 'the result has NaN or an infinite number'],
  ['returns a score outside', 'return 1.5', /outside 0 to 1/],
];

const hostileJavascript: readonly Hostile[] = [
  ['loops', 'for (;;);', 'evaluate did not return within timeout_ms (1000 ms)'],
  ['never resolves', 'return new Promise(() => {});', /timeout_ms/],
  ['changes timers', 'globalThis.setTimeout = null; for (;;);', /timeout_ms/],
  [
    'is an endless generator',
    'for (const n of (function* () { for (;;) yield 1; })());',
    /timeout_ms/,
  ],
  ['starts programs', 'for (;;) require("node:child_process").spawn("true");', /cannot start proc/],
  ['forks', 'require("node:child_process").fork("/opt/assay/function.cjs");', /cannot start proc/],
  [
    'holds 2 GB',
    'const held = []; for (;;) held.push(Buffer.alloc(8 << 20, 1));',
    /memory|Array buffer/,
  ],
  [
    'opens a socket',
    'require("node:net").connect(80, "1.1.1.1");',
    'Error: a function has no network',
  ],
  ['calls an address', 'return fetch("http://1.1.1.1").then(() => 1);', /TypeError: fetch failed/],
  ['prints 10 MB', 'console.log("x".repeat(1e7));', 'printed 10000001 bytes; the limit is 1048576'],
  [
    'prints without end',
    'for (;;) console.log("x".repeat(1000));',
    /signal 25|EFBIG|ENOSPC|printed|memory/,
  ],
  ['ends its process', 'process.exit(3);', 'evaluate ended its process (exit code 3)'],
  [
    'kills its process',
    'process.kill(process.pid, "SIGKILL");',
    'evaluate ended its process (signal 9)',
  ],
  ['recurses', 'return evaluate(output);', /RangeError: Maximum call stack/],
  ['writes garbage for a result', 'require("node:fs").writeSync(3, "garbage");', /descriptor 3/],
  [
    'fails in a timer',
    'return new Promise(() => setTimeout(() => { throw new Error("late"); }, 1));',
    'Error: late',
  ],
  ['throws', 'null.x;', /TypeError: Cannot read properties of null/],
  ['throws a text', 'throw "plain";', 'threw plain'],
  ['returns NaN', 'return { score: NaN };', 'the result has NaN or an infinite number'],
  ['returns a function', 'return () => 1;', /returned a function/],
];

/** Only endless functions wait for their time limit. */
const timeoutOf = (reason: Hostile[2]): number =>
  String(reason).includes('timeout_ms') ? 1_000 : 30_000;

const pythonWith = (body: string, reason: Hostile[2]): FunctionSource =>
  python(
    `import ctypes, os, signal, socket, subprocess, sys, time, urllib.request
libc = ctypes.CDLL(None)
class Mute(Exception):
 def __str__(self): raise ValueError
def evaluate(output):
 if output == "hostile":
  ${body}
 return output
`,
    timeoutOf(reason),
  );
const javascriptWith = (body: string, reason: Hostile[2]): FunctionSource =>
  javascript(
    `function evaluate(output) {\n if (output === 'hostile') { ${body} }\n return output;\n}`,
    timeoutOf(reason),
  );

describe.runIf(state === 'ready')('a function', () => {
  const reasonOf = ([, , reason]: Hostile): unknown => String(reason);
  it.each([
    ...firstOf(1, hostilePython, reasonOf).map(
      ([what, body, reason]) => ['Python', what, pythonWith(body, reason), reason] as const,
    ),
    ...firstOf(1, hostileJavascript, reasonOf).map(
      ([what, body, reason]) => ['JavaScript', what, javascriptWith(body, reason), reason] as const,
    ),
  ])(
    'in %s that %s fails, and its neighbours are scored',
    async (_language, _what, source, reason) => {
      const outcomes = await run(source, [0, 0.25, 'hostile', 0.5, 1]);
      expect(outcomes[2]?.state).toBe('failed');
      expect(brief(outcomes[2])).toMatch(reason);
      expect(outcomes.toSpliced(2, 1).map(brief)).toEqual([0, 0.25, 0.5, 1]);
    },
  );

  it.each([
    ['Python', python('def evaluate(output): return output / 1000')],
    ['JavaScript', javascript('const evaluate = ({ output }) => output / 1000;')],
  ])('in %s evaluates 1,000 subjects in one box', async (_language, source) => {
    starts = 0;
    const outcomes = await run(
      source,
      Array.from({ length: 1_000 }, (_none, index) => index),
    );
    expect(outcomes.map(brief)).toEqual(
      Array.from({ length: 1_000 }, (_none, index) => index / 1_000),
    );
    expect(starts).toBe(1);
  });

  it('answers calls that come one by one and at the same time from one box', async () => {
    starts = 0;
    const source = python(
      'calls = 0\ndef evaluate(output):\n global calls\n calls += 1\n return output',
    );
    const outcomes = await Promise.all([0, 0.5, 1].map((output) => run(source, [output])));
    expect(outcomes.flat().map(brief)).toEqual([0, 0.5, 1]);
    expect(starts).toBe(1);
  });

  it('never shares a process with another project', async () => {
    const source = python(
      'seen = []\ndef evaluate(output):\n seen.append(output)\n return {"score": 1, "reason": ",".join(seen)}',
    );
    const reasons = await Promise.all(
      ['prj_1', 'prj_2'].map(async (project) => {
        const [outcome] = await run(source, [project], project);
        return outcome?.state === 'returned' ? outcome.scores[0]?.reason : outcome?.reason;
      }),
    );
    expect(reasons).toEqual(['prj_1', 'prj_2']);
  });

  it.each<readonly [string, FunctionSource, unknown]>([
    [
      'keyword parameters and defaults',
      python('def evaluate(*, output, missing=0.5): return missing'),
      0.5,
    ],
    [
      'parameters by position',
      python('def evaluate(metadata, output, /): return metadata["n"] == 1'),
      1,
    ],
    [
      'defaults by position and by keyword',
      python('def evaluate(output, missing=0.5, *, other=1): return missing * other'),
      0.5,
    ],
    [
      'parameters of a decorated function',
      python(
        'import functools\ndef same(f):\n @functools.wraps(f)\n def g(**k): return f(**k)\n return g\n@same\ndef evaluate(output): return output',
      ),
      0.7,
    ],
    [
      'parameters of an object',
      python('class Own:\n def __call__(self, output): return output\nevaluate = Own()'),
      0.7,
    ],
    ['all values by **kwargs', python('def evaluate(**values): return len(values) / 10'), 0.3],
    ['the whole subject', python('def evaluate(subject): return subject["metadata"]["n"]'), 1],
    [
      'a coroutine',
      python(
        'import asyncio\nasync def evaluate(output):\n await asyncio.sleep(0)\n return output',
      ),
      0.7,
    ],
    ['None', python('def evaluate(reference): return reference'), null],
    [
      'a dataclass',
      python(
        'from dataclasses import dataclass\n@dataclass\nclass S:\n name: str\n score: float\ndef evaluate(output): return S("a", output)',
      ),
      0.7,
    ],
    [
      'a list',
      python(
        'def evaluate(): return [{"name": "a", "score": 1}, {"name": "b", "score": 0, "weight": 3}]',
      ),
      0.25,
    ],
    [
      'a destructured object',
      javascript('function evaluate({ output, missing = 0.5 }) { return missing; }'),
      0.5,
    ],
    ['renamed members', javascript('const evaluate = ({ output: it }) => it;'), 0.7],
    ['plain names', javascript('function evaluate(reference, output) { return output; }'), 0.7],
    [
      'the rest',
      javascript('const evaluate = ({ output, ...rest }) => Object.keys(rest).length / 10;'),
      0.2,
    ],
    ['a single name', javascript('const evaluate = output => output;'), 0.7],
    [
      'a module',
      javascript(
        'import { ok } from "node:assert";\nexport async function evaluate({ output }) { ok(true); return await output; }',
      ),
      0.7,
    ],
    ['a default export', javascript('export default ({ output }) => output;'), 0.7],
    [
      'module.exports',
      javascript('module.exports = { async evaluate({ output }) { return output; } };'),
      0.7,
    ],
    ['undefined', javascript('function evaluate() {}'), null],
  ])('takes and returns %s', async (_what, source, value) => {
    expect((await run(source, [0.7])).map(brief)).toEqual([value]);
  });

  it('stores the output and the duration of each subject', async () => {
    const source = python('def evaluate(output):\n print(output, "\\ud800")\n return 1');
    const outcomes = await run(source, ['a', 'b']);
    expect(outcomes.map(({ stdout }) => stdout)).toEqual(['a \\ud800\n', 'b \\ud800\n']);
    expect(outcomes.every(({ durationMs }) => durationMs !== null && durationMs >= 0)).toBe(true);
  });

  it('reads nothing from its standard input, and gets no descriptor of the protocol by it', async () => {
    const source = python(
      'import sys\ndef evaluate(output): return {"score": 1, "reason": repr(sys.stdin.read())}',
    );
    const outcomes = await run(source, ['a', 'b']);
    expect(
      outcomes.map((each) => (each.state === 'returned' ? each.scores[0]?.reason : each)),
    ).toEqual(["''", "''"]);
  });

  it('imports the packages that the operator installed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-packages-'));
    const put = (path: string, content: string): void => {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), content);
    };
    put('python/scorer.py', 'def score(output): return output');
    const exports = { import: './index.mjs', require: './index.js' };
    put('node_modules/scorer/package.json', JSON.stringify({ name: 'scorer', exports }));
    put('node_modules/scorer/index.js', 'exports.score = (output) => output;');
    // Scorers of packages are often asynchronous, and return more than a number.
    const scored = '({ name: "Own", score: output, metadata: { n: 1 }, error: null })';
    put('node_modules/scorer/index.mjs', `export const score = async (output) => ${scored};`);
    chmodSync(folder, 0o755);
    const own = createFunctionRunner(boxes, { packages: folder });
    const sources = [
      python('import scorer\ndef evaluate(output): return scorer.score(output)'),
      javascript(
        'import { score } from "scorer";\nexport const evaluate = ({ output }) => score(output);',
      ),
      javascript(
        'const { score } = require("scorer");\nconst evaluate = ({ output }) => score(output);',
      ),
    ];
    for (const source of sources) {
      const outcomes = await own.forProject('prj_1').run(source, [given({ output: 0.7 })], never);
      expect(outcomes.map(brief)).toEqual([0.7]);
    }
    own.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('stops waiting when its caller does', async () => {
    const ending = new AbortController();
    const waiting = runner
      .forProject('prj_1')
      .run(
        python('import time\ndef evaluate(): time.sleep(60)', 30_000),
        [given({})],
        ending.signal,
      );
    ending.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });
});
