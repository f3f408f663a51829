import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { reportFigure } from '../../../testing/figures';
import {
  readLoad,
  type Child,
  type Edge,
  startEdge,
  startWorker,
} from '../../../testing/processes';
import { createStack, long, type Stack } from '../../../testing/stack';
import { timeFactor } from '../../../testing/time-factor';
import { firstOf } from '../../../testing/first-of';

let stack: Stack;
let edge: Edge;
let worker: Child;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  // Megabytes of figures take more than a request may use by default: here the operator
  // allows it.
  const variables = { ...stack.variables, ASSAY_REQUEST_BUDGET_MS: '30000' };
  [edge, worker] = await Promise.all([
    startEdge(variables, true),
    startWorker(stack.variables, 'worker', true),
  ]);
});

afterAll(() => stack.close());

const kilobytes = long ? 1_000 : 250;
const others = long ? Number.POSITIVE_INFINITY : 10;
const large = kilobytes * 1_000;
const fill = (unit: string): string => unit.repeat(Math.ceil(large / unit.length)).slice(0, large);

const hostile: readonly { readonly what: string; readonly output: string }[] = [
  { what: 'one number', output: fill('1') },
  { what: 'a number after each comma', output: fill('1,') },
  { what: 'amounts', output: fill('12,345.67 ') },
  { what: 'percents', output: fill('1%') },
  { what: 'clock colons', output: fill('1:') },
  { what: 'dashes', output: fill('1-') },
  { what: 'dates', output: fill('2026-01-01 ') },
  { what: 'open brackets', output: fill('[1](') },
  { what: 'letters and a bang', output: `${fill('a')}!` },
  {
    what: 'plain words',
    output: fill('lorem ipsum 5 GB dolor sit amet, consectetur adipiscing elit '),
  },
];

const post = (body: unknown, path = '/v1/verify/integrity'): Promise<Response> =>
  fetch(edge.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test.each(firstOf(4, hostile))(
  `R-102 a hostile answer of ${kilobytes} kB, $what: verified with less than 2 s of work, other requests are answered meanwhile`,
  async ({ what, output }) => {
    await post({ output: '5 GB', tools: [] });
    await Promise.all([readLoad(edge), readLoad(worker)]);
    const began = performance.now();
    let over = false;
    const answering = post({
      output,
      tools: [
        { id: 'tc1', result: { gb: 5, list: Array.from({ length: 500 }, (_, i) => i * 1.1) } },
      ],
    }).then(async (response) => {
      const body = (await response.json()) as { state: string; outcome: string };
      over = true;
      return { status: response.status, body, tookMs: performance.now() - began };
    });
    let slowest = 0;
    // Without a limit they would take most of the processor time from the large one.
    for (let asked = 0; !over && asked < others; asked++) {
      const asking = performance.now();
      const response = await post({
        output: '91.4%',
        tools: [{ id: 'tc1', result: { pct: 91.4 } }],
      });
      expect(await response.json()).toMatchObject({ outcome: 'passed' });
      slowest = Math.max(slowest, performance.now() - asking);
    }
    const answer = await answering;
    const [{ stallMs }, { cpuMs }] = await Promise.all([readLoad(edge), readLoad(worker)]);
    expect(answer).toMatchObject({ status: 200, body: { state: 'settled' } });
    reportFigure(`R-102 ${what}`, {
      'answered ms': Math.round(answer.tookMs),
      'worker busy ms': Math.round(cpuMs),
      outcome: answer.body.outcome,
      'slowest other request ms': Math.round(slowest),
      'longest stall of the edge ms': Math.round(stallMs),
    });
    // Processor time, since other processes run during a test; the limits on wall-clock time allow
    // for them.
    expect(cpuMs).toBeLessThan(timeFactor * 2000);
    expect(stallMs).toBeLessThan(timeFactor * 200);
  },
);

/** Characters of texts that are just above the limits in the short form. */
const [manyFigures, manySources] = long ? [19_000_000, 19_000_000] : [2_100_000, 8_400_000];
const over: readonly {
  readonly what: string;
  readonly output: string;
  readonly result: string | null;
  readonly reason: string;
}[] = [
  {
    what: 'more figures than are traced',
    output: '7 GB, '.repeat(20_000),
    result: null,
    reason: '20000 figures; at most 10000',
  },
  {
    what: `${manyFigures / 1e6} MB of figures`,
    output: '1,'.repeat(manyFigures / 2),
    result: null,
    reason: `${manyFigures} characters; at most 2097152`,
  },
  {
    what: `sources of ${manySources / 1e6} MB`,
    output: '7 GB',
    result: '5,'.repeat(manySources / 2),
    reason: `${manySources} characters; at most 8388608`,
  },
];
test.each(over)(
  'R-102 an answer with $what is inconclusive with the reason, never a pass',
  async ({ output, reason, result }) => {
    const response = await post({ output, tools: [{ id: 'tc1', result: result ?? { gb: 7 } }] });
    const reply = (await response.json()) as { scores: { reasoning: string }[] };
    expect(reply).toMatchObject({ state: 'settled', outcome: 'inconclusive', verdict: null });
    expect(reply.scores.some((score) => score.reasoning.includes(reason))).toBe(true);
  },
);

test(`R-102 sources of ${2 * kilobytes} kB, all figures: verified within a budget for them, the edge stays responsive`, async () => {
  await Promise.all([readLoad(edge), readLoad(worker)]);
  const began = performance.now();
  const response = await post({
    output: 'It is 91.4% and 6 GB.',
    tools: [
      { id: 'tc1', result: '5,'.repeat(large) },
      { id: 'tc2', result: { pct: 91.4 } },
    ],
  });
  const tookMs = performance.now() - began;
  const body = (await response.json()) as { state: string; outcome: string };
  const [{ stallMs }, { cpuMs }] = await Promise.all([readLoad(edge), readLoad(worker)]);
  expect(body).toMatchObject({ state: 'settled', outcome: 'failed', integrity: { unsourced: 1 } });
  reportFigure(`R-102 sources of ${2 * kilobytes} kB`, {
    outcome: body.outcome,
    'answered ms': Math.round(tookMs),
    'worker busy ms': Math.round(cpuMs),
    'longest stall of the edge ms': Math.round(stallMs),
  });
  expect(stallMs).toBeLessThan(timeFactor * 200);
});

test(`R-102 a synthesis of ${4 * kilobytes} kB, all figures: verified within a budget for it, the edge stays responsive`, async () => {
  await Promise.all([readLoad(edge), readLoad(worker)]);
  const began = performance.now();
  const agent_outputs = [{ id: 'o1', agent: 'a', summary: '-1'.repeat(2 * large), data: {} }];
  const response = await post(
    { query: 'How full is it?', answer: 'The disk is 91.4% full.', agent_outputs },
    '/v1/verify/synthesis',
  );
  const tookMs = performance.now() - began;
  const body = (await response.json()) as { state: string; outcome: string };
  const [{ stallMs }, { cpuMs }] = await Promise.all([readLoad(edge), readLoad(worker)]);
  expect([response.status, body.state, body.outcome]).toEqual([200, 'settled', 'failed']);
  reportFigure(`R-102 a synthesis of ${4 * kilobytes} kB`, {
    'answered ms': Math.round(tookMs),
    'worker busy ms': Math.round(cpuMs),
    'longest stall of the edge ms': Math.round(stallMs),
  });
  expect(stallMs).toBeLessThan(timeFactor * 200);
});
