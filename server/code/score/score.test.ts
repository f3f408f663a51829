import { describe, expect, test } from 'vitest';
import type { Contract, ContractPattern, ModelTier } from '../../domain';
import type { GateResult } from '../gates/gate';
import { type CodeFile, readCode } from '../structure';
import { completenessOf, standardScale } from './complete';
import { frameworkOf } from './framework';
import { measureFiles, staticPoints } from './points';
import { proofOf } from './proof';
import { bonusOf, whyNoBonus } from './semantic';
import { scoreTotal } from './total';

const read = (files: Readonly<Record<string, string>>): Promise<readonly CodeFile[]> =>
  readCode(Object.entries(files).map(([path, content]) => ({ path, content })));

const contractOf = (given: Partial<Contract>): Contract => ({
  active: true,
  reason: null,
  confidence: 'medium',
  deliverables: [],
  framework: null,
  patterns: [],
  expectedElements: {},
  gates: [],
  ...given,
});

const pattern = (
  text: string,
  kind: 'hard' | 'soft',
  path: string | null = null,
): ContractPattern => ({ pattern: text, kind, path });

const gate = (status: GateResult['status'], kind: GateResult['kind'] = 'compile'): GateResult => ({
  command: 'tsc',
  language: 'typescript',
  status,
  exitCode: status === 'passed' ? 0 : 1,
  stderr: '',
  durationMs: 1,
  tier: 'medium',
  kind,
  reason: null,
  explanation: null,
  evidence: null,
  receipt: null,
  tests: null,
});

const app =
  "from flask import Flask\napp = Flask(__name__)\n@app.route('/api/tasks')\ndef tasks():\n    return get_tasks()\n";

describe('files, patterns and structure', () => {
  const points = async (
    given: Partial<Contract>,
    files: Readonly<Record<string, string>>,
  ): Promise<Record<string, number>> => ({
    ...staticPoints(measureFiles(contractOf(given), await read(files), standardScale)),
  });

  test.each([
    [['a.py', 'b.py'], { 'a.py': app }, 2.5],
    [['a.py'], { 'a.py': app, 'b.py': app }, 5],
    [['a.py', 'b.py', 'c.py', 'd.py'], { 'a.py': app, 'src/b.py': app, 'c.py': '\n' }, 2.5],
    [[], { 'any.py': app }, 5],
    [[], {}, 0],
    [['pkg/__init__.py'], { 'pkg/__init__.py': '' }, 5],
  ])(
    'QEL-13 demanded files %j give their share of 5 points',
    async (deliverables, files, expected) => {
      expect((await points({ deliverables }, files))['files']).toBe(expected);
    },
  );

  test.each([
    ['all', [pattern('/api/tasks', 'hard'), pattern('get_tasks', 'soft')], 35],
    [
      'a hard one counts twice',
      [pattern('/api/tasks', 'hard'), pattern('delete_users', 'soft')],
      (35 * 2) / 3,
    ],
    ['a soft one once', [pattern('/api/users', 'hard'), pattern('get_tasks', 'soft')], 35 / 3],
    ['none asked for', [], 35],
  ])('QEL-10 QEL-12 QEL-14 patterns: %s', async (_, patterns, expected) => {
    expect((await points({ patterns }, { 'a.py': app }))['patterns']).toBeCloseTo(expected, 9);
  });

  test.each([
    ['declared', 'export const list = query({});\n', []],
    ['a member of something else', 'await ctx.run(api.tasks.list);\n', ['list']],
    ['a part of another name', 'const listData = 1;\n', ['list']],
    ['missing', 'const a = 1;\n', []],
  ])('QEL-10 a required name that is %s', async (_, content, expected) => {
    const { patterns } = measureFiles(
      contractOf({ patterns: [pattern('list', 'hard')] }),
      await read({ 'a.ts': content }),
      standardScale,
    );
    expect(patterns.undeclared.map((each) => each.pattern.pattern)).toEqual(expected);
  });

  test('QEL-22 half stubs halve the credit of patterns', async () => {
    const half = `${app}\ndef more():\n    pass\n`;
    expect(
      (await points({ patterns: [pattern('/api/tasks', 'hard')] }, { 'a.py': half }))['patterns'],
    ).toBe(17.5);
  });

  test('QEL-13 nothing written gives no points, even for absent requirements', async () => {
    expect(await points({}, {})).toEqual({ files: 0, patterns: 0, framework: 0, complete: 0 });
  });
});

