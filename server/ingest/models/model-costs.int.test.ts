import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createCaller, type Json } from '../../../testing/call';
import { createTestProject, drainWork } from '../../../testing/database';
import { createStack, sampleTurn, type Stack } from '../../../testing/stack';
import { createKey, type ProjectCtx } from '../../access';
import { listModelDays, listModels, listVerdicts, summariseProject } from '../../verdicts';
import { getSession, getTurn, listTraces, listTurns, resolveModelNames } from '..';

let stack: Stack;
let project: ProjectCtx;
let call: ReturnType<typeof createCaller>;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
});

beforeEach(async () => {
  project = await createTestProject(stack.runtime);
  const { key } = await createKey(project, { name: 'test', scopes: ['ingest', 'read', 'write'] });
  call = createCaller(stack.runtime, key);
});

afterAll(() => stack.close());

const turn = (id: string, more: Json = {}) => ({
  ...sampleTurn(id),
  started_at: '2025-10-01T10:00:00Z',
  ...more,
});

async function send(...turns: readonly object[]): Promise<void> {
  const reply = await call('/v1/turns', { turns });
  expect(reply).toMatchObject({ status: 202 });
}

describe('one identity per model', () => {
  const names = ['gpt-4o', 'openai/gpt-4o', 'gpt-4o-2024-08-06', 'azure/gpt-4o'];

  beforeEach(async () => {
    await send(
      ...names.map((model, at) => turn(`t${at}`, { model })),
      turn('other', { model: 'gpt-4o-mini' }),
    );
    await drainWork(stack.runtime);
  });

  test('all names of a model are one row, with one n, and the turn keeps its own', async () => {
    const rows = (await listModels(project)).map(({ model, outcomes }) => [model, outcomes.length]);
    expect(rows.sort()).toEqual([
      ['gpt-4o', names.length],
      ['gpt-4o-mini', 1],
    ]);
    expect((await listModelDays(project)).map(({ model }) => model).sort()).toEqual([
      'gpt-4o',
      'gpt-4o-mini',
    ]);
    const { byModel } = await summariseProject(project, { days: 1 });
    expect(byModel.map(({ model }) => model)).toEqual(['gpt-4o', 'gpt-4o-mini']);
    expect((await getTurn(project, 't2')).model).toBe('gpt-4o-2024-08-06');
  });

  test.each([...names, 'bedrock/gpt-4o-2024-11-20'])(
    'a filter by %s finds the work of all names',
    async (model) => {
      const turns = await listTurns(project, { model });
      expect(turns.items).toHaveLength(names.length);
      expect((await listVerdicts(project, { model })).items).toHaveLength(names.length);
      const ofOne = await listVerdicts(project, { model, verifier: 'integrity' });
      expect(ofOne.items).toHaveLength(names.length);
    },
  );

  test('names of an earlier release count as they are until a worker resolves them', async () => {
    const { sql } = stack.runtime.ctx;
    await sql`update model_names set identity = null where project_id = ${project.projectId}`;
    expect(await listModels(project)).toHaveLength(names.length + 1);
    while (await resolveModelNames(stack.runtime.ctx));
    expect(await listModels(project)).toHaveLength(2);
  });
});

describe('the cost of work', () => {
  test.each<[string, Json, number | null, readonly string[] | null]>([
    ['as sent', { model: 'gpt-4o', cost_usd: 0.5, tokens: { input: 1 } }, 0.5, ['sent']],
    [
      'by the price list, cached input cheaper',
      { model: 'openai/gpt-4o', tokens: { input: 1000, output: 100, cache_read: 400 } },
      0.003,
      ['list openai/gpt-4o'],
    ],
    ['no price', { model: 'acme', tokens: { input: 1000 } }, null, ['none acme']],
    ['nothing reported', { model: 'gpt-4o' }, null, null],
  ])('%s', async (_, more, costUsd, costBasis) => {
    await send(turn('t', more));
    expect(await getTurn(project, 't')).toMatchObject({ costUsd, costBasis });
  });

  test('another content of a turn is priced too', async () => {
    await send(turn('t', { model: 'gpt-4o' }));
    await send(turn('t', { model: 'gpt-4o', tokens: { input: 1000, output: 0 }, output: 'Other.' }));
    expect(await getTurn(project, 't')).toMatchObject({ costUsd: 0.0025, revision: 2 });
  });

  test('a session is the sum of its traces and of its turns without one', async () => {
    const span = (id: string, model: string) => ({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: id,
      name: 'chat',
      startTimeUnixNano: '1759312800000000000',
      endTimeUnixNano: '1759312801000000000',
      attributes: Object.entries({
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': model,
        'gen_ai.usage.input_tokens': '1000',
        'gen_ai.conversation.id': 's',
        'gen_ai.output.messages': '[{"role":"assistant","content":"Done."}]',
      }).map(([key, value]) => ({ key, value: { stringValue: value } })),
    });
    const spans = [span('00f067aa0ba902b7', 'gpt-4o'), span('00f067aa0ba902b8', 'acme')];
    const reply = await call('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] });
    expect(reply).toMatchObject({ status: 200 });
    await send(
      turn('alone', { session_id: 's', model: 'gpt-4o-mini', tokens: { input: 10_000 } }),
      turn('sent', { session_id: 's', cost_usd: 1 }),
    );
    await stack.runtime.ctx.sql`update work set due_at = now() where project_id = ${project.projectId}`;
    await drainWork(stack.runtime);
    const { items } = await listTraces(project, { model: 'openai/gpt-4o' });
    expect(items).toMatchObject([
      { costUsd: 0.0025, costBasis: ['list openai/gpt-4o', 'none acme'] },
    ]);
    expect(await getSession(project, 's')).toMatchObject({
      costUsd: 1.004,
      costAtLeast: true,
      models: ['acme', 'gpt-4o', 'gpt-4o-mini'],
    });
  });
});
