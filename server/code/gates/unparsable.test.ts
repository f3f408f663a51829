import { describe, expect, it } from 'vitest';
import type { BoxJob, BoxResult } from '../../sandbox';
import { findNewerSyntax, findSyntaxErrors, isNewerThan } from '../structure';
import { newerGo, readableGoMod } from './compile/go-versions';
import type { GateResult } from './gate';
import { type Boxes, chargedMs, withSecondChance } from './second-chance';
import { failUnparsable } from './unparsable';

/** Sound code of each language, with brackets and strings to lose. */
const sound: Readonly<Record<string, readonly [GateResult['language'], string]>> = {
  'a.py': ['python', 'def f(x):\n    return [x, "a"]\n\n\nprint(f({"b": 1}))\n'],
  'a.js': ['typescript', 'function f(x) {\n  return [x, "a"];\n}\nconsole.log(f({ b: 1 }));\n'],
  'a.ts': [
    'typescript',
    'export function f(x: number): string[] {\n  return [String(x), "a"];\n}\n',
  ],
  'a.tsx': [
    'typescript',
    'export const F = ({ x }: { x: string }) => {\n  return <p title="a">{x}</p>;\n};\n',
  ],
  'a.go': [
    'go',
    'package main\n\nfunc main() {\n\tfor i := range 3 {\n\t\tprintln(i, "a", [1]int{1})\n\t}\n}\n',
  ],
  'a.rs': [
    'rust',
    'fn main() {\n    let Some(x) = Some([1]) else { return };\n    println!("{:?}", x);\n}\n',
  ],
  'A.java': [
    'java',
    'class A {\n  int f(Object o) {\n    return switch (o) { case P(int x, var y) when x > 1 -> x; default -> 0; };\n  }\n}\n',
  ],
  'A.cs': ['csharp', 'class A(int x) {\n  public int[] F() { return [x, 2]; }\n}\n'],
};

const faults: readonly (readonly [string, (text: string) => string])[] = [
  ['the last bracket lost', (text) => text.replace(/[)}\]](?=[^)}\]]*$)/, '')],
  ['the first round bracket lost', (text) => text.replace('(', '')],
  ['a bracket that nothing opened', (text) => `${text})\n`],
  ['cut off in the middle', (text) => text.slice(0, text.lastIndexOf('(') + 1)],
];

const gate = (language: GateResult['language'], more: Partial<GateResult>): GateResult => ({
  command: 'compile',
  language,
  status: 'neutral',
  exitCode: 1,
  stderr: '',
  durationMs: 1,
  tier: 'medium',
  kind: 'compile',
  reason: 'The code needs modules that a box cannot fetch.',
  explanation: null,
  evidence: null,
  receipt: null,
  tests: null,
  ...more,
});

const members = Object.entries(sound).flatMap(([path, [language, text]]) =>
  faults.flatMap(([what, put]) => {
    const content = put(text);
    return content === text || (path === 'a.tsx' && what.startsWith('cut'))
      ? []
      : [{ path, language, what, content }];
  }),
);

describe('code that does not parse', () => {
  it.each(members)(
    'QEL-20 $path, $what: fails the inconclusive gate',
    async ({ path, language, content }) => {
      for (const status of ['neutral', 'timeout', 'not_run'] as const) {
        const [result] = await failUnparsable([gate(language, { status })], [{ path, content }]);
        expect([result?.status, result?.reason?.startsWith(`${path}, line `)]).toEqual([
          'failed',
          true,
        ]);
      }
    },
  );

  it.each(Object.entries(sound))(
    'QEL-28 %s, sound: stays as it was, with a mark of byte order too',
    async (path, [language, content]) => {
      for (const text of [content, `\uFEFF${content}`]) {
        const given = [gate(language, {})];
        expect(await failUnparsable(given, [{ path, content: text }])).toEqual(given);
      }
    },
  );

  it('QEL-20 the word of a compiler that compiled the files counts, and tests are no compilers', async () => {
    const given = [gate('go', { status: 'passed' }), gate('go', { kind: 'test' })];
    expect(await failUnparsable(given, [{ path: 'a.go', content: 'package (' }])).toEqual(given);
  });

  it.each([
    [
      'A.java',
      'import module java.base;\nclass A { A(int x) { if (x < 0) { x = 0; } super(); } }\n',
    ],
    ['a.py', 'class A[T = int]:\n    pass\n'],
    ['a.rs', 'unsafe extern "C" { pub safe fn abs(x: i32) -> i32; }\n'],
    ['A.cs', 'static class E { extension(string s) { public int L => s.Length; } }\n'],
  ])(
    'QEL-30 %s: valid syntax that the grammar is too old for is no error',
    async (path, content) => {
      expect(await findSyntaxErrors([{ path, content }])).toEqual([]);
      expect(await findSyntaxErrors([{ path, content: `${content})` }])).toHaveLength(1);
    },
  );
});

