import { TRPCError } from '@trpc/server';
import { beforeEach, expect } from 'vitest';
import { appOf } from '../testing/app';
import {
  createTestLabelledTask,
  createTestMember,
  createTestProject,
  drainWork,
  insertTestAnchors,
  insertTestItem,
  insertTestReport,
  type TestPerson,
} from '../testing/database';
import { test } from '../testing/fixture';
import { SOME_CONTEXT } from '../testing/some-context';
import { createKey, createServiceAccount, inviteMember, type ProjectCtx } from './access';
import { overrideVerdict } from './labels';
import { createJob } from './queue';
import { putRule } from './rules';
import { RuleBody } from './rules/input';
import type { Runtime } from './runtime';
import { createCallContext, createCaller } from './api/trpc';

/**
 * S-2: with another tenant's id the answer equals the one for an unknown id, and no data of the
 * other tenant changes.
 */

let runtime: Runtime;
let mine: ProjectCtx;
let theirs: ProjectCtx;
let me: TestPerson;
let key = '';
const their = {
  slug: '',
  key: '',
  invitation: '',
  member: '',
  serviceAccount: '',
  verdict: '',
  label: 'lbl_secret',
  item: 'rev_secret',
  anchors: 'anc_secret',
  report: 'rep_secret',
  probe: 'prb_secret',
  turn: 't-secret',
  quarantined: 'q-secret',
  session: 's-secret',
  pipeline: 'pipe-secret',
  gatewayRoute: 'g-secret',
  breaker: 'judge:secret',
  deletion: 'del_secret',
  destination: 'dst_secret',
  delivery: 'dlv_secret',
  rule: 'r-secret',
  job: 'job_secret',
  promotion: 'prm_secret',
  view: 'viw_secret',
  trace: 'c'.repeat(32),
};

