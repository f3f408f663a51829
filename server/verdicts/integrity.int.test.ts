import { pino } from 'pino';
import { afterAll, beforeEach, expect } from 'vitest';
import {
  createTestProject,
  createTestRuntime,
  drainWork,
  type TestDatabase,
} from '../../testing/database';
import { test } from '../../testing/fixture';
import { createCaller, type Json } from '../../testing/call';
import { clean, closeLedger, compareRollups } from '../../testing/ledger';
import { sampleTurn } from '../../testing/stack';
import { SOME_CONTEXT } from '../../testing/some-context';
import { createKey, createKeyCheck, openProjectAsSystem, type ProjectCtx } from '../access';
import { getBacklog } from '../queue';
import type { Runtime } from '../runtime';
import { summariseProject } from './index';

let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;
let key: string;
let call: ReturnType<typeof createCaller>;
const extra: Runtime[] = [];

test.beforeAll(({ database: ownDatabase, runtime: ownRuntime }) => {
  database = ownDatabase;
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, {
    name: 'test',
    scopes: ['ingest', 'verify', 'read', 'write'],
  }));
  call = createCaller(runtime, key);
});

afterAll(async () => {
  await Promise.all(extra.map((each) => each.close()));
});

function another(variables: Readonly<Record<string, string>> = {}): Runtime {
  const made = createTestRuntime(database.url, variables);
  extra.push(made);
  return made;
}

/** The same process with a recorded log: each line that pino would write at `level`. */
function withLog(
  base: Runtime,
  level: string,
): { readonly runtime: Runtime; readonly lines: Json[] } {
  const lines: Json[] = [];
  const log = pino(
    { level },
    { write: (line: string) => void lines.push(JSON.parse(line) as Json) },
  );
  const ctx = { ...base.ctx, log };
  return { runtime: { ...base, ctx, keys: createKeyCheck(ctx) }, lines };
}

const text =
  'The disk is at **91.4%**, 77 GB free;\r\n| a | 8 |\n\u26a0\ufe0f \u2028 caf\u00e9 \u{1f600}  ';
const odd = (id: string): Json => ({
  id,
  output: text,
  tools: [{ id: 'tc1', result: { pct: 91.4 } }],
});
const verbatim = {
  mode: null,
  unsourced: 0,
  parse_ok: null,
  figures: [],
  answer: text,
  sources_footer: '',
  reprompt: null,
  fields: null,
};

test.each(['off', 'OFF', 'Off', 'false', 'FALSE', '0', 'no', 'No', ' off '])(
  'INT-11 the kill switch in the environment at "%s": a pass-through, byte for byte',
  async (value) => {
    const off = another({ ASSAY_AI_INTEGRITY: value });
    const callOff = createCaller(off, key);
    const reply = await callOff('/v1/verify/integrity', odd('a'));
    expect(reply).toMatchObject({
      status: 200,
      body: {
        outcome: 'skipped',
        verdict: null,
        action: 'none',
        score: null,
        scores: [],
        issues: [],
        feedback: null,
        integrity: verbatim,
        decision: {
          state: 'blocked',
          reason: 'integrity is switched off by the environment (ASSAY_AI_INTEGRITY)',
        },
      },
    });
    await callOff('/v1/turns', { turns: [odd('b')] });
    expect(await drainWork(off)).toBe(1);
    const [row] = await runtime.ctx.sql<{ outcome: string; detail: Json }[]>`
    select outcome, detail from verdicts where project_id = ${project.projectId} and turn_id = 'b'`;
    expect(row).toMatchObject({ outcome: 'skipped', detail: verbatim });
    expect((await callOff('/v1/settings')).body).toMatchObject({
      integrity_enabled: false,
      integrity_off_by: 'environment',
    });
    expect(await summariseProject(project, { days: 1 })).toMatchObject({
      answers: 0,
      figures: 0,
      outcomes: { skipped: 2 },
    });
  },
);

test.each(['on', 'true', '1', 'yes', '', 'of', 'disabled', 'null'])(
  'INT-11 any other value of the switch, here "%s", is on',
  async (value) => {
    const reply = await createCaller(another({ ASSAY_AI_INTEGRITY: value }), key)(
      '/v1/verify/integrity',
      odd('a'),
    );
    expect(reply.body).toMatchObject({
      outcome: 'failed',
      integrity: { unsourced: 2, mode: 'fallback_scan' },
    });
  },
);

test('INT-11 the switch of one project: off there immediately, its neighbour unchanged, on again afterwards', async () => {
  const neighbour = await createTestProject(runtime);
  const made = await createKey(neighbour, { name: 'test', scopes: ['ingest', 'verify'] });
  const callNeighbour = createCaller(runtime, made.key);
  expect(await call('/v1/settings', { integrity_enabled: false }, {}, 'PUT')).toMatchObject({
    body: { integrity_enabled: false, integrity_off_by: 'project' },
  });
  expect((await call('/v1/verify/integrity', odd('a'))).body).toMatchObject({
    outcome: 'skipped',
    integrity: verbatim,
    decision: { state: 'blocked', reason: 'integrity is switched off in the project settings' },
  });
  expect((await callNeighbour('/v1/verify/integrity', odd('a'))).body).toMatchObject({
    outcome: 'failed',
  });
  await call('/v1/settings', { integrity_enabled: true }, {}, 'PUT');
  expect((await call('/v1/verify/integrity', odd('b'))).body).toMatchObject({ outcome: 'failed' });
  expect(await compareRollups(runtime.ctx.sql, project.projectId)).toEqual([]);
});

