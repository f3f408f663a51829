import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startEdge, startWorker } from '../testing/processes';
import { createStack, type Stack } from '../testing/stack';
import { findFreePort } from '../scripts/postgres.mjs';
import { makePlans, planFaults } from './make-plans.mjs';
import { runDemo } from './run-demo.mjs';

/** The planner of `npm run demo`, with a separate edge and worker. */

let stack: Stack;
let url = '';
let judgePort = 0;

beforeAll(async () => {
  judgePort = await findFreePort();
  stack = await createStack(inject('databaseUrl'), {
    ASSAY_OUTBOUND_ALLOW: `127.0.0.1:${judgePort}`,
  });
  ({ url } = await startEdge(stack.variables));
  await startWorker(stack.variables);
});

afterAll(() => stack.close());

const demo = (port: number, run: string) => {
  const lines: string[] = [];
  return runDemo({
    url,
    key: stack.key,
    turns: 1,
    plans: 16,
    judgePort: port,
    seed: 7,
    run,
    print: (line) => lines.push(line),
  }).then(({ plans }) => ({ plans, text: lines.join('\n') }));
};

test('SOAR-14 SOAR-18 SOAR-26 planted faults of structure and confidence are caught, and each verdict has its ground truth', async () => {
  const { plans, text } = await demo(judgePort, 'test');
  const planted = plans.filter(({ fault }) => fault !== null);
  expect(new Set(planted.map(({ fault }) => fault))).toEqual(new Set(planFaults));
  const structural = ['cycle', 'dangling_dependency', 'low_confidence'];
  expect(
    planted.filter(
      ({ fault, outcome }) => structural.includes(fault ?? '') && outcome !== 'failed',
    ),
  ).toEqual([]);
  expect(plans.filter(({ outcome }) => outcome !== 'passed' && outcome !== 'failed')).toEqual([]);
  expect(text).toContain(`${planted.length} of ${plans.length} checkpoint plans have one fault`);
  const labels = await stack.sql<{ right: number; all: number; requests: number }[]>`
    select count(*) filter (where verdict_id is not null and success = (note = 'nothing is wrong'))::int as right,
      count(*) filter (where verdict_id is not null)::int as all, count(*) filter (where verdict_id is null)::int as requests
    from labels where kind = 'outcome' and id like 'demo-test-plan-%'`;
  expect(labels).toEqual([{ right: plans.length, all: plans.length, requests: 16 }]);
});

test('X-3 without its judge only faults of structure or form lead to a verdict', async () => {
  const { plans, text } = await demo(await findFreePort(), 'alone');
  const decided = plans.filter(
    ({ kind, outcome }) => kind === 'decomposition' && outcome !== 'inconclusive',
  );
  expect(
    decided.filter(({ fault }) => fault !== 'cycle' && fault !== 'dangling_dependency'),
  ).toEqual([]);
  expect(
    plans.filter(({ kind, outcome }) => kind === 'agent-output' && outcome === 'inconclusive'),
  ).toEqual([]);
  expect(text).toContain('a judge decides plans whose structure is correct');
});

test('the same seed makes the same requests, and every second one has a fault', () => {
  const plans = makePlans({ run: 'a', count: 16, seed: 7 });
  expect(makePlans({ run: 'a', count: 16, seed: 7 })).toEqual(plans);
  expect(plans.map(({ fault }) => fault)).toEqual(planFaults.flatMap((fault) => [null, fault]));
});
