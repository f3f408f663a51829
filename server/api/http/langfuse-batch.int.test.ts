// Langfuse's ingestion API, with batches as its JavaScript SDK 3 sends them.
import fc from 'fast-check';
import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import { intakeLimits } from '../../domain';
import type { Runtime } from '../../runtime';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  ({ key } = await createKey(project, { name: 'langfuse', scopes: ['ingest'] }));
});

interface Taken {
  readonly successes: readonly { readonly id: string; readonly status: number }[];
  readonly errors: readonly {
    readonly id: string;
    readonly status: number;
    readonly message: string;
  }[];
}

async function post(body: unknown, secret = key): Promise<{ status: number; taken: Taken }> {
  const response = await appOf(runtime).request('/api/public/ingestion', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${btoa(`pk-lf-1:${secret}`)}`,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, taken: (await response.json()) as Taken };
}

const at = (ms: number): string => new Date(Date.UTC(2026, 0, 5, 10) + ms).toISOString();
let sent = 0;

function event(type: string, ms: number, body: object) {
  return { id: `event-${++sent}`, type, timestamp: at(ms), body };
}

const question = 'How full is web-1?';
const answer = 'web-1 is at 91.4 % now, with 21 GiB free.';

/** An agent that reads a disk and answers; creations, updates and scores. */
function agent(traceId: string) {
  const own = { traceId };
  return [
    event('trace-create', 0, {
      id: traceId,
      timestamp: at(0),
      name: 'ops-agent',
      input: question,
      sessionId: 's-1',
      userId: 'u-1',
      tags: ['disk'],
      metadata: { team: 'infra' },
    }),
    event('span-create', 10, {
      ...own,
      id: `${traceId}-disk`,
      name: 'disk',
      startTime: at(10),
      input: { host: 'web-1' },
    }),
    event('span-update', 20, {
      ...own,
      id: `${traceId}-disk`,
      endTime: at(20),
      output: { rows: [{ host: 'web-1', disk_pct: 91.4 }] },
    }),
    event('generation-create', 30, {
      ...own,
      id: `${traceId}-answer`,
      name: 'answer',
      startTime: at(30),
      model: 'gpt-4o',
      input: [{ role: 'user', content: question }],
    }),
    event('generation-update', 30, { ...own, id: `${traceId}-answer`, output: 'a draft: 7' }),
    event('generation-update', 40, {
      ...own,
      id: `${traceId}-answer`,
      endTime: at(40),
      output: answer,
      usage: { promptTokens: 40, completionTokens: 12 },
    }),
    event('event-create', 45, { ...own, id: `${traceId}-note`, name: 'note', startTime: at(45) }),
    event('trace-create', 50, { id: traceId, timestamp: at(50), output: answer }),
    event('score-create', 60, {
      id: `${traceId}-helpful`,
      traceId,
      observationId: `${traceId}-answer`,
      name: 'helpful',
      value: 0.9,
      comment: 'clear',
    }),
    event('score-create', 61, { id: `${traceId}-tone`, traceId, name: 'tone', value: 'kind' }),
    event('sdk-log', 62, { log: 'flushed' }),
  ];
}

async function turnsOf({ projectId }: ProjectCtx, traceId: string) {
  const rows = await runtime.ctx.sql<{ payload: string; revision: number }[]>`
    select payload, revision from turns where project_id = ${projectId} and trace_id = ${traceId}`;
  return rows.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
}

const uuid = (last: string): string => `0000000a-0000-4000-8000-${last.padStart(12, '0')}`;
const bare = (id: string): string => id.replaceAll('-', '');

test('a batch becomes a turn with its source, session, user, tags, tokens and scores', async () => {
  const id = uuid('1');
  const events = agent(id);
  const { status, taken } = await post({ batch: events, metadata: { sdk_name: 'langfuse-js' } });
  expect(status).toBe(207);
  expect(taken).toEqual({
    successes: events.map((one) => ({ id: one.id, status: 201 })),
    errors: [],
  });
  await drainWork(runtime);
  const [turn, ...others] = await turnsOf(project, bare(id));
  expect(others).toEqual([]);
  expect(turn).toMatchObject({
    session_id: 's-1',
    model: 'gpt-4o',
    source: 'langfuse',
    output: answer,
    tags: ['disk'],
    tokens: { input: 40, output: 12 },
    tools: [
      {
        name: 'disk',
        arguments: { host: 'web-1' },
        result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] },
      },
    ],
    metadata: { team: 'infra', span: { user_id: 'u-1' } },
  });
  const scores = await runtime.ctx.sql`
    select name, value, label, explanation, turn_id is not null as matched from foreign_scores
    where project_id = ${project.projectId} and trace_id = ${bare(id)} order by name`;
  expect(scores.map((row) => ({ ...row }))).toEqual([
    { name: 'helpful', value: 0.9, label: null, explanation: 'clear', matched: true },
    { name: 'tone', value: null, label: 'kind', explanation: null, matched: true },
  ]);
  const verdicts = await runtime.ctx.sql`
    select outcome, detail->'unsourced' as unsourced from verdicts where project_id = ${project.projectId}`;
  expect(verdicts.map((row) => ({ ...row }))).toEqual([{ outcome: 'failed', unsourced: 1 }]);
});

test('the order of events and their distribution over batches change nothing', async () => {
  const seen = new Set<string>();
  let run = 0;
  const orders = fc.sample(
    fc.tuple(fc.shuffledSubarray([...Array(11).keys()], { minLength: 11 }), fc.nat({ max: 11 })),
    { numRuns: 12, seed: 7 },
  );
  for (const [order, cut] of orders) {
    const id = uuid(`f${++run}`);
    const events = agent(id);
    const shuffled = order.flatMap((place) => events[place] ?? []);
    for (const batch of [shuffled.slice(0, cut), shuffled.slice(cut)])
      if (batch.length > 0) expect((await post({ batch })).taken.errors).toEqual([]);
    await drainWork(runtime);
    const turns = await turnsOf(project, bare(id));
    const text = JSON.stringify(turns).replaceAll(bare(id), 'trace');
    seen.add(text.replaceAll(/[0-9a-f]{16}/g, 'span'));
    const [trace] = await runtime.ctx.sql<{ flags: string[] }[]>`
      select to_jsonb(flags) as flags from traces where project_id = ${project.projectId} and id = ${bare(id)}`;
    expect(trace?.flags ?? []).toEqual([]);
  }
  expect([...seen]).toEqual([expect.stringContaining(answer)]);
});

test('the same batch again stores nothing more', async () => {
  const id = uuid('2');
  const batch = agent(id);
  const before = await post({ batch });
  await drainWork(runtime);
  expect(await post({ batch })).toEqual(before);
  await drainWork(runtime);
  const segments = await runtime.ctx.sql`
    select 1 from trace_segments where project_id = ${project.projectId} and trace_id = ${bare(id)}`;
  expect([segments.length, (await turnsOf(project, bare(id))).length]).toEqual([1, 1]);
});

test('the same ids in another project are another trace', async () => {
  const other = await createTestProject(runtime);
  const { key: secret } = await createKey(other, { name: 'langfuse', scopes: ['ingest'] });
  const id = uuid('3');
  await post({ batch: agent(id).slice(0, 3) });
  await post({ batch: agent(id) }, secret);
  await drainWork(runtime);
  expect(await turnsOf(project, bare(id))).toEqual([]);
  expect(await turnsOf(other, bare(id))).toHaveLength(1);
  expect((await post({ batch: agent(id) }, 'sk-lf-none')).status).toBe(401);
});

const wrong: Readonly<Record<string, readonly [event: unknown, message: string]>> = {
  'another type': [event('comment-create', 0, {}), 'type: "comment-create" is not supported'],
  'no type': [{ id: 'x-1', timestamp: at(0), body: {} }, 'type: is required'],
  'a type that is a number': [{ id: 'x-2', type: 7, timestamp: at(0), body: {} }, 'type: "7"'],
  'no body': [{ id: 'x-3', type: 'trace-create', timestamp: at(0) }, 'body: must be an object'],
  'a body that is a list': [
    { id: 'x-4', type: 'trace-create', timestamp: at(0), body: [] },
    'body: must be an object',
  ],
  'no timestamp': [{ id: 'x-5', type: 'trace-create', body: {} }, 'timestamp: is required'],
  'a timestamp in words': [
    { id: 'x-6', type: 'trace-create', timestamp: 'noon', body: {} },
    'timestamp: "noon" is not an ISO 8601 time',
  ],
  'a start in words': [event('span-create', 0, { startTime: 'noon' }), 'startTime: "noon"'],
  'a time before 1970': [event('span-create', 0, { endTime: '1066-01-01' }), 'endTime: "1066'],
  'an update of nothing': [event('span-update', 0, { output: 1 }), 'body.id: is required'],
  'a score of a session': [
    event('score-create', 0, { sessionId: 's', name: 'n', value: 1 }),
    'body.traceId: is required',
  ],
  'a score without a name': [
    event('score-create', 0, { traceId: 't', value: 1 }),
    'body.name: is required',
  ],
  'a score without a value': [
    event('score-create', 0, { traceId: 't', name: 'n' }),
    'body.value: is required',
  ],
  'an event that is a number': [7, 'an event must be an object'],
};

test('a bad event is an error by its id, kept with its reason, and harms no neighbour', async () => {
  const id = uuid('4');
  const [good, ...rest] = agent(id);
  const bad = Object.values(wrong).map(([one]) => one);
  const { status, taken } = await post({ batch: [good, ...bad, ...rest] });
  expect(status).toBe(207);
  expect(taken.successes.map((one) => one.id)).toEqual([good, ...rest].map((one) => one?.id));
  expect(taken.errors.map((error) => error.message)).toEqual(
    Object.values(wrong).map(([, message]) => expect.stringContaining(message)),
  );
  const ids = bad.map((one, index) =>
    typeof one === 'object' && one !== null && 'id' in one ? one.id : `batch[${index + 1}]`,
  );
  expect(taken.errors.map((error) => [error.id, error.status])).toEqual(
    ids.map((one) => [one, 400]),
  );
  await drainWork(runtime);
  expect(await turnsOf(project, bare(id))).toHaveLength(1);
  const letters = await runtime.ctx.sql<{ code: string }[]>`
    select code from dead_letters where project_id = ${project.projectId} and route = '/api/public/ingestion'`;
  expect(letters.map(({ code }) => code)).toEqual(bad.map(() => 'invalid_event'));
});

test.each([
  ['text', 'x', 400],
  ['nothing', '', 400],
  ['a list', '[]', 400],
  ['null', 'null', 400],
  ['no batch', '{}', 400],
  ['a batch that is an object', '{"batch":{}}', 400],
  ['an empty batch', '{"batch":[]}', 207],
  ['too many events', `{"batch":[${'0,'.repeat(intakeLimits.spansPerRequest)}0]}`, 413],
])('a body of %s', async (_name, body, status) => {
  expect((await post(body)).status).toBe(status);
});
