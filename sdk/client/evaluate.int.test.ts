import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import { createStack, type Stack } from '../../testing/stack';
import { evaluate, type EvaluateOptions } from './index';

/** `evaluate` against a real edge and worker. */

let stack: Stack;
let edge: Edge;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
  await startWorker(stack.variables);
  await fetch(`${edge.url}/v1/verifiers/words`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'checks', checks: [{ check: 'contains', value: 'Say' }] }),
  });
});

afterAll(() => stack.close());

const items = ['one', 'two', 'three'].map((word) => ({
  id: word,
  input: `Say ${word}`,
  reference: word,
}));
const gate = { min_pass_rate: { words: { at_least: 0.9 } } };

const optionsOf = (more: Partial<EvaluateOptions<string>> = {}): EvaluateOptions<string> => ({
  url: edge.url,
  key: stack.key,
  dataset: 'spoken',
  items,
  target: ({ input }) => input,
  verifiers: ['words'],
  ...more,
});

const errorOf = (more: Partial<EvaluateOptions<string>>): Promise<unknown> =>
  evaluate(optionsOf(more)).then(
    () => null,
    (error: unknown) => error,
  );

describe('evaluate', () => {
  test('items become the latest version of the dataset, and the gate decides', async () => {
    const result = await evaluate({
      ...optionsOf(),
      gate,
      repetitions: 2,
      name: 'Spoken',
      branch: 'main',
      commit: 'abc',
      budgetUsd: 1,
    });
    expect(result.gate.passed).toBe(true);
    expect(result.experiment).toMatchObject({
      id: result.id,
      url: result.url,
      name: 'Spoken',
      branch: 'main',
      commit: 'abc',
      dataset: 'spoken@1',
      state: 'done',
      counts: { rows: 6, answered: 6, failed: 0 },
      results: [{ verifier: 'words', pass_rate: { value: 1, numerator: 6 } }],
    });
    const stored = await evaluate(optionsOf({ items: undefined }));
    expect([stored.experiment.dataset, stored.gate]).toEqual(['spoken@1', null]);
  });

  test('a target returns output, tools, cost and latency, and never sees a reference', async () => {
    const seen: unknown[] = [];
    const result = await evaluate({
      ...optionsOf({ items: items.slice(0, 1), dataset: 'said-once' }),
      target: (item) => {
        seen.push(item.reference);
        return { output: `${item.input}: 7`, tools: [], cost_usd: 0.5, latency_ms: 1234 };
      },
    });
    expect(seen).toEqual([undefined]);
    expect(result.experiment).toMatchObject({
      cost_usd: { target: 0.5 },
      latency_ms: { p50: 1234 },
    });
  });

  test('a target that throws, or returns no JSON, fails its row and therefore the gate', async () => {
    const answers: Record<string, () => unknown> = {
      one: () => 'Say one',
      two: () => Promise.reject(new Error('no two')),
      three: () => ({ output: 3n }),
    };
    const result = await evaluate({
      ...optionsOf(),
      target: ({ id }) => answers[id]?.(),
      gate: { ...gate, no_regression_against: 'branch:main' },
    });
    expect(result.gate.passed).toBe(false);
    expect(result.gate.reasons.map(({ code }) => code)).toContain('unscored');
    expect(result.gate.baseline).toMatch(/^exp_/);
    expect(result.experiment.counts).toMatchObject({ answered: 1, failed: 2 });
    const rows = await stack.sql<{ error: string }[]>`
      select error from experiment_rows where experiment_id = ${result.id} and error is not null
      order by error`;
    expect(rows.map(({ error }) => error)).toEqual([expect.stringContaining('BigInt'), 'no two']);
  });

  test('a target that is too slow fails its row', async () => {
    const signals: AbortSignal[] = [];
    const result = await evaluate(
      optionsOf({
        items: items.slice(0, 1),
        dataset: 'slow',
        targetTimeoutMs: 20,
        target: (_item, { signal }) => {
          signals.push(signal);
          return new Promise(() => undefined);
        },
      }),
    );
    expect(result.experiment.counts).toMatchObject({ answered: 0, failed: 1 });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  test('a stopped evaluation rejects, and its experiment is cancelled', async () => {
    const stop = new AbortController();
    const error = await errorOf({
      name: 'Stopped',
      signal: stop.signal,
      target: () => {
        stop.abort();
        return new Promise(() => undefined);
      },
    });
    expect(error).toMatchObject({ name: 'AssayError', code: 'aborted' });
    const [row] = await stack.sql<{ state: string }[]>`
      select state from experiments where name = 'Stopped'`;
    expect(row?.state).toBe('cancelled');
    expect(await errorOf({ signal: AbortSignal.abort() })).toMatchObject({ code: 'aborted' });
  });

  test('an evaluation that is stopped while its experiment starts leaves none open', async () => {
    const stop = new AbortController();
    let started = 0;
    // Forwards to the edge; the first answer to a start is replaced by the stop.
    const between = createServer((request, response) => {
      void (async () => {
        const { authorization = '', 'idempotency-key': once } = request.headers;
        const body = await buffer(request);
        const answer = await fetch(`${edge.url}${request.url ?? ''}`, {
          method: request.method ?? 'GET',
          headers: {
            authorization,
            'content-type': request.headers['content-type'] ?? 'application/json',
            ...(typeof once === 'string' && { 'idempotency-key': once }),
          },
          ...(body.length > 0 && { body }),
        });
        const text = await answer.text();
        if (request.method === 'POST' && request.url === '/v1/experiments' && started++ === 0)
          return stop.abort();
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
      })();
    });
    await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
    const { port } = between.address() as AddressInfo;
    const error = await errorOf({
      url: `http://127.0.0.1:${port}`,
      name: 'Stopped early',
      signal: stop.signal,
    });
    between.closeAllConnections();
    between.close();
    expect(error).toMatchObject({ code: 'aborted' });
    expect(started).toBe(2);
    expect(
      await stack.sql`select state from experiments where name = 'Stopped early'`,
    ).toMatchObject([{ state: 'cancelled' }]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['verifers: is not an option of evaluate; the options are url,', { verifers: ['words'] }],
    ['dataset: is required', { dataset: '' }],
    ['dataset: must have no version', { dataset: 'spoken@1' }],
    ['items: must be an array', { items: {} }],
    [
      'items: 1 rejected: item 2, id "x": `input` ',
      { dataset: 'partly', items: [{ input: 1 }, { id: 'x' }] },
    ],
    ['The other items were stored as version ', { items: [{ input: 'new' }, { id: 'x' }] }],
    ['items: item 1 has no readable id, so nothing is replaced', { items: [{ output: 1 }] }],
    ['items has no items', { items: [] }],
    ['target: is required', { target: undefined }],
    ['verifiers: is required', { verifiers: [] }],
    ['concurrency: must be a whole number from 1 to 64', { concurrency: 65 }],
    ['targetTimeoutMs: must be', { targetTimeoutMs: 0.5 }],
    ['gate.min_rate: is not known; the members are min_pass_rate,', { gate: { min_rate: {} } }],
    [
      'gate.min_pass_rate.other: is not one of the verifiers; use one of words',
      { gate: { min_pass_rate: { other: { at_least: 1 } } } },
    ],
  ])('an option is refused with its name and the fix: %s', async (message, more) => {
    expect(await errorOf(more as Partial<EvaluateOptions<string>>)).toMatchObject({
      name: 'AssayError',
      code: 'invalid',
      message: expect.stringContaining(message),
    });
  });

  test('errors of the server and of the connection have its code', async () => {
    expect(await errorOf({ dataset: 'none', items: undefined })).toMatchObject({
      code: 'not_found',
      status: 404,
    });
    expect(await errorOf({ verifiers: ['nothing'] })).toMatchObject({ code: 'refused' });
    expect(await errorOf({ key: 'asy_other' })).toMatchObject({ status: 401 });
    expect(await errorOf({ key: 'ä' })).toMatchObject({ code: 'misconfigured' });
  });

  const limit = (words: unknown): object => ({ min_pass_rate: { words } });
  test.each<[string, unknown]>([
    ['gate: is empty', {}],
    ['gate.min_pass_rate: must be an object', { min_pass_rate: 0.9 }],
    ['gate.min_pass_rate.words: must be an object', limit(0.9)],
    ['gate.min_pass_rate.words.at_least: must be a number from 0 to 1', limit({ at_least: 1.5 })],
    ['gate.min_pass_rate.words.at_least: must be a number from 0 to 1', limit({ by: 'low' })],
    ['gate.min_pass_rate.words.by: must be value or low', limit({ at_least: 1, by: 'high' })],
    ['gate.min_pass_rate.words.atleast: is not known', limit({ atleast: 1 })],
    ['gate.max_cost_usd: must be a number from 0', { max_cost_usd: -1 }],
    ['gate.no_regression_against: must be the id', { no_regression_against: 'branch:' }],
    ['no experiment "main" in this project', { no_regression_against: 'main' }],
  ])('a gate is refused before anything is stored: %s', async (message, given) => {
    const more = { dataset: 'ungated', gate: given } as Partial<EvaluateOptions<string>>;
    expect(await errorOf(more)).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(message),
    });
    expect(await stack.sql`select slug from datasets where slug = 'ungated'`).toEqual([]);
  });

  test('a baseline with another dataset is refused before anything is stored', async () => {
    const other = await evaluate(optionsOf({ dataset: 'first' }));
    const compared = { dataset: 'second', gate: { no_regression_against: other.id } };
    expect(await errorOf(compared)).toMatchObject({
      message: expect.stringContaining('has the dataset first@1; give one with the dataset second'),
    });
    expect(await stack.sql`select slug from datasets where slug = 'second'`).toEqual([]);
  });
});
