import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startEdge, startWorker } from '../testing/processes';
import { createStack, type Stack } from '../testing/stack';
import { codeModels, makeCode } from './make-code.mjs';
import { runDemo } from './run-demo.mjs';

/**
 * The coding agent of `npm run demo`, with a separate edge and worker, in this machine's sandbox if
 * it has one.
 */

let stack: Stack;
let url = '';

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  ({ url } = await startEdge(stack.variables));
  await startWorker(stack.variables);
});

afterAll(() => stack.close());

test('QEL-16 QEL-20 QEL-22 QEL-35 the planted faults of code are caught by the tier of the model, and fixed after the feedback', async () => {
  const lines: string[] = [];
  const { code } = await runDemo({
    url,
    key: stack.key,
    turns: 1,
    code: 20,
    seed: 7,
    run: 'test',
    print: (line) => lines.push(line),
  });
  const hasBox = code.some(({ isProved }) => isProved);
  for (const { id, fault, model, outcome, repaired } of code) {
    // Without both routes, 82.5 points remain: enough for the smaller model, too few for the larger
    // one.
    const passes = fault === null || (fault === 'missing_route' && model === codeModels[0]);
    const proofDecides =
      !hasBox && (passes || fault === 'syntax_error' || fault === 'missing_route');
    expect(outcome, `${id} ${fault} ${model}`).toBe(
      proofDecides ? 'inconclusive' : passes ? 'passed' : 'failed',
    );
    expect(repaired, `${id} ${fault}`).toBe(
      outcome === 'failed' ? (hasBox ? 'passed' : 'inconclusive') : null,
    );
  }
  expect(lines.join('\n')).toContain('of 20 samples have one fault');
});

test('each fault occurs with both models, and the same seed makes the same samples', () => {
  const samples = makeCode({ run: 'a', count: 20, seed: 7 });
  const met = new Set(
    samples.flatMap(({ fault, model }) => (fault === null ? [] : [`${fault} ${model}`])),
  );
  expect(met.size).toBe(10);
  expect(makeCode({ run: 'a', count: 20, seed: 7 })).toEqual(samples);
});