const fieldsOf = (line: Json | undefined): Json =>
  Object.fromEntries(Object.entries(line ?? {}).filter(([name]) => name.startsWith('integrity_')));

test('INT-12 INT-13 the four fields of every answer turn at debug level, in a worker and at the verify route', async () => {
  const { runtime: logged, lines } = withLog(runtime, 'debug');
  const callLogged = createCaller(logged, key);
  const envelope = {
    answer: 'It is 91.4%.',
    facts: [{ value: '91.4%', source_id: 'tc1', path: 'pct' }],
  };
  const turns = [
    { ...odd('scan') },
    { id: 'sourced', envelope, tools: [{ id: 'tc1', result: { pct: 91.4 } }] },
    { id: 'broken', output: 'plain words', envelope: '{"answer":', context: SOME_CONTEXT },
    { ...odd('again'), reprompt_used: true },
    { id: 'none', context: SOME_CONTEXT, output: 'no figures' },
  ];
  await callLogged('/v1/turns', { turns });
  await drainWork(logged);
  await callLogged('/v1/verify/integrity', odd('endpoint'));
  const records = new Map(
    lines.filter((line) => line.msg === 'integrity').map((line) => [line.turn, line]),
  );
  expect(new Set(records.keys())).toEqual(
    new Set(['again', 'broken', 'endpoint', 'none', 'scan', 'sourced']),
  );
  expect([...records.values()].every((line) => line.level === 20)).toBe(true);
  expect(fieldsOf(records.get('scan'))).toEqual({
    integrity_mode: 'fallback_scan',
    integrity_unsourced: 2,
    integrity_reprompt_used: false,
    integrity_parse_ok: false,
  });
  expect(fieldsOf(records.get('sourced'))).toEqual({
    integrity_mode: 'envelope',
    integrity_unsourced: 0,
    integrity_reprompt_used: false,
    integrity_parse_ok: true,
  });
  expect(fieldsOf(records.get('broken'))).toMatchObject({
    integrity_mode: 'fallback_scan',
    integrity_parse_ok: false,
  });
  expect(fieldsOf(records.get('again'))).toMatchObject({
    integrity_unsourced: 2,
    integrity_reprompt_used: true,
  });
  expect(fieldsOf(records.get('none'))).toEqual({
    integrity_mode: 'fallback_scan',
    integrity_unsourced: 0,
    integrity_reprompt_used: false,
    integrity_parse_ok: false,
  });
  expect(fieldsOf(records.get('endpoint'))).toEqual(fieldsOf(records.get('scan')));
});

test('INT-12 no fields when it is off, nor above debug level; a replay logs none again', async () => {
  const off = withLog(another({ ASSAY_AI_INTEGRITY: 'off' }), 'trace');
  await createCaller(off.runtime, key)('/v1/verify/integrity', odd('a'));
  const quiet = withLog(runtime, 'info');
  await createCaller(quiet.runtime, key)('/v1/verify/integrity', odd('b'));
  const again = withLog(runtime, 'debug');
  await createCaller(again.runtime, key)('/v1/verify/integrity', odd('b'));
  const fields = [...off.lines, ...quiet.lines, ...again.lines].filter((line) =>
    Object.keys(line).some((name) => name.startsWith('integrity_')),
  );
  expect(fields).toEqual([]);
});

test.each([
  {
    form: 'the verdict itself',
    relayed: { integrity: { unsourced: 2, sources_footer: 'Sources:\n\n- 91.4%' } },
    unsourced: 2,
    footer: 'Sources:\n\n- 91.4%',
  },
  {
    form: 'its detail',
    relayed: { unsourced: 0, sources_footer: 'Sources: none' },
    unsourced: 0,
    footer: 'Sources: none',
  },
  {
    form: 'the four fields',
    relayed: { integrity_mode: 'envelope', integrity_unsourced: 3 },
    unsourced: 3,
    footer: '',
  },
])(
  "INT-15 a relay with the origin's result, as $form, is not run again: marks and footer are the origin's",
  async ({ relayed, unsourced, footer }) => {
    const reply = await call('/v1/verify/integrity', { ...odd('a'), relayed_from: relayed });
    expect(reply.body).toMatchObject({
      outcome: 'skipped',
      verdict: null,
      scores: [],
      decision: { state: 'duplicate' },
      integrity: {
        mode: null,
        answer: text,
        unsourced,
        sources_footer: footer,
        fields: null,
        figures: [],
        reprompt: null,
      },
    });
    expect((await summariseProject(project, { days: 1 })).answers).toBe(0);
  },
);

