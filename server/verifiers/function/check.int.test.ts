// The check before a function is saved, in real boxes.
import { afterAll, describe, expect, it } from 'vitest';
import { EvaluationSubject } from '../../domain';
import { createFunctionRunner } from '../../evaluators/functions';
import { createBoxMonitor } from '../../sandbox';
import { FunctionConfig } from '.';
import type { FunctionDefinition } from './definition';
import { checkFunction } from './check';

const monitor = createBoxMonitor();
const { state } = await monitor.check();
const runner = createFunctionRunner(monitor);
afterAll(() => {
  runner.close();
  monitor.stop();
});

const never = new AbortController().signal;
const example = {
  subject: EvaluationSubject.parse({ input: 'Q', output: 0.5 }),
  variables: {},
};
const functionIn = (language: FunctionDefinition['language']) => (source: string) =>
  FunctionConfig.parse({ name: 'Own', function: { language, source } });
const python = functionIn('python');
const javascript = functionIn('javascript');

describe.runIf(state === 'ready')('the check of a function', () => {
  const check = (config: FunctionConfig) =>
    checkFunction(runner.forProject('prj_1'), config, example, never);

  it.each<readonly [string, FunctionConfig, string, RegExp, number | null]>([
    [
      'a syntax error',
      python('def evaluate(output):\n  return (1'),
      'syntax',
      /SyntaxError: '\(' was never closed/,
      2,
    ],
    [
      'an error while loading',
      python('import nothing_here\ndef evaluate(): pass'),
      'load',
      /No module named/,
      1,
    ],
    [
      'no function',
      python('def score(output): return 1'),
      'signature',
      /has no function evaluate/,
      null,
    ],
    [
      'an unknown parameter',
      python('def evaluate(outptu): return 1'),
      'parameter',
      /did you mean "output"\?/,
      null,
    ],
    [
      'a loading that exits',
      python('import os\nos._exit(1)'),
      'load',
      /ended its process \(exit code 1\) while it was loaded/,
      null,
    ],
    [
      'garbage while loading',
      python('import os\nos.write(3, b"x\\n")\ndef evaluate(): pass'),
      'load',
      /descriptor 3/,
      null,
    ],
    [
      'a syntax error',
      javascript('function evaluate({ output }) {\n  return (1;\n}'),
      'syntax',
      /SyntaxError: Unexpected token/,
      2,
    ],
    [
      'a syntax error of a module',
      javascript('export function evaluate() {\n\n  let = 1;\n}'),
      'syntax',
      /SyntaxError/,
      3,
    ],
    [
      'a missing package',
      javascript('import x from "nothing-here";\nexport const evaluate = () => 1;'),
      'load',
      /Cannot find package 'nothing-here'/,
      null,
    ],
    ['no function', javascript('const score = 1;'), 'signature', /has no function evaluate/, null],
    [
      'an unknown parameter',
      javascript('function evaluate({ refrence }) {}'),
      'parameter',
      /did you mean "reference"\?/,
      null,
    ],
    ['a class', javascript('class evaluate {}'), 'signature', /is a class/, null],
  ])('finds %s (%#)', async (_what, source, cause, message, line) => {
    const found = await check(source);
    expect(found).toEqual({
      state: 'faulty',
      problems: [{ cause, message: expect.stringMatching(message), line }],
    });
  });

  it('tries a function that it can use', async () => {
    expect(await check(python('def evaluate(output, more=1): return output'))).toMatchObject({
      state: 'usable',
      parameters: [
        { name: 'output', required: true },
        { name: 'more', required: false },
      ],
      trial: { state: 'returned', value: 0.5 },
    });
    expect(await check(python('def evaluate(output):\n return 1 / 0'))).toMatchObject({
      trial: { state: 'failed', reason: 'ZeroDivisionError: division by zero', line: 2 },
    });
  });
});