test.beforeAll(async ({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
  [mine, theirs] = [await createTestProject(runtime), await createTestProject(runtime)];
  me = await createTestMember(runtime, mine, 'owner');
  ({ key } = await createKey(mine, {
    name: 'mine',
    scopes: ['ingest', 'verify', 'read', 'write', 'gateway'],
  }));
  const { id, key: theirKey } = await createKey(theirs, { name: 'theirs', scopes: ['ingest'] });
  await inviteMember(theirs, { email: 'invited@example.org', role: 'viewer' });
  const turn = {
    id: their.turn,
    session_id: their.session,
    trace_id: 'tr-secret',
    model: 'm-secret',
    context: SOME_CONTEXT,
    output: 'It is 42 %.',
  };
  await appOf(runtime).request('/v1/turns', {
    method: 'POST',
    headers: { authorization: `Bearer ${theirKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ turns: [turn] }),
  });
  const span = {
    traceId: their.trace,
    spanId: 'b'.repeat(16),
    name: 'work',
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
  };
  await appOf(runtime).request('/v1/traces', {
    method: 'POST',
    headers: { authorization: `Bearer ${theirKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  });
  await drainWork(runtime);
  const { sql } = runtime.ctx;
  await sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, state)
    values (${theirs.projectId}, 'ver_q', 'turn', ${their.quarantined}, 1, 'integrity', 'quarantined')`;
  await putRule(theirs, runtime.rules, their.rule, RuleBody.parse({ verifier: 'integrity' }));
  await createTestLabelledTask(runtime, theirs);
  const trial = {
    slug: 'task-rubric',
    version: 0,
    production: null,
    kind: 'task',
    order: 'newest',
    seed: 1,
    estimateUsd: 0,
    estimateTokens: 0,
  };
  await createJob(theirs, { id: their.job, kind: 'prompts.try', input: trial });
  await sql`
    insert into promotions (project_id, id, slug, before, after, state, findings, created_by)
    values (${theirs.projectId}, ${their.promotion}, 'task-rubric', '0', '1', 'waiting', '{"verdict":"not_tried","reasons":["secret"]}', 'them')`;
  await sql`
    insert into saved_views (project_id, id, page, name, query, owner_id, shared)
    values (${theirs.projectId}, ${their.view}, 'verdicts', 'secret', '?outcome=failed', 'them', true)`;
  await sql`
    insert into pipelines (project_id, id, query, origin) values (${theirs.projectId}, ${their.pipeline}, 'the secret question', 'import')`;
  await sql`
    insert into foreign_scores (project_id, id, subject_id, source, name, model, scale, category)
    values (${theirs.projectId}, 'fsc_secret', ${their.turn}, 'import', 'judge', 'j-secret', 'category', 'secret')`;
  await sql`
    insert into destinations (project_id, id, kind, name, url, outcomes, created_by)
    values (${theirs.projectId}, ${their.destination}, 'otlp', 'd', 'https://otel.example.org', '{}', 'test')`;
  await sql`
    insert into deliveries (project_id, id, destination_id, verdict_id, state)
    values (${theirs.projectId}, ${their.delivery}, ${their.destination}, 'ver_q', 'dead')`;
  await sql`
    insert into gateway_calls (project_id, id, route, session_id, dialect, model, stream, status, verdict, truncated, partial, units, counter,
      duration_ms, created_at)
    values (${theirs.projectId}, 'call_secret', ${their.gatewayRoute}, ${their.session}, 'chat', 'm-secret', false, 200, 'passed', false, false, 0,
      0, 1, now())`;
  await sql`
    insert into gateway_rollups (project_id, hour, route, verdict, reason, calls, dropped)
    values (${theirs.projectId}, date_trunc('hour', now()), ${their.gatewayRoute}, 'passed', '', 1, 0)`;
  await sql`insert into gateway_days (project_id, day, fixed, held) values (${theirs.projectId}, current_date, 1, '{"1000": 1}')`;
  await sql`
    insert into gateway_routes (project_id, name, settings, updated_by) values (${theirs.projectId}, ${their.gatewayRoute}, '{}', 'test')`;
  await sql`
    insert into gateway_breakers (project_id, model, replica, state, failures, changed_at)
    values (${theirs.projectId}, ${their.breaker}, 'one', 'open', 5, now())`;
  const [claim] = await sql<
    { id: string }[]
  >`select id from claims where project_id = ${theirs.projectId}`;
  const [verdict] = await sql<
    { id: string }[]
  >`select id from verdicts where project_id = ${theirs.projectId}`;
  await overrideVerdict(theirs, {
    id: their.label,
    verdictId: verdict?.id ?? '',
    verdict: 'pass',
    reason: 'secret',
  });
  await insertTestItem(runtime, theirs, verdict?.id ?? '', their.item);
  await insertTestAnchors(runtime, theirs, their.anchors);
  await insertTestReport(runtime, theirs, their.report);
  await sql`
    insert into probe_runs (project_id, id, verifier_slug, verifier_version, probe, items, repeats, created_by)
    values (${theirs.projectId}, ${their.probe}, 'task', 1, 'order', 1, 1, 'secret')`;
  await sql`
    insert into deletions (project_id, id, kind, target, state, created_by) values (${theirs.projectId}, ${their.deletion}, 'user', 'u', 'done', 'secret')`;
  const member = await createTestMember(runtime, theirs, 'viewer');
  const { id: serviceAccount } = await createServiceAccount(theirs, {
    name: 'secret',
    role: 'viewer',
  });
  Object.assign(their, {
    serviceAccount,
    slug: theirs.projectSlug,
    key: id,
    invitation: claim?.id,
    verdict: verdict?.id,
    member: member.id,
  });
});

/** All rows of the other tenant in all tables, as one text. */
async function theirRows(): Promise<string> {
  const { sql } = runtime.ctx;
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'project_id' order by 1`;
  expect(tables.length).toBeGreaterThan(10);
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const rows =
        await sql`select t::text as row from ${sql(name)} t where project_id = ${theirs.projectId} order by 1`;
      return [name, ...rows.map((row) => String(row.row))].join('\n');
    }),
  );
  return texts.join('\n');
}

let before = '';
beforeEach(async () => {
  before = await theirRows();
});

type Caller = ReturnType<typeof createCaller>;

async function fail(call: Promise<unknown>): Promise<unknown> {
  try {
    return { value: await call };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    return { code: error.code, message: error.message, details: error.cause };
  }
}

/** An id that is not a valid rule name would be refused for that reason instead. */
const ruleName = (id: string): string => id.replaceAll('_', '-');