test.each([
  null,
  {},
  'turn-7',
  { integrity: null },
  { unsourced: 'none' },
  { unsourced: -1 },
  { unsourced: 0.5 },
  [],
  { integrity: { integrity: { unsourced: 1 } } },
])('INT-15 a relay without a result of its origin, here %j, is checked here', async (relayed) => {
  expect(
    (await call('/v1/verify/integrity', { ...odd('a'), relayed_from: relayed })).body,
  ).toMatchObject({
    outcome: 'failed',
    integrity: { unsourced: 2 },
  });
});

test('X-7 results persist: another process reads the same verdict, its evidence and the answer', async () => {
  const first = await call('/v1/verify/integrity', odd('a'));
  const later = another();
  const callLater = createCaller(later, key);
  const read = await callLater(`/v1/verifications/${first.body.id as string}`);
  expect(read).toMatchObject({ status: 200, text: first.text });
  expect((await callLater('/v1/verifications')).body.data).toMatchObject([
    { id: first.body.id, outcome: 'failed', turn_id: 'a' },
  ]);
  const seen = await openProjectAsSystem(later.ctx, project.projectSlug, 'test');
  expect(await getBacklog(seen)).toEqual({ waiting: 0, quarantinedCount: 0, quarantined: [] });
  expect(await summariseProject(seen, { days: 1 })).toMatchObject({
    turns: 1,
    answers: 1,
    figures: 3,
    unsourced: 2,
  });
});

test('X-10 replayed intake, work claimed twice and settled twice: one verdict, one count', async () => {
  const turns = Array.from({ length: 20 }, (_, i) => sampleTurn(`x-${i}`));
  await Promise.all([call('/v1/turns', { turns }), call('/v1/turns', { turns })]);
  await Promise.all([drainWork(runtime, 'one'), drainWork(runtime, 'two')]);
  await call('/v1/turns', { turns });
  // Work that exists although its verdict is stored, as after a restore: it is completed, and
  // nothing is counted.
  await runtime.ctx.sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier)
    select project_id, 'again-' || id, subject_kind, subject_id, revision, verifier_slug from verdicts where project_id = ${project.projectId}`;
  expect(await drainWork(runtime)).toBe(0);
  expect(await getBacklog(project)).toEqual({ waiting: 0, quarantinedCount: 0, quarantined: [] });
  const ids = new Set(turns.map((turn) => turn.id));
  expect(
    await closeLedger(runtime.ctx.sql, project.projectId, { sent: ids, acked: ids, faults: [] }),
  ).toMatchObject({
    ...clean,
    verdicts: 20,
  });
  expect(await summariseProject(project, { days: 1 })).toMatchObject({
    answers: 20,
    outcomes: { failed: 20 },
  });
  const attempts = await runtime.ctx
    .sql`select "end" from work_attempts where project_id = ${project.projectId}`;
  expect(attempts).toEqual([]);
});

test('INT-23 how often each model answers without an envelope, and how often the re-prompt helped', async () => {
  const sources = { tools: [{ id: 'tc1', result: { pct: 91.4 } }] };
  const envelope = {
    answer: 'It is 91.4%.',
    facts: [{ value: '91.4%', source_id: 'tc1', path: 'pct' }],
  };
  const turns: Json[] = [
    { model: 'a', envelope, ...sources },
    { model: 'a', output: 'It is 91.4%.', ...sources },
    { model: 'a', output: 'It is 5%.', ...sources },
    { model: 'a', output: 'It is 91.4%.', reprompt_used: true, ...sources },
    { model: 'a', output: 'It is 7%.', reprompt_used: true, ...sources },
    { model: 'b', envelope, reprompt_used: true, ...sources },
    { output: 'no model, 4 GB', ...sources },
    { model: 'b', output: 'relayed 4 GB', relayed_from: { unsourced: 1 }, ...sources },
  ];
  await call('/v1/turns', { turns: turns.map((turn, i) => ({ id: `t-${i}`, ...turn })) });
  await drainWork(runtime);
  const { byModel } = await summariseProject(project, { days: 1 });
  const shown = new Map(
    byModel.map(({ model, answers, fallbackScans, reprompts, repromptsHelped, unsourced }) => [
      model,
      { answers, fallbackScans, reprompts, repromptsHelped, unsourced },
    ]),
  );
  expect(shown.get('a')).toEqual({
    answers: 5,
    fallbackScans: 4,
    reprompts: 2,
    repromptsHelped: 1,
    unsourced: 2,
  });
  expect(shown.get('b')).toEqual({
    answers: 1,
    fallbackScans: 0,
    reprompts: 1,
    repromptsHelped: 1,
    unsourced: 0,
  });
  expect(shown.get(null)).toEqual({
    answers: 1,
    fallbackScans: 1,
    reprompts: 0,
    repromptsHelped: 0,
    unsourced: 1,
  });
  expect(await compareRollups(runtime.ctx.sql, project.projectId)).toEqual([]);
});