describe('framework', () => {
  const fastapi = 'from fastapi import FastAPI\napp = FastAPI()\n';
  const nest = "import { Controller } from '@nestjs/common';\nimport { Request } from 'express';\n";
  test.each([
    ['the right one', 'Flask', { 'a.py': app }, { share: 1, violation: false, found: 'Flask' }],
    [
      'a rival',
      'Flask',
      { 'a.py': fastapi },
      { share: 0, violation: true, found: 'FastAPI', path: 'a.py' },
    ],
    [
      'a rival next to the right one',
      'Flask',
      { 'a.py': app, 'b.py': fastapi },
      { share: 0, violation: true, found: 'FastAPI', path: 'b.py' },
    ],
    [
      'a rival in a comment',
      'Flask',
      { 'a.py': `${app}# from fastapi import FastAPI\n` },
      { share: 1, violation: false },
    ],
    [
      'Express when NestJS was asked for',
      'NestJS',
      { 'a.ts': "import express from 'express';" },
      { violation: true, found: 'Express' },
    ],
    ['types of Express within NestJS', 'NestJS', { 'a.ts': nest }, { violation: false, share: 1 }],
    [
      'QEL-18 neither',
      'Flask',
      { 'a.py': 'print(1)' },
      { share: 0, violation: false, found: null },
    ],
    [
      'QEL-18 none asked for',
      null,
      { 'a.py': fastapi },
      { share: 1, violation: false, found: 'FastAPI' },
    ],
  ])('QEL-16 %s', async (_, asked, files, expected) => {
    expect(frameworkOf(asked, await read(files))).toMatchObject(expected);
  });
});

describe('completeness', () => {
  const full = `export const total = (a: number[]) => a.reduce((sum, each) => sum + each, 0);\nexport const twice = (a: number) => { return a * 2; };\n`;
  test.each([
    ['elements as expected', { 'a.ts': 2 }, { 'a.ts': full }, [{ share: 1, by: 'elements' }]],
    ['more than expected', { 'a.ts': 1 }, { 'a.ts': full }, [{ share: 1 }]],
    ['half of them', { 'a.ts': 4 }, { 'a.ts': full }, [{ share: 0.5, elements: 2 }]],
    [
      'stubs do not count',
      { 'a.ts': 2 },
      { 'a.ts': 'function f() {}\nfunction g() { return 1; }' },
      [{ share: 0.5 }],
    ],
    ['by the end of a path', { 'a.ts': 2 }, { 'src/a.ts': full }, [{ share: 1, by: 'elements' }]],
    ['size where there is no count', {}, { 'a.ts': full }, [{ share: 1, by: 'size' }]],
    [
      'comments have no size',
      {},
      { 'a.ts': `// ${'long '.repeat(100)}\nlet a` },
      [{ share: 4 / 80, by: 'size' }],
    ],
    ['a short list is whole', {}, { 'requirements.txt': 'flask==3.0' }, [{ share: 1, by: 'size' }]],
  ])('QEL-19 %s', async (_, expected, files, found) => {
    expect(completenessOf([], expected, await read(files), standardScale)).toMatchObject(found);
  });

  test('QEL-19 averaged over the deliverable files; a missing one counts zero, and the scale can be set', async () => {
    const files = await read({ 'a.ts': 'let a = 1' });
    expect(
      completenessOf(['a.ts', 'b.ts'], {}, files, { code: 6, data: 1 }).map(({ share }) => share),
    ).toEqual([1, 0]);
  });
});