const byId: readonly (readonly [
  string,
  keyof typeof their,
  (caller: Caller, project: string, id: string) => Promise<unknown>,
])[] = [
  ['keys.rotate', 'key', (c, project, id) => c.keys.rotate({ project, id })],
  ['keys.revoke', 'key', (c, project, id) => c.keys.revoke({ project, id })],
  [
    'members.revokeInvitation',
    'invitation',
    (c, project, id) => c.members.revokeInvitation({ project, id }),
  ],
  [
    'members.changeRole',
    'member',
    (c, project, userId) => c.members.changeRole({ project, userId, role: 'admin' }),
  ],
  [
    'members.removeServiceAccount',
    'serviceAccount',
    (c, project, id) => c.members.removeServiceAccount({ project, id }),
  ],
  [
    'keys.create',
    'serviceAccount',
    (c, project, serviceAccountId) =>
      c.keys.create({ project, name: 'k', scopes: ['read'], serviceAccountId }),
  ],
  ['members.remove', 'member', (c, project, userId) => c.members.remove({ project, userId })],
  [
    'members.issuePasswordLink',
    'member',
    (c, project, userId) => c.members.issuePasswordLink({ project, userId }),
  ],
  [
    'destinations.update',
    'destination',
    (c, project, id) =>
      c.destinations.update({ project, id, name: 'n', url: 'https://hooks.example.org/a' }),
  ],
  [
    'destinations.delete',
    'destination',
    (c, project, id) => c.destinations.delete({ project, id }),
  ],
  ['destinations.replay', 'delivery', (c, project, id) => c.destinations.replay({ project, id })],
  [
    'slack.unlink',
    'destination',
    (c, project, destinationId) =>
      c.slack.unlink({ project, destinationId, teamId: 'T0', slackUserId: 'U1' }),
  ],
  ['destinations.test', 'destination', (c, project, id) => c.destinations.test({ project, id })],
  ['verdicts.get', 'verdict', (c, project, id) => c.verdicts.get({ project, id })],
  ['labels.ofVerdict', 'verdict', (c, project, id) => c.labels.ofVerdict({ project, id })],
  [
    'labels.override',
    'verdict',
    (c, project, id) => c.labels.override({ project, id, verdict: 'pass', reason: 'r' }),
  ],
  ['labels.grade', 'verdict', (c, project, id) => c.labels.grade({ project, id, grade: 5 })],
  ['labels.undo', 'label', (c, project, id) => c.labels.undo({ project, id })],
  ['review.content', 'item', (c, project, item) => c.review.content({ project, item })],
  [
    'review.rule',
    'item',
    (c, project, item) => c.review.rule({ project, item, answer: 'pass', reason: 'r' }),
  ],
  ['review.undo', 'item', (c, project, item) => c.review.undo({ project, item })],
  ['review.release', 'item', (c, project, item) => c.review.release({ project, item })],
  [
    'calibration.runAnchors',
    'anchors',
    (c, project, id) => c.calibration.runAnchors({ project, id }),
  ],
  ['probes.get', 'probe', (c, project, id) => c.probes.get({ project, id })],
  [
    'calibration.retireAnchors',
    'anchors',
    (c, project, id) => c.calibration.retireAnchors({ project, id }),
  ],
  ['reports.get', 'report', (c, project, id) => c.reports.get({ project, id })],
  ['reports.markdown', 'report', (c, project, id) => c.reports.markdown({ project, id })],
  [
    'reports.putSchedule',
    'report',
    (c, project, id) =>
      c.reports.putSchedule({ project, id, name: 'n', cron: '0 6 * * 1', zone: 'UTC', days: 7 }),
  ],
  [
    'reports.deleteSchedule',
    'report',
    (c, project, id) => c.reports.deleteSchedule({ project, id }),
  ],
  ['turns.get', 'turn', (c, project, id) => c.turns.get({ project, id })],
  ['traces.get', 'trace', (c, project, id) => c.traces.get({ project, id })],
  [
    'traces.span',
    'trace',
    (c, project, id) => c.traces.span({ project, id, span: 'b'.repeat(16) }),
  ],
  ['sessions.get', 'session', (c, project, id) => c.sessions.get({ project, id })],
  ['checkpoints.pipeline', 'pipeline', (c, project, id) => c.checkpoints.pipeline({ project, id })],
  ['gateway.session', 'session', (c, project, id) => c.gateway.session({ project, id })],
  ['gateway.route', 'gatewayRoute', (c, project, id) => c.gateway.route({ project, name: id })],
  [
    'gateway.deleteRoute',
    'gatewayRoute',
    (c, project, id) => c.gateway.deleteRoute({ project, name: id }),
  ],
  [
    'gateway.resetBreaker',
    'breaker',
    (c, project, model) => c.gateway.resetBreaker({ project, model }),
  ],
  ['turns.original', 'turn', (c, project, id) => c.turns.original({ project, id })],
  ['rules.get', 'rule', (c, project, name) => c.rules.get({ project, name: ruleName(name) })],
  [
    'rules.setEnabled',
    'rule',
    (c, project, name) => c.rules.setEnabled({ project, name: ruleName(name), enabled: false }),
  ],
  ['rules.delete', 'rule', (c, project, name) => c.rules.delete({ project, name: ruleName(name) })],
  [
    'rules.backfill',
    'rule',
    (c, project, name) => c.rules.backfill({ project, name: ruleName(name) }),
  ],
  ['promotions.approve', 'promotion', (c, project, id) => c.promotions.approve({ project, id })],
  ['promotions.withdraw', 'promotion', (c, project, id) => c.promotions.withdraw({ project, id })],
  ['promotions.rollBack', 'promotion', (c, project, id) => c.promotions.rollBack({ project, id })],
  [
    'prompts.trial',
    'job',
    (c, project, id) => c.prompts.trial({ project, slug: 'task-rubric', id }),
  ],
  ['views.rename', 'view', (c, project, id) => c.views.rename({ project, id, name: 'n' })],
  ['views.remove', 'view', (c, project, id) => c.views.remove({ project, id })],
  ['data.deletion', 'deletion', (c, project, id) => c.data.deletion({ project, id })],
  ['data.lift', 'deletion', (c, project, id) => c.data.lift({ project, id })],
  ['data.exportPart', 'job', (c, project, id) => c.data.exportPart({ project, id, ordinal: 0 })],
  ['data.delete turn', 'turn', (c, project, id) => c.data.delete({ project, kind: 'turn', id })],
  ['data.delete trace', 'trace', (c, project, id) => c.data.delete({ project, kind: 'trace', id })],
  [
    'data.delete session',
    'session',
    (c, project, id) => c.data.delete({ project, kind: 'session', id }),
  ],
  ['jobs.get', 'job', (c, project, id) => c.jobs.get({ project, id })],
  ['jobs.cancel', 'job', (c, project, id) => c.jobs.cancel({ project, id })],
  [
    'work.replay',
    'quarantined',
    (c, project, subjectId) => c.work.replay({ project, subjectId, verifier: 'integrity' }),
  ],
];

