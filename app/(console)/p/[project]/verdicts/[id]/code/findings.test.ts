import { expect, test } from 'vitest';
import type { CodeView } from '@/app/_trpc/outputs';
import { listFindings } from './findings';

const view = (part: Partial<CodeView>): CodeView => ({
  request: '',
  files: [{ path: 'src/app.ts', content: '' }],
  deliverables: [],
  framework: { expected: null, found: null, isViolated: false },
  tier: null,
  passThreshold: null,
  total: null,
  points: [],
  structuralMultiplier: null,
  patterns: [],
  stubs: [],
  gates: [],
  notes: [],
  nudge: null,
  repair: { iteration: 0, budget: 2, bonusGranted: false, exhaustedNote: null },
  trajectory: [],
  boostSuggestion: null,
  report: '',
  ...part,
});

const gate = (
  stderr: string,
  status: 'failed' | 'passed' = 'failed',
): CodeView['gates'][number] => ({
  command: 'tsc',
  language: 'typescript',
  status,
  exitCode: 1,
  stderr,
  durationMs: 1,
  reason: null,
  explanation: null,
  evidence: null,
  toolchain: null,
});

test.each([
  [
    'tsc',
    "src/app.ts(3,5): error TS2304: Cannot find name 'x'.",
    3,
    "error TS2304: Cannot find name 'x'.",
  ],
  ['Go', './src/app.ts:7:2: undefined: y', 7, 'undefined: y'],
  ['javac', 'src/app.ts:12: error: ; expected', 12, 'error: ; expected'],
  ['Rust', ' --> src/app.ts:9:1', 9, 'named by tsc'],
  ['Python', '*** Error compiling:   File "./src/app.ts", line 4', 4, 'named by tsc'],
  ['Python in the box', '  File "/box/src/app.ts", line 5', 5, 'named by tsc'],
])('QEL-45 a line that %s names links to the file', (_, stderr, line, message) => {
  expect(listFindings(view({ gates: [gate(stderr)] })).get('src/app.ts')).toEqual([
    { path: 'src/app.ts', line, kind: 'fault', message },
  ]);
});

test('a file that was not sent, and the output of a passed gate, name nothing', () => {
  const gates = [
    gate('lib/other.ts(1,1): error TS1: no'),
    gate('src/app.ts(1,1): error TS1: no', 'passed'),
  ];
  expect([...listFindings(view({ gates })).values()]).toEqual([[]]);
});

test('stubs and patterns are at their lines, in the order of lines, each once', () => {
  const found = listFindings(
    view({
      gates: [gate('src/app.ts(8,1): error TS1: no\nsrc/app.ts(8,1): error TS1: no')],
      stubs: [{ path: 'src/app.ts', line: 2, name: 'add', reason: 'has no body' }],
      patterns: [
        {
          pattern: '/api/tasks',
          kind: 'hard',
          matched: true,
          how: 'exact',
          path: 'src/app.ts',
          line: 5,
        },
        { pattern: 'Task', kind: 'soft', matched: false, how: null, path: null, line: null },
      ],
    }),
  );
  expect(found.get('src/app.ts')?.map(({ line, kind }) => [line, kind])).toEqual([
    [2, 'fault'],
    [5, 'match'],
    [8, 'fault'],
  ]);
});