describe('newer versions', () => {
  it.each([
    ['a.py', 'type X = int\n', [3, 12]],
    ['a.py', 'def f[T](x: T) -> T:\n    return x\n', [3, 12]],
    ['a.py', 'x = f"{d["k"]}"\n', [3, 12]],
    ['a.py', 'try:\n    pass\nexcept A, B:\n    pass\n', [3, 14]],
    ['a.py', 'x = t"{a}"\n', [3, 14]],
    ['A.java', 'class A { boolean f(Object o) { return o instanceof P(int x, int y); } }\n', [21]],
    ['A.java', 'void main() { }\n', [25]],
  ])('QEL-30 %s: %s', async (path, content, since) => {
    expect((await findNewerSyntax([{ path, content }])).map((one) => one.since)).toContainEqual(
      since,
    );
    expect(await findNewerSyntax([{ path, content: `${content})` }])).toEqual([]);
  });

  it('QEL-30 versions are compared by their parts', () => {
    expect(
      [[3, 12], [3, 9], [3, 11], [4]].map((since) => isNewerThan(since, 'Python 3.11.2')),
    ).toEqual([true, false, false, true]);
    expect(isNewerThan([21], null)).toBe(false);
  });

  it.each([
    ['./a.go:6:17: cannot range over 10 (untyped int constant)', true],
    ['vet: ./a.go:7:12: cannot range over n (variable of type int)', true],
    ['/box/a.go:7:12: cannot range over f (variable of type func(y func(int) bool))', true],
    ['a.go:3:8: package slices is not in GOROOT (/usr/lib/go-1.19/src/slices)', true],
    ['./a.go:6:10: undefined: min', true],
    ['./a.go:6:10: undefined: errors.Join', true],
    ['./a.go:6:10: undefined: errors.Joint', false],
    ['./a.go:7:12: cannot range over s (variable of type struct{})', false],
    ['a.go:3:8: package slicez is not in GOROOT (/usr/lib/go-1.19/src/slicez)', false],
    ['./a.go:6:14: cannot use "cannot range over 10 (untyped int constant)" as int value', false],
    ['cannot range over 10 (untyped int constant)', false],
  ])('QEL-30 Go: %s', (line, isNewer) => {
    expect(newerGo(line, false) !== null).toBe(isNewer);
  });

  it('QEL-30 a go.mod of a newer Go is written so that an older one reads it', () => {
    const text =
      'module box\n\ngo 1.22.3\n\ntoolchain go1.22.4\n\ntool (\n\tx/y\n)\n\nrequire a.b/c v1.0.0\n';
    expect(readableGoMod(text).split('\n').filter(Boolean)).toEqual([
      'module box',
      'go 1.22',
      'require a.b/c v1.0.0',
    ]);
  });
});

describe('a run that timed out', () => {
  const job: BoxJob = { files: [], command: ['/bin/true'], limits: { wallMs: 1_000 } };
  const boxes = (ends: BoxResult['end'][], limits: number[]): Boxes => {
    const run: Boxes['run'] = ({ limits: given }) => {
      const wallMs = given?.wallMs ?? 0;
      limits.push(wallMs);
      const end = ends[limits.length - 1] ?? 'exit';
      return Promise.resolve({ end, durationMs: wallMs, limits: { wallMs } } as BoxResult);
    };
    return { run, runPair: async ([a, b], signal) => [await run(a, signal), await run(b, signal)] };
  };
  const { signal } = new AbortController();

  it.each([
    [0.5, ['timeout'], [1_000], 'timeout'],
    [1, ['timeout', 'exit'], [1_000, 2_000], 'exit'],
    [2.5, ['timeout', 'timeout'], [1_000, 3_000], 'timeout'],
    [20, ['timeout', 'exit'], [1_000, 4_000], 'exit'],
    [20, ['exit'], [1_000], 'exit'],
  ] as const)(
    'QEL-31 at a load of %d, ended by %j: limits %j',
    async (load, ends, expected, end) => {
      const limits: number[] = [];
      const result = await withSecondChance(boxes([...ends], limits), () => () => load).run(
        job,
        signal,
      );
      expect([limits, result.end]).toEqual([expected, end]);
      expect(chargedMs(result, 1_000)).toBe(1_000);
    },
  );

  it('QEL-31 a pair of boxes is run again as one', async () => {
    const limits: number[] = [];
    await withSecondChance(boxes(['exit', 'timeout'], limits), () => () => 3).runPair(
      [job, job],
      signal,
    );
    expect(limits).toEqual([1_000, 1_000, 3_000, 3_000]);
  });
});
