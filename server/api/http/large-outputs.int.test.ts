import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { reportFigure } from '../../../testing/figures';
import { clean, closeLedger } from '../../../testing/ledger';
import {
  readLoad,
  type Child,
  type Edge,
  startEdge,
  startWorker,
} from '../../../testing/processes';
import { timeFactor } from '../../../testing/time-factor';
import { createStack, long, type Stack } from '../../../testing/stack';
import { until } from '../../../testing/until';
import { checks } from '../../evaluators/checks';

let stack: Stack;
let edge: Edge;
let worker: Child;

beforeAll(async () => {
  // Ten times the usual processor time of a request, so that all checks end.
  stack = await createStack(inject('databaseUrl'), { ASSAY_REQUEST_BUDGET_MS: '10000' });
  [edge, worker] = await Promise.all([
    startEdge(stack.variables, true),
    startWorker(stack.variables, 'worker', true),
  ]);
});

afterAll(() => stack.close());

const megabytes = long ? 10 : 5;

/** Every deterministic check, with a value for which it reads the whole text. */
const values: Readonly<Record<string, unknown>> = {
  regex: 'the last line$',
  min_length: 1_000,
  max_length: 20_000_000,
  word_count: [1, 20_000_000],
  required_sections: ['Last section'],
  json_schema: { type: 'object' },
  urls_valid: [],
  keywords: ['last line'],
};

interface Reply {
  readonly id: string;
  readonly state: string;
  readonly outcome: string;
  readonly scores: readonly { readonly state: string; readonly reasoning: string }[];
}

async function ask(path: string, body?: string): Promise<{ status: number; reply: Reply }> {
  const response = await fetch(edge.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, reply: (await response.json()) as Reply };
}

async function awaitSettled({ status, reply }: Awaited<ReturnType<typeof ask>>): Promise<Reply> {
  expect([status, reply]).toEqual([expect.toBeOneOf([200, 202]), expect.anything()]);
  if (reply.state === 'settled') return reply;
  return until('a verdict', async () => {
    const { reply: now } = await ask(`/v1/verifications/${reply.id}`);
    return now.state === 'settled' ? now : null;
  });
}

test.each(['sync', 'async'])(
  `R-9 all deterministic checks of an output of ${megabytes} MB, %s: no event loop waits for them`,
  async (mode) => {
    expect(Object.keys(values).sort()).toEqual([...checks.keys()].sort());
    const line = 'A word and https://example.org/page in the text.\n';
    const text = line.repeat((megabytes * 1_000_000) / line.length);
    const body = JSON.stringify({
      id: `r9-${mode}`,
      task_description: 'A long report.',
      success_criteria: Object.entries(values).map(([check, value]) => ({ check, value })),
      task_output: `${text}\n# Last section\nthe last line`,
      ...(mode === 'async' ? { mode } : {}),
    });
    await Promise.all([readLoad(edge), readLoad(worker)]);
    const verdict = await awaitSettled(await ask('/v1/verify/task', body));
    const [{ stallMs: edgeMs }, { stallMs: workerMs, cpuMs }] = await Promise.all([
      readLoad(edge),
      readLoad(worker),
    ]);
    expect(verdict.scores.filter(({ reasoning }) => reasoning.includes('over budget'))).toEqual([]);
    expect(verdict.scores.length).toBeGreaterThanOrEqual(checks.size);
    expect(Math.max(edgeMs, workerMs)).toBeLessThan(timeFactor * 50);
    const sent = new Set<string>();
    expect(
      await closeLedger(stack.sql, stack.project.projectId, { sent, acked: sent, faults: [] }),
    ).toMatchObject(clean);
    reportFigure(`R-9 ${mode}`, {
      megabytes,
      'longest stall of the edge ms': Math.round(edgeMs),
      'longest stall of the worker ms': Math.round(workerMs),
      'worker processor ms': Math.round(cpuMs),
    });
  },
);