test.each(byId)(
  "S-2: %s with another tenant's id is NOT_FOUND, as with an unknown one",
  async (_name, noun, call) => {
    const caller = createCaller(createCallContext(runtime, new Headers({ cookie: me.cookie })));
    const random = await fail(call(caller, mine.projectSlug, 'nobodys_id'));
    expect(random).toMatchObject({ code: 'NOT_FOUND' });
    expect(await fail(call(caller, mine.projectSlug, their[noun]))).toEqual(random);
    // With the other project's slug, the project does not exist, regardless of the id.
    const noProject = await fail(call(caller, 'no-such-project', their[noun]));
    expect(noProject).toMatchObject({ code: 'NOT_FOUND' });
    expect(await fail(call(caller, their.slug, their[noun]))).toEqual(noProject);
    expect(await fail(call(caller, their.slug, 'nobodys_id'))).toEqual(noProject);
    expect(await theirRows()).toBe(before);
  },
);

/** All numbers in a value, at any depth. */
function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

test("S-2: a filter by another tenant's values finds the same as a filter by unknown ones", async () => {
  const caller = createCaller(createCallContext(runtime, new Headers({ cookie: me.cookie })));
  const project = mine.projectSlug;
  const random = await caller.verdicts.list({ project, turn: 'nobodys' });
  expect(random.items).toEqual([]);
  const filters = [
    { turn: their.turn },
    { session: their.session },
    { subject: their.turn },
    { trace: 'tr-secret' },
    { model: 'm-secret' },
    { text: '42' },
  ];
  for (const filter of filters)
    expect(await caller.verdicts.list({ project, ...filter })).toEqual(random);
  for (const filter of [{}, { session: their.session }, { text: 'work' }])
    expect((await caller.traces.list({ project, ...filter })).items).toEqual([]);
  expect(await caller.traces.spans({ project, id: their.trace })).toEqual({
    rows: [],
    durationMs: null,
  });
  expect((await caller.sessions.list({ project, text: 'secret' })).items).toEqual([]);
  expect((await caller.sessions.turns({ project, session: their.session })).items).toEqual([]);
  expect((await caller.turns.received({ project, what: 'turns' })).items).toEqual([]);
  expect((await caller.turns.received({ project, what: 'refused' })).items).toEqual([]);
  expect((await caller.checkpoints.pipelines({ project })).items).toEqual([]);
  expect((await caller.views.list({ project })).views).toEqual([]);
  for (const q of Object.values(their))
    expect((await caller.search.find({ project, q })).hits, q).toEqual([]);
  expect((await caller.search.find({ project, q: 'secret' })).hits).toEqual([]);
  for (const filter of [{}, { session: their.session }]) {
    const { items, models, routes } = await caller.gateway.calls({ project, ...filter });
    expect([items, models, routes]).toEqual([[], [], []]);
  }
  expect((await caller.gateway.sessions({ project })).items).toEqual([]);
  expect(await caller.gateway.summary({ project, days: 30 })).toMatchObject({
    calls: 0,
    hasCalls: false,
    breakers: [],
  });
  expect((await caller.decisions.list({ project, subject: their.turn })).items).toEqual([]);
  expect((await caller.decisions.list({ project, rule: their.rule })).items).toEqual([]);
  const ruled = { project, verifier: 'integrity', origin: 'verifier', cell: 'ruled' } as const;
  expect((await caller.calibration.rows(ruled)).items).toEqual([]);
  for (const { counts } of (await caller.calibration.list({ project, days: 0 })).verifiers) {
    const counted = numbersIn(counts);
    expect(counted.length).toBeGreaterThan(20);
    expect(counted.filter((each) => each !== 0)).toEqual([]);
  }
  const report = await caller.calibration.report({
    project,
    verifier: 'integrity',
    origin: 'verifier',
    days: 0,
  });
  expect(report).toMatchObject({
    counts: { decided: 0 },
    pending: 0,
    versions: [],
    judges: [],
    slices: [],
    human: { items: 0 },
    corrected: { drawn: 0 },
  });
  for (const filter of [{}, { judge: 'j-secret' }])
    expect(await caller.calibration.imported({ project, ...filter })).toEqual({
      judges: [],
      people: [],
      sources: [],
    });
  expect(await caller.calibration.anchors({ project, verifier: 'integrity' })).toEqual([]);
  for (const { runs } of await caller.probes.list({ project, verifier: 'task' }))
    expect(runs).toEqual([]);
  expect(await caller.probes.plan({ project, verifier: 'task', probe: 'order' })).toMatchObject({
    items: 0,
  });
  const plan = await caller.calibration.planAnchors({ project, verifier: 'integrity', items: 10 });
  expect(plan).toMatchObject({ labelled: { good: 0, bad: 0 }, items: { good: 0, bad: 0 } });
  expect(await caller.jobs.list({ project })).toEqual([]);
  expect(await caller.data.deletions({ project })).toEqual([]);
  expect(await caller.data.exports({ project })).toEqual([]);
  expect(await caller.data.retention({ project })).toMatchObject({ contentDays: null });
  expect((await caller.reports.list({ project })).items).toEqual([]);
  expect((await caller.reports.schedules({ project })).schedules).toEqual([]);
  expect(await caller.prompts.trials({ project, slug: 'task-rubric' })).toEqual([]);
  expect(await caller.promotions.list({ project })).toEqual([]);
  expect(await caller.promotions.check({ project, slug: 'task-rubric', version: 0 })).toMatchObject(
    { outcome: 'runs_now', trialId: null },
  );
  expect(
    await caller.prompts.planTrial({ project, slug: 'task-rubric', version: 0 }),
  ).toMatchObject({ subjects: 0, looked: 0 });
  expect((await caller.rules.list({ project })).map((rule) => rule.name)).toEqual(['integrity']);
  expect((await caller.work.waiting({ project })).quarantined).toEqual([]);
  expect(await caller.destinations.list({ project })).toEqual([]);
  expect(
    (await caller.destinations.deliveries({ project, destination: their.destination })).items,
  ).toEqual([]);
  expect(await caller.setup.get({ project })).toMatchObject({
    latestVerdictId: null,
    steps: { trace: false, ruling: false, gateway: false },
  });
  expect((await caller.verdicts.overview({ project, days: 30 })).turns).toBe(0);
  expect(await caller.verdicts.changes({ project, days: 30 })).toMatchObject({
    newlyFailing: [],
  });
  expect(await caller.models.days({ project })).toEqual([]);
  expect(await caller.charts.history({ project, days: 30 })).toMatchObject({
    verdicts: 0,
    inSteps: 0,
  });
  expect(await caller.charts.marks({ project, days: 0 })).toMatchObject({ marks: [] });
  expect((await caller.charts.scores({ project, verifier: 'integrity', days: 0 })).spread.n).toBe(
    0,
  );
  expect(
    (await caller.charts.caughtCosts({ project, verifier: 'integrity', days: 0 })).steps,
  ).toEqual([]);
  expect(await caller.charts.modelScores({ project, verifier: 'integrity' })).toEqual([]);
  for (const { steers, deliveryDelay } of await caller.charts.gatewayDays({ project, days: 30 })) {
    expect([...Object.values(steers), deliveryDelay.n]).toEqual([0, 0, 0, 0, 0]);
  }
  expect((await caller.account.me()).projects.map((each) => each.slug)).toEqual([project]);
});