describe('proof and total', () => {
  const whole = { files: 5, patterns: 35, framework: 15, complete: 15, proof: 30 };
  test.each([
    ['all passed', [gate('passed'), gate('passed', 'test')], { points: 30, compileFailed: false }],
    ['one of two', [gate('passed'), gate('failed', 'test')], { points: 15, compileFailed: false }],
    [
      'neutral ones do not count',
      [gate('passed'), gate('neutral')],
      { points: 30, neutral: false },
    ],
    [
      'QEL-28 only neutral ones',
      [gate('neutral')],
      { points: 0, share: null, neutral: true, compileFailed: false },
    ],
    [
      'QEL-31 a timeout gives nothing and caps nothing',
      [gate('timeout')],
      { points: 0, share: 0, compileFailed: false },
    ],
    [
      'a compile failure',
      [gate('failed'), gate('passed', 'test')],
      { points: 15, compileFailed: true },
    ],
    ['no box', [gate('not_run')], { points: 0, share: null, notRun: true }],
    ['QEL-32 no gate at all', [], { points: 0, share: null, neutral: true }],
  ])('QEL-20 %s', (_, gates, expected) => {
    expect(proofOf(gates)).toMatchObject(expected);
  });

  test.each([
    ['the sum', whole, [gate('passed')], 'literal', 0, 100],
    [
      'QEL-20 a compile failure caps at 50',
      { ...whole, proof: 15 },
      [gate('failed'), gate('passed', 'test')],
      'literal',
      0,
      50,
    ],
    [
      'QEL-20 and lifts nothing',
      { ...whole, patterns: 0, framework: 0, proof: 0 },
      [gate('failed')],
      'literal',
      0,
      20,
    ],
    [
      'QEL-20 a failed test caps nothing',
      { ...whole, proof: 15 },
      [gate('passed'), gate('failed', 'test')],
      'literal',
      0,
      85,
    ],
    [
      'QEL-21 rounded once',
      { ...whole, files: 2.25, patterns: 34.25, proof: 0 },
      [gate('timeout')],
      'literal',
      0,
      67,
    ],
    ['QEL-29 literal', { ...whole, proof: 0 }, [gate('neutral')], 'literal', 0, 70],
    ['QEL-29 rescaled', { ...whole, patterns: 28, proof: 0 }, [gate('neutral')], 'rescale', 0, 90],
    [
      'QEL-29 nothing to rescale if a gate had a result',
      { ...whole, proof: 0 },
      [gate('timeout'), gate('neutral')],
      'rescale',
      0,
      70,
    ],
    ['QEL-49 a bonus', { ...whole, patterns: 15, proof: 30 }, [gate('passed')], 'literal', 12, 92],
    [
      'QEL-49 a bonus ends at 100',
      { ...whole, patterns: 20 },
      [gate('passed')],
      'literal',
      40,
      100,
    ],
    [
      'QEL-49 a bonus never lifts the cap',
      { ...whole, proof: 0 },
      [gate('failed')],
      'literal',
      15,
      50,
    ],
  ] as const)('QEL-21 %s', (_, points, gates, neutral, bonus, total) => {
    expect(scoreTotal(points, proofOf(gates), neutral, bonus).total).toBe(total);
  });
});

describe('semantic judge', () => {
  const asked = {
    enabled: true,
    tier: 'xlarge' as ModelTier,
    beforeBonus: 70,
    compileFailed: false,
    violation: false,
  };
  test.each([
    ['in the band', {}, true],
    ['at 65', { beforeBonus: 65 }, true],
    ['at 85', { beforeBonus: 85 }, true],
    ['at 64', { beforeBonus: 64 }, false],
    ['at 86', { beforeBonus: 86 }, false],
    ['large', { tier: 'large' as ModelTier }, true],
    ['medium', { tier: 'medium' as ModelTier }, false],
    ['switched off', { enabled: false }, false],
    ['a wrong framework', { violation: true }, false],
    ['what does not compile', { compileFailed: true }, false],
  ])('QEL-49 %s: asked %s', (_, given, isAsked) => {
    expect(whyNoBonus({ ...asked, ...given }) === null).toBe(isAsked);
  });

  test('QEL-49 the bonus is the share of 15 points', () => {
    expect([bonusOf(1), bonusOf(0.5), bonusOf(-1), bonusOf(7)]).toEqual([15, 7.5, 0, 15]);
  });
});
