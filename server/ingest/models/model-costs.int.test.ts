import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { createCaller, type Json } from '../../../testing/call';
import { createTestProject, drainJobs, drainWork } from '../../../testing/database';
import { createStack, sampleTurn, type Stack } from '../../../testing/stack';
import { createKey, type ProjectCtx } from '../../access';
import { listModelDays, listModels, listVerdicts, summariseProject } from '../../verdicts';
import {
  deleteAlias,
  deleteOwnPrice,
  getSession,
  getTurn,
  listModelSettings,
  listTraces,
  listTurns,
  putAlias,
  putOwnPrice,
  resolveModelNames,
} from '..';

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
    const rows = await listModels(project);
    expect(Object.fromEntries(rows.map((row) => [row.model, row.outcomes.length]))).toEqual({
      'gpt-4o': names.length,
      'gpt-4o-mini': 1,
    });
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
    await send(
      turn('t', { model: 'gpt-4o', tokens: { input: 1000, output: 0 }, output: 'Other.' }),
    );
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
    await stack.runtime.ctx
      .sql`update work set due_at = now() where project_id = ${project.projectId}`;
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

describe('aliases', () => {
  const rowsOf = async () =>
    (await listModels(project))
      .map(({ model, outcomes }): [string, number] => [model, outcomes.length])
      .sort(([a], [b]) => (a < b ? -1 : 1));

  test('earlier work follows an alias at once, and its removal', async () => {
    await send(turn('a', { model: 'gpt-4o' }), turn('b', { model: 'azure/our-deployment' }));
    await drainWork(stack.runtime);
    expect(await rowsOf()).toEqual([
      ['gpt-4o', 1],
      ['our-deployment', 1],
    ]);
    await putAlias(project, { alias: 'Our-Deployment', model: 'openai/gpt-4o' });
    expect(await rowsOf()).toEqual([['gpt-4o', 2]]);
    await deleteAlias(project, 'our-deployment');
    expect(await rowsOf()).toHaveLength(2);
    await expect(deleteAlias(project, 'our-deployment')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('the alias of a dated name to itself keeps it apart, with any provider', async () => {
    const dated = 'gpt-4o-2024-08-06';
    await send(turn('a', { model: 'gpt-4o' }), turn('b', { model: `openai/${dated}` }));
    await putAlias(project, { alias: dated, model: dated });
    await send(turn('c', { model: dated }));
    await drainWork(stack.runtime);
    expect(await rowsOf()).toEqual([
      ['gpt-4o', 1],
      [dated, 2],
    ]);
    expect((await listTurns(project, { model: dated })).items.map(({ id }) => id).sort()).toEqual([
      'b',
      'c',
    ]);
  });

  test('chains are refused, and another project is not affected', async () => {
    await putAlias(project, { alias: 'x', model: 'y' });
    const refused = { code: 'refused' };
    await expect(putAlias(project, { alias: 'w', model: 'X' })).rejects.toMatchObject(refused);
    await expect(putAlias(project, { alias: 'y', model: 'z' })).rejects.toMatchObject(refused);
    // Also under another spelling of the same name.
    await putAlias(project, { alias: 'gpt-4o', model: 'house-model' });
    const spelled = { alias: 'v', model: 'openai/gpt-4o' };
    await expect(putAlias(project, spelled)).rejects.toMatchObject(refused);
    await putAlias(project, { alias: 'a', model: 'MyTune' });
    await expect(putAlias(project, { alias: 'mytune', model: 'b' })).rejects.toMatchObject(refused);
    const other = await createTestProject(stack.runtime);
    expect((await listModelSettings(other)).aliases).toEqual([]);
    await expect(deleteAlias(other, 'x')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('own prices', () => {
  const price = (model: string, validFrom: string, input: number) => ({
    model,
    valid_from: validFrom,
    usd_per_million: { input, output: 0 },
  });
  const costOf = async (id: string) => (await getTurn(project, id)).costUsd;

  test('a job computes stored costs again, and a sent cost stays', async () => {
    await send(
      turn('list', { model: 'gpt-4o', tokens: { input: 1000 } }),
      turn('none', { model: 'acme', tokens: { input: 1000 } }),
      turn('sent', { model: 'acme', tokens: { input: 1000 }, cost_usd: 7 }),
    );
    await putOwnPrice(project, price('ACME', '2025-10-01', 5));
    await putOwnPrice(project, price('gpt-4o', '2025-10-02', 5));
    await drainJobs(stack.runtime);
    expect(await getTurn(project, 'none')).toMatchObject({
      costUsd: 0.005,
      costBasis: ['own acme'],
    });
    expect(await costOf('list')).toBe(0.0025);
    expect(await costOf('sent')).toBe(7);
    await send(turn('later', { model: 'acme', tokens: { input: 2000 } }));
    expect(await costOf('later')).toBe(0.01);
    await deleteOwnPrice(project, { model: 'acme', valid_from: '2025-10-01' });
    await drainJobs(stack.runtime);
    expect(await getTurn(project, 'none')).toMatchObject({
      costUsd: null,
      costBasis: ['none acme'],
    });
  });

  test('an alias gives a price to stored work', async () => {
    await send(turn('t', { model: 'our-deployment', tokens: { input: 1000 } }));
    expect(await costOf('t')).toBeNull();
    await putAlias(project, { alias: 'our-deployment', model: 'gpt-4o' });
    await drainJobs(stack.runtime);
    expect(await costOf('t')).toBe(0.0025);
  });

  test('changes are audited', async () => {
    await putOwnPrice(project, price('acme', '2025-10-01', 5));
    await putAlias(project, { alias: 'a', model: 'b' });
    const rows = await stack.runtime.ctx.sql`
      select action, target from audit_events where project_id = ${project.projectId} and action like 'models.%' order by 1`;
    expect(rows).toMatchObject([
      { action: 'models.alias', target: 'a' },
      { action: 'models.price', target: 'acme' },
    ]);
  });
});