const http = (path: string, init: { method?: string; body?: unknown } = {}) =>
  appOf(runtime).request(path, {
    method: init.method ?? 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
  });

async function shapeOf(response: Response): Promise<unknown> {
  const body = await response.text();
  return { status: response.status, body: body.replace(/"request_id":"[^"]+"/, '"request_id":""') };
}

const shapeAt = async (path: string, init: { method?: string; body?: unknown }) =>
  shapeOf(await http(path, init));

test("S-2: GET /v1/verifications with another tenant's ids answers as with unknown ones", async () => {
  const random = await shapeOf(await http('/v1/verifications/ver_nobodys'));
  expect(random).toMatchObject({ status: 404 });
  for (const id of [their.verdict, 'ver_q'])
    expect(await shapeOf(await http(`/v1/verifications/${id}`))).toEqual(random);
  const ruling = { method: 'POST', body: { verdict: 'pass', reason: 'r' } };
  const unruled = await shapeAt('/v1/verifications/ver_nobodys/overrides', ruling);
  expect(unruled).toMatchObject({ status: 404 });
  for (const id of [their.verdict, 'ver_q'])
    expect(await shapeAt(`/v1/verifications/${id}/overrides`, ruling)).toEqual(unruled);
  const nothing = { status: 200, body: '{"data":[],"next_cursor":null}' };
  for (const query of [
    'turn_id=t-secret',
    'session_id=s-secret',
    'trace_id=tr-secret',
    'subject_id=t-secret',
    'model=m-secret',
    'kind=integrity',
  ]) {
    expect(await shapeOf(await http(`/v1/verifications?${query}`))).toEqual(nothing);
  }
  // A cursor taken from another tenant's list shows nothing of it.
  const cursor = Buffer.from(
    JSON.stringify(['9999-01-01T00:00:00.000000Z', their.verdict]),
  ).toString('base64url');
  expect(await shapeOf(await http(`/v1/verifications?cursor=${cursor}`))).toEqual(nothing);
  expect(await theirRows()).toBe(before);
});

test('S-2: rules, routes, decisions and jobs of another tenant answer as unknown ones', async () => {
  for (const [method, path] of [
    ['GET', '/v1/rules/'],
    ['DELETE', '/v1/rules/'],
    ['POST', '/v1/rules/{}/backfill'],
    ['GET', '/v1/gateway/routes/'],
    ['DELETE', '/v1/gateway/routes/'],
    ['GET', '/v1/prompts/task-rubric/trials/'],
    ['GET', '/v1/reports/'],
    ['GET', '/v1/reports/{}.md'],
    ['GET', '/v1/jobs/'],
    ['DELETE', '/v1/jobs/'],
  ] as const) {
    const at = (id: string) => (path.includes('{}') ? path.replace('{}', id) : `${path}${id}`);
    const body = method === 'POST' ? { body: {} } : {};
    const random = await shapeOf(await http(at('nobodys'), { method, ...body }));
    expect(random).toMatchObject({ status: 404 });
    for (const id of [their.rule, their.job, their.gatewayRoute, their.report])
      expect(await shapeOf(await http(at(id), { method, ...body }))).toEqual(random);
  }
  const nothing = { status: 200, body: '{"data":[],"next_cursor":null}' };
  for (const query of [`rule=${their.rule}`, `subject_id=${their.turn}`]) {
    expect(await shapeOf(await http(`/v1/decisions?${query}`))).toEqual(nothing);
  }
  const outcome = await http('/v1/outcomes', {
    method: 'POST',
    body: { outcomes: [{ verification_id: their.verdict, success: true }] },
  });
  expect(await outcome.json()).toMatchObject({ accepted: 0, rejected: [{ code: 'not_found' }] });
  expect(await theirRows()).toBe(before);
});

test("S-2: another tenant's destinations and deliveries answer as unknown ones", async () => {
  const body = { name: 'n', url: 'https://hooks.example.org/a' };
  const calls = (destination: string, delivery: string) =>
    Promise.all([
      shapeAt(`/v1/destinations/${destination}`, { method: 'PUT', body }),
      shapeAt(`/v1/destinations/${destination}`, { method: 'DELETE' }),
      shapeAt(`/v1/deliveries/${delivery}/replay`, { method: 'POST' }),
    ]);
  const random = await calls('dst_nobodys', 'dlv_nobodys');
  expect(random).toMatchObject([{ status: 404 }, { status: 404 }, { status: 404 }]);
  expect(await calls(their.destination, their.delivery)).toEqual(random);
  for (const path of [
    'destinations',
    'deliveries',
    `deliveries?destination_id=${their.destination}`,
    'deliveries?state=dead',
  ]) {
    expect(await (await http(`/v1/${path}`)).json()).toEqual({ data: [], next_cursor: null });
  }
  expect(await theirRows()).toBe(before);
});

test("S-2: deletions of another tenant, and deleting another tenant's data, answer as with unknown ids", async () => {
  for (const [path, id, method] of [
    ['deletions', their.deletion, 'GET'],
    ['turns', their.turn, 'DELETE'],
    ['traces', their.trace, 'DELETE'],
    ['sessions', their.session, 'DELETE'],
  ] as const) {
    const random = await shapeAt(`/v1/${path}/nobodys`, { method });
    expect(random).toMatchObject({ status: 404 });
    expect(await shapeAt(`/v1/${path}/${id}`, { method })).toEqual(random);
  }
  expect(await theirRows()).toBe(before);
});

test("S-2: GET /v1/traces and /v1/sessions with another tenant's ids answer as with unknown ones", async () => {
  for (const [path, id, random] of [
    ['traces', their.trace, 'f'.repeat(32)],
    ['sessions', their.session, 's-nobodys'],
  ]) {
    const missing = await shapeOf(await http(`/v1/${path}/${random}`));
    expect(missing).toMatchObject({ status: 404 });
    expect(await shapeOf(await http(`/v1/${path}/${id}`))).toEqual(missing);
    expect(await shapeOf(await http(`/v1/${path}`))).toEqual({
      status: 200,
      body: '{"data":[],"next_cursor":null}',
    });
  }
  expect(await theirRows()).toBe(before);
});

test("S-2: a turn sent under another tenant's id becomes a turn of the sender", async () => {
  const taken = await http('/v1/turns', {
    method: 'POST',
    body: { turns: [{ id: their.turn, output: 'Mine: 7.' }] },
  });
  expect(await taken.json()).toEqual({ accepted: 1, duplicates: 0, conflicts: 0, rejected: [] });
  const verified = await http('/v1/verify/integrity', {
    method: 'POST',
    body: { id: their.quarantined, output: 'Mine: 7.' },
  });
  expect(verified.status).toBe(200);
  expect(await theirRows()).toBe(before);
});
