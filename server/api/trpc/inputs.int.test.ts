import superjson from 'superjson';
import { expect } from 'vitest';
import { createTestMember, createTestRuntime, type TestPerson } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { expectReadable } from '../../../testing/error-words';
import { changeRole, listMembers, type ProjectCtx, removeMember } from '../../access';
import type { Runtime } from '../../runtime';
import { appRouter, createCallContext, createCaller, handleTrpc } from './index';

let runtime: Runtime;
let project: ProjectCtx;
let owner: TestPerson;

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  owner = await createTestMember(runtime, project, 'owner');
});

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function call(
  method: 'GET' | 'POST',
  path: string,
  input: unknown,
  options: { raw?: string; cookie?: string } = {},
): Promise<Reply> {
  const { webUrl } = runtime.ctx.env;
  const json = options.raw ?? JSON.stringify(superjson.serialize(input));
  const url = `${webUrl}/api/trpc/${path}${method === 'GET' ? `${path.includes('?') ? '&' : '?'}input=${encodeURIComponent(json)}` : ''}`;
  const headers = {
    cookie: options.cookie ?? owner.cookie,
    origin: webUrl,
    'content-type': 'application/json',
  };
  const response = await handleTrpc(
    runtime,
    new Request(url, { method, headers, ...(method === 'POST' ? { body: json } : {}) }),
  );
  return { status: response.status, text: await response.text(), headers: response.headers };
}

async function rows(): Promise<string> {
  const tables = [
    'projects',
    'members',
    'users',
    'claims',
    'api_keys',
    'audit_events',
    'project_settings',
    'verifier_versions',
    'work',
  ];
  const { sql } = runtime.ctx;
  const texts = await Promise.all(
    tables.map(async (name) =>
      (await sql`select t::text as row from ${sql(name)} t order by 1`)
        .map((row) => String(row.row))
        .join('\n'),
    ),
  );
  return texts.join('\n\n');
}

/** A valid input of every procedure that takes one. */
function inputs(): Readonly<Record<string, Record<string, unknown>>> {
  const slug = { project: project.projectSlug };
  return {
    'account.claimState': { token: 'made-up-token-of-nobody' },
    'account.claim': {
      token: 'made-up-token-of-nobody',
      email: 'a@example.org',
      name: 'N',
      password: 'long enough password',
    },
    'account.resetPassword': { token: 'made-up-token-of-nobody', password: 'long enough password' },
    'account.changePassword': {
      currentPassword: 'not the password',
      newPassword: 'long enough password',
    },
    'projects.create': { slug: 'extra', name: 'Extra' },
    'projects.get': slug,
    'projects.remove': { ...slug, slug: 'another' },
    'data.retention': slug,
    'data.masking': slug,
    'data.preview': {
      ...slug,
      retention: { contentDays: 30, recordDays: null, keepLabelled: true },
    },
    'data.setRetention': {
      ...slug,
      retention: { contentDays: null, recordDays: null, keepLabelled: true },
    },
    'data.deletions': slug,
    'data.deletion': { ...slug, id: 'nobodys' },
    'data.delete': { ...slug, kind: 'turn', id: 'nobodys' },
    'data.lift': { ...slug, id: 'nobodys' },
    'data.exports': slug,
    'data.startExport': slug,
    'data.exportPart': { ...slug, id: 'nobodys', ordinal: 0 },
    'datasets.list': slug,
    'datasets.get': { ...slug, slug: 'nobodys' },
    'datasets.items': { ...slug, slug: 'nobodys', version: 1 },
    'datasets.item': { ...slug, slug: 'nobodys', id: 'nobodys' },
    'datasets.diff': { ...slug, slug: 'nobodys', from: 1, to: 2 },
    'datasets.put': { ...slug, slug: 'put', name: 'Put' },
    'datasets.delete': { ...slug, slug: 'nobodys' },
    'datasets.addItems': { ...slug, slug: 'nobodys', text: '{"items":[]}', format: 'json' },
    'datasets.editItem': {
      ...slug,
      slug: 'nobodys',
      id: 'nobodys',
      content: '{"input":1}',
      split: null,
      tags: [],
    },
    'datasets.removeItems': { ...slug, slug: 'nobodys', ids: ['nobodys'] },
    'datasets.fromTurns': { ...slug, slug: 'nobodys', turns: ['nobodys'] },
    'setup.get': slug,
    'setup.hide': { ...slug, hidden: true },
    'keys.list': slug,
    'keys.create': { ...slug, name: 'k', scopes: ['read'] },
    'keys.rotate': { ...slug, id: 'nobodys', graceHours: 1 },
    'keys.revoke': { ...slug, id: 'nobodys' },
    'members.list': slug,
    'members.invite': { ...slug, email: 'i@example.org', role: 'viewer' },
    'members.revokeInvitation': { ...slug, id: 'nobodys' },
    'members.changeRole': { ...slug, userId: owner.id, role: 'owner' },
    'members.remove': { ...slug, userId: owner.id },
    'members.createServiceAccount': { ...slug, name: 'bot', role: 'viewer' },
    'members.removeServiceAccount': { ...slug, id: 'nobodys' },
    'members.issuePasswordLink': { ...slug, userId: owner.id },
    'missions.get': { ...slug, mission: 'nobodys' },
    'missions.putSettings': {
      ...slug,
      mission: 'nobodys',
      body: { judge: null, review_above_usd: 5, reason: 'why' },
    },
    'settings.update': { ...slug, allowUserFigures: true },
    'destinations.list': slug,
    'destinations.create': {
      ...slug,
      kind: 'webhook',
      name: 'w',
      url: 'https://hooks.example.org/a',
    },
    'destinations.update': {
      ...slug,
      id: 'nobodys',
      name: 'w',
      url: 'https://hooks.example.org/a',
    },
    'destinations.delete': { ...slug, id: 'nobodys' },
    'destinations.deliveries': slug,
    'destinations.replay': { ...slug, id: 'nobodys' },
    'destinations.test': { ...slug, id: 'nobodys' },
    'slack.links': slug,
    'slack.link': { ...slug, code: 'nobodys' },
    'slack.unlink': { ...slug, destinationId: 'nobodys', teamId: 'T0', slackUserId: 'U1' },
    'alerts.board': slug,
    'alerts.alerting': slug,
    'alerts.history': slug,
    'alerts.rules': slug,
    'alerts.putRule': {
      ...slug,
      kind: 'catch_rate',
      verifier: null,
      rule: {
        enabled: true,
        limit: 0.6,
        window_minutes: 1440,
        no_data: 'ok',
        renotify_minutes: null,
      },
    },
    'alerts.resetRule': { ...slug, kind: 'catch_rate', verifier: null },
    'alerts.look': slug,
    'alerts.acknowledge': { ...slug, id: 'alr_none' },
    'audit.list': slug,
    'verdicts.overview': { ...slug, days: 7 },
    'verdicts.changes': { ...slug, days: 7 },
    'verdicts.list': slug,
    'verdicts.get': { ...slug, id: 'nobodys' },
    'verdicts.live': slug,
    'experiments.list': { ...slug },
    'experiments.get': { ...slug, id: 'nobodys' },
    'experiments.compare': { ...slug, ids: ['nobodys', 'other'] },
    'experiments.compareItems': { ...slug, ids: ['nobodys', 'other'] },
    'experiments.gate': { ...slug, id: 'nobodys', gate: { max_cost_usd: 1 } },
    'experiments.rows': { ...slug, id: 'nobodys' },
    'experiments.summaries': { ...slug, ids: ['nobodys'] },
    'experiments.start': {
      ...slug,
      name: 'n',
      dataset: 'nobodys',
      target: { type: 'outputs' },
      verifiers: ['integrity'],
    },
    'experiments.cancel': { ...slug, id: 'nobodys' },
    'experiments.resume': { ...slug, id: 'nobodys' },
    'playground.turn': { ...slug, id: 'nobodys' },
    'playground.answer': {
      ...slug,
      model: 'nobody:m',
      messages: [{ role: 'user', content: 'Hi' }],
      item: '{}',
    },
    'playground.verify': {
      ...slug,
      item: '{}',
      output: 'x',
      model: 'm',
      costUsd: null,
      verifiers: ['integrity'],
    },
    'labels.ofVerdict': { ...slug, id: 'nobodys' },
    'labels.override': { ...slug, id: 'nobodys', verdict: 'pass' },
    'labels.grade': { ...slug, id: 'nobodys', grade: 4 },
    'labels.decide': { ...slug, id: 'nobodys', action: 'escalate' },
    'labels.undo': { ...slug, id: 'nobodys' },
    'review.counts': { ...slug, verifier: 'nobodys', queue: 'audit' },
    'review.waiting': slug,
    'review.next': { ...slug, limit: 1 },
    'review.content': { ...slug, item: 'nobodys' },
    'review.similar': { ...slug, item: 'nobodys' },
    'review.assign': { ...slug, item: 'nobodys', to: 'i@example.org' },
    'review.rule': { ...slug, item: 'nobodys', answer: 'pass', reason: 'r', grade: 4 },
    'review.undo': { ...slug, item: 'nobodys' },
    'review.release': { ...slug, item: 'nobodys' },
    'review.settings': slug,
    'trust.list': slug,
    'trust.history': { ...slug, verifier: 'nobodys' },
    'trust.settings': slug,
    'trust.putSettings': {
      ...slug,
      verifier: 'nobodys',
      settings: {
        enforceTrust: true,
        catchTarget: 0.7,
        falseRejectionTarget: 0.1,
        requiredSlices: [{ by: 'model', value: 'm' }],
        halfLifeDays: 90,
      },
    },
    'review.putSettings': {
      ...slug,
      verifier: 'nobodys',
      settings: { auditRate: 0.1, uncertainBand: 0.1, raters: 1, blind: false },
    },
    'review.policies': { ...slug, verifier: 'nobodys' },
    'review.putPolicy': { ...slug, verifier: 'nobodys', body: 'b', message: 'm' },
    'turns.received': { ...slug, what: 'refused' },
    'turns.get': { ...slug, id: 'nobodys' },
    'traces.list': slug,
    'traces.get': { ...slug, id: 'nobodys' },
    'traces.spans': { ...slug, id: 'nobodys' },
    'traces.span': { ...slug, id: 'nobodys', span: 'b'.repeat(16) },
    'sessions.list': slug,
    'sessions.get': { ...slug, id: 'nobodys' },
    'sessions.turns': { ...slug, session: 'nobodys' },
    'checkpoints.summary': { ...slug, days: 7 },
    'checkpoints.pipelines': slug,
    'checkpoints.pipeline': { ...slug, id: 'nobodys' },
    'gateway.summary': { ...slug, days: 7 },
    'gateway.steering': { ...slug, days: 7 },
    'gateway.calls': slug,
    'gateway.sessions': slug,
    'gateway.session': { ...slug, id: 'nobodys' },
    'gateway.routes': slug,
    'gateway.route': { ...slug, name: 'nobodys' },
    'gateway.putRoute': { ...slug, name: 'local', settings: {} },
    'gateway.deleteRoute': { ...slug, name: 'nobodys' },
    'gateway.resetBreaker': { ...slug, model: 'nobodys' },
    'turns.original': { ...slug, id: 'nobodys' },
    'thresholds.list': slug,
    'thresholds.put': { ...slug, verifier: 'task', key: 'pass_threshold', body: { value: 0.8 } },
    'thresholds.putAll': {
      ...slug,
      verifier: 'task',
      body: {
        changes: [{ key: 'pass_threshold', value: 0.8, expected_version: 0 }],
        reason: 'why',
      },
    },
    'thresholds.simulate': {
      ...slug,
      verifier: 'task',
      key: 'pass_threshold',
      body: { values: [0.6] },
    },
    'thresholds.flips': { ...slug, verifier: 'task', key: 'pass_threshold', value: 0.6, days: 0 },
    'thresholds.changes': { ...slug, verifier: 'task' },
    'thresholds.undo': {
      ...slug,
      verifier: 'task',
      key: 'pass_threshold',
      missionId: null,
      taskId: null,
      version: 1,
      reason: 'why',
    },
    'rules.list': slug,
    'rules.get': { ...slug, name: 'nobodys' },
    'rules.put': { ...slug, name: 'r', rule: { verifier: 'integrity' } },
    'rules.preview': { ...slug, name: 'r', rule: { verifier: 'integrity' } },
    'rules.setEnabled': { ...slug, name: 'nobodys', enabled: true },
    'rules.delete': { ...slug, name: 'nobodys' },
    'rules.backfill': { ...slug, name: 'nobodys' },
    'calibration.list': { ...slug, days: 30 },
    'calibration.get': { ...slug, verifier: 'nobodys', origin: 'imported', days: 0 },
    'calibration.report': {
      ...slug,
      verifier: 'nobodys',
      origin: 'imported',
      days: 0,
      policy: 0,
      slice: { by: 'model', value: 'm' },
    },
    'calibration.imported': { ...slug, judge: 'nobodys', source: 'nobodys' },
    'calibration.anchors': { ...slug, verifier: 'nobodys' },
    'calibration.planAnchors': { ...slug, verifier: 'nobodys', items: 10, seed: 1 },
    'calibration.freezeAnchors': {
      ...slug,
      verifier: 'nobodys',
      name: 'n',
      items: 10,
      cron: '0 6 * * 1',
      zone: 'UTC',
    },
    'calibration.runAnchors': { ...slug, id: 'nobodys' },
    'calibration.retireAnchors': { ...slug, id: 'nobodys' },
    'probes.list': { ...slug, verifier: 'nobodys' },
    'probes.get': { ...slug, id: 'nobodys' },
    'probes.plan': { ...slug, verifier: 'nobodys', probe: 'order', items: 1 },
    'probes.start': { ...slug, verifier: 'nobodys', probe: 'canaries', repeats: 1, budget_usd: 1 },
    'calibration.rows': { ...slug, verifier: 'nobodys', origin: 'verifier', cell: 'caught' },
    'reports.list': slug,
    'reports.get': { ...slug, id: 'nobodys' },
    'reports.markdown': { ...slug, id: 'nobodys' },
    'reports.make': { ...slug, lastDay: '2026-01-11', days: 7, sent: false },
    'reports.schedules': slug,
    'reports.preview': { ...slug, cron: '0 6 * * 1', zone: 'UTC' },
    'reports.putSchedule': {
      ...slug,
      id: 'nobodys',
      name: 'n',
      cron: '0 6 * * 1',
      zone: 'UTC',
      days: 7,
      enabled: true,
      sent: false,
    },
    'reports.deleteSchedule': { ...slug, id: 'nobodys' },
    'decisions.list': { ...slug, rule: 'nobodys' },
    'prompts.list': slug,
    'prompts.get': { ...slug, slug: 'nobodys' },
    'prompts.body': { ...slug, slug: 'nobodys', version: 0 },
    'prompts.create': { ...slug, slug: 'nobodys', body: 'b' },
    'prompts.save': { ...slug, slug: 'nobodys', body: 'b' },
    'prompts.moveLabel': { ...slug, slug: 'nobodys', label: 'production', version: 0 },
    'promotions.list': slug,
    'promotions.check': { ...slug, slug: 'nobodys', version: 0 },
    'promotions.checkJudge': { ...slug, defaultJudge: 'nobodys:model', jury: [] },
    'promotions.approve': { ...slug, id: 'nobodys' },
    'promotions.withdraw': { ...slug, id: 'nobodys' },
    'promotions.rollBack': { ...slug, id: 'nobodys' },
    'prompts.preview': { ...slug, slug: 'nobodys', body: 'b' },
    'prompts.planTrial': { ...slug, slug: 'nobodys', version: 0 },
    'prompts.startTrial': { ...slug, slug: 'nobodys', version: 0 },
    'prompts.trials': { ...slug, slug: 'nobodys' },
    'prompts.trial': { ...slug, slug: 'nobodys', id: 'nobodys' },
    'search.find': { ...slug, q: 'nobodys' },
    'views.list': slug,
    'views.save': { ...slug, page: 'verdicts', name: 'v', query: '?outcome=failed', shared: true },
    'views.rename': { ...slug, id: 'nobodys', name: 'v' },
    'views.remove': { ...slug, id: 'nobodys' },
    'models.list': slug,
    'models.days': slug,
    'models.settings': slug,
    'models.putAlias': { ...slug, alias: 'ours', model: 'gpt-4o' },
    'models.deleteAlias': { ...slug, alias: 'nobodys' },
    'models.putPrice': {
      ...slug,
      model: 'ours',
      valid_from: '2026-01-01',
      usd_per_million: { input: 1, output: 1 },
    },
    'models.deletePrice': { ...slug, model: 'nobodys', valid_from: '2026-01-01' },
    'charts.history': { ...slug, days: 7 },
    'charts.marks': { ...slug, days: 30 },
    'charts.scores': { ...slug, verifier: 'task', days: 30 },
    'charts.caughtCosts': { ...slug, verifier: 'task', days: 30 },
    'charts.modelScores': { ...slug, verifier: 'task' },
    'charts.gatewayDays': { ...slug, days: 7 },
    'verifiers.list': slug,
    'verifiers.get': { ...slug, slug: 'nobodys' },
    'verifiers.put': { ...slug, slug: 'task', config: { strategy: 'always' } },
    'verifiers.definition': { ...slug, slug: 'nobodys' },
    'verifiers.define': {
      ...slug,
      slug: 'pii-leak',
      definition: { kind: 'checks', checks: [{ check: 'pii' }] },
    },
    'verifiers.startTry': {
      ...slug,
      slug: 'pii-leak',
      definition: { kind: 'checks', checks: [{ check: 'pii' }] },
      subjects: 'turn',
    },
    'verifiers.tried': { ...slug, id: 'nobodys' },
    'verifiers.archive': { ...slug, slug: 'nobodys' },
    'verifiers.subject': { ...slug, id: 'nobodys' },
    'verifiers.judging': slug,
    'providers.list': slug,
    'providers.put': { ...slug, name: 'nobodys', kind: 'openai', api_key: 'a-key', models: [] },
    'providers.delete': { ...slug, name: 'nobodys' },
    'providers.test': { ...slug, name: 'nobodys', model: 'gpt-4o' },
    'jobs.list': slug,
    'jobs.get': { ...slug, id: 'nobodys' },
    'jobs.cancel': { ...slug, id: 'nobodys' },
    'work.waiting': slug,
    'work.replay': { ...slug, subjectId: 'nobodys', verifier: 'integrity' },
  };
}

const kindOf = (path: string): 'GET' | 'POST' =>
  (appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>)[path]?._def
    .type === 'mutation'
    ? 'POST'
    : 'GET';

test('S-5: every procedure with an input is tested', () => {
  expect(
    [
      ...Object.keys(inputs()),
      'account.me',
      'account.signInMethods',
      'account.signInOptions',
    ].sort(),
  ).toEqual(Object.keys(appRouter._def.procedures).sort());
});

const extras = {
  role: 'owner',
  projectId: 'prj_other',
  project_id: 'prj_other',
  userId: 'usr_other',
  isPublic: true,
  operator: true,
  limits: { turns: 1e9 },
  emailVerified: true,
  createdBy: 'somebody',
  scopes: ['write'],
  id: 'chosen-id',
  secretHash: '00',
  offBy: null,
};

test('S-5: extra fields in any input are refused by name, and change nothing', async () => {
  await runtime.ctx.sql`update users set operator = true where id = ${owner.id}`;
  const before = await rows();
  for (const [path, input] of Object.entries(inputs())) {
    const reply = await call(kindOf(path), path, { ...extras, ...input });
    // A stream answers 200, and carries its refusal inside.
    expect(reply.status, path).toBe(path === 'verdicts.live' ? 200 : 400);
    expect(reply.text, path).toContain('BAD_REQUEST');
    for (const name of Object.keys(extras))
      expect(reply.text.includes(`"path":"${name}"`), `${path} ${name}`).toBe(
        !Object.hasOwn(input, name),
      );
  }
  const me = await call('GET', 'account.me', extras);
  expect(me.text).toContain(owner.id);
  expect(me.text).not.toContain('usr_other');
  expect(await rows()).toBe(before);
});

/** The input with each member omitted, and with each member of another type. */
function broken(input: Record<string, unknown>): (readonly [string, Record<string, unknown>])[] {
  return Object.keys(input).flatMap((name) => {
    const { [name]: _left, ...rest } = input;
    return [[name, rest] as const, [name, { ...input, [name]: { odd: [1] } }] as const];
  });
}

test('S-5: an input against its schema is refused with field, problem and limit in words', async () => {
  let seen = 0;
  for (const [path, input] of Object.entries(inputs())) {
    for (const [name, wrong] of broken(input)) {
      const reply = await call(kindOf(path), path, wrong);
      if (reply.status !== 400) continue;
      seen++;
      const { error } = JSON.parse(reply.text) as {
        error: { json: { message: string; data: { issues: { message: string }[] } } };
      };
      const { message, data } = error.json;
      const what = `${path} ${name}: ${message}`;
      expectReadable(message, what);
      expect(message, what).toContain(`\`${name}`);
      for (const issue of data.issues) expectReadable(issue.message, what);
    }
  }
  expect(seen).toBeGreaterThan(200);
});

test('S-5: a __proto__ in an input is no field of it', async () => {
  const name = 'proto';
  const raw = `{"json":{"project":"${project.projectSlug}","name":"${name}","scopes":["read"],"__proto__":{"scopes":["write"],"projectId":"prj_other"}}}`;
  await call('POST', 'keys.create', null, { raw });
  const made = await runtime.ctx
    .sql`select project_id, to_jsonb(scopes) as scopes from api_keys where name = ${name} or project_id = 'prj_other'`;
  expect(made.map((row) => ({ ...row }))).toEqual([
    { project_id: project.projectId, scopes: ['read'] },
  ]);
});

test('S-5: foreign superjson meta and bodies neither pass nor break anything', async () => {
  const before = await rows();
  const { projectSlug } = project;
  const raws = [
    `{"json":{"project":"${projectSlug}","name":"k","scopes":["read"]},"meta":{"values":{"__proto__.polluted":["Date"]}}}`,
    `{"json":{"project":"${projectSlug}","name":"k","scopes":["read"]},"meta":{"values":{"scopes":["set"],"name":["regexp"]}}}`,
    `{"json":{"project":"${projectSlug}","name":"k","scopes":["read"]},"meta":{"values":{"name":[["custom","x"]]}}}`,
    `{"json":{"project":"${projectSlug}","name":"k","scopes":["read"]},"meta":{"referentialEqualities":{"constructor.prototype":["name"]}}}`,
    `{"json":{"project":["${projectSlug}"],"name":{},"scopes":"read"}}`,
    '{"json":null}',
    'null',
    '[]',
    '1',
    '"x"',
    '{',
    '',
  ];
  for (const raw of raws) {
    const reply = await call('POST', 'keys.create', null, { raw });
    expect(reply.status, raw).toBe(400);
    expect(reply.text, raw).not.toMatch(/node_modules|\.ts:\d+|\n\s+at /);
  }
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(await rows()).toBe(before);
});

test('S-16: a batch has at most 20 calls, however its commas are written', async () => {
  const slug = project.projectSlug;
  const input = Object.fromEntries(
    Array.from({ length: 1000 }, (_, n) => [
      n,
      superjson.serialize({ project: slug, email: `b${n}@example.org`, role: 'viewer' }),
    ]),
  );
  const invitations = async () => (await listMembers(project)).invitations.length;
  for (const comma of [',', '%2C', '%2c']) {
    for (const size of [21, 1000]) {
      const path = `${Array<string>(size).fill('members.invite').join(comma)}?batch=1`;
      expect((await call('POST', path, null, { raw: JSON.stringify(input) })).status).toBe(400);
      const queries = `${Array<string>(size).fill('account.me').join(comma)}?batch=1`;
      expect((await call('GET', queries, null, { raw: '{}' })).status).toBe(400);
    }
  }
  expect(await invitations()).toBe(0);
  const twenty = `${Array<string>(20).fill('account.me').join(',')}?batch=1`;
  expect((await call('GET', twenty, null, { raw: '{}' })).status).toBe(200);
});

test('S-16: a page has at most 200 lines', async () => {
  const slug = project.projectSlug;
  for (const limit of [0, 201, 1_000_000, -1, 1.5, Number.POSITIVE_INFINITY]) {
    for (const path of [
      'verdicts.list',
      'audit.list',
      'destinations.deliveries',
      'alerts.history',
      'traces.list',
      'sessions.list',
      'turns.received',
      'jobs.list',
      'reports.list',
      'decisions.list',
    ])
      expect((await call('GET', path, { project: slug, limit })).status, `${path} ${limit}`).toBe(
        400,
      );
    const rows = { project: slug, verifier: 'v', origin: 'verifier', cell: 'good', limit };
    expect((await call('GET', 'calibration.rows', rows)).status, `calibration.rows ${limit}`).toBe(
      400,
    );
  }
});

test('S-16: a body over 1 MiB is refused, whether or not it declares its length', async () => {
  const { webUrl } = runtime.ctx.env;
  const chunk = new Uint8Array(64 * 1024).fill(32);
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const headers = { cookie: owner.cookie, origin: webUrl, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: endless, duplex: 'half' };
  expect(
    (await handleTrpc(runtime, new Request(`${webUrl}/api/trpc/keys.create`, init))).status,
  ).toBe(413);
  expect(sent).toBeLessThan(2 * 1024 * 1024);
  const declared = new Request(`${webUrl}/api/trpc/keys.create`, {
    method: 'POST',
    headers: { ...headers, 'content-length': '2000000' },
    body: '{}',
  });
  expect((await handleTrpc(runtime, declared)).status).toBe(413);
});

test("S-19: text that PostgreSQL does not accept, and invalid times, are the caller's fault and not a 500", async () => {
  const slug = { project: project.projectSlug };
  const cursor = (at: string, id: string) =>
    Buffer.from(JSON.stringify([at, id])).toString('base64url');
  const calls: readonly (readonly ['GET' | 'POST', string, unknown])[] = [
    ['GET', 'verdicts.get', { ...slug, id: 'a\u0000b' }],
    ['GET', 'turns.original', { ...slug, id: '\u0000' }],
    ['GET', 'calibration.get', { ...slug, verifier: '\u0000', origin: 'imported', days: 0 }],
    [
      'GET',
      'calibration.report',
      {
        ...slug,
        verifier: 'task@999999999',
        origin: 'verifier',
        days: 0,
        policy: 2 ** 40,
        slice: { by: 'mission', value: '\u0000' },
      },
    ],
    ['GET', 'calibration.imported', { ...slug, judge: '\u0000' }],
    ['GET', 'calibration.anchors', { ...slug, verifier: '\u0000' }],
    ['GET', 'calibration.planAnchors', { ...slug, verifier: '\u0000', items: 10 }],
    [
      'POST',
      'calibration.freezeAnchors',
      { ...slug, verifier: 'integrity', name: '\u0000', items: 10, cron: '\u0000', zone: '\u0000' },
    ],
    ['POST', 'calibration.runAnchors', { ...slug, id: '\u0000' }],
    ['POST', 'calibration.retireAnchors', { ...slug, id: '\u0000' }],
    ['GET', 'probes.list', { ...slug, verifier: '\u0000' }],
    ['GET', 'probes.get', { ...slug, id: '\u0000' }],
    ['GET', 'probes.plan', { ...slug, verifier: '\u0000', probe: 'order' }],
    ['POST', 'probes.start', { ...slug, verifier: '\u0000', probe: 'self_preference' }],
    [
      'GET',
      'calibration.rows',
      { ...slug, verifier: '\u0000', origin: 'verifier', cell: 'caught' },
    ],
    [
      'GET',
      'calibration.rows',
      {
        ...slug,
        verifier: 'x',
        origin: 'imported',
        cell: 'good',
        cursor: cursor('9999-99-99T99Z', 'x'),
      },
    ],
    [
      'GET',
      'calibration.rows',
      { ...slug, verifier: 'x', origin: 'verifier', cell: 'good', from: new Date(8.64e15) },
    ],
    ['GET', 'experiments.list', { ...slug, branch: '\u0000', dataset: '\u0000' }],
    ['GET', 'experiments.get', { ...slug, id: '\u0000' }],
    ['GET', 'experiments.compare', { ...slug, ids: ['\u0000', 'b'], verifier: '\u0000' }],
    ['GET', 'experiments.compareItems', { ...slug, ids: ['\u0000', 'b'] }],
    ['GET', 'experiments.gate', { ...slug, id: '\u0000', gate: { max_cost_usd: 1 } }],
    ['GET', 'experiments.rows', { ...slug, id: '\u0000', cursor: '\u0000' }],
    ['GET', 'experiments.summaries', { ...slug, ids: ['\u0000'] }],
    [
      'POST',
      'experiments.start',
      { ...slug, name: '\u0000', dataset: 'a', target: { type: 'outputs' }, verifiers: ['a'] },
    ],
    ['POST', 'experiments.cancel', { ...slug, id: '\u0000' }],
    ['POST', 'experiments.resume', { ...slug, id: '\u0000' }],
    ['GET', 'playground.turn', { ...slug, id: '\u0000' }],
    [
      'POST',
      'playground.verify',
      {
        ...slug,
        item: '{"input":"\u0000"}',
        output: '\u0000',
        model: '\u0000',
        costUsd: null,
        verifiers: ['\u0000'],
      },
    ],
    ['GET', 'datasets.get', { ...slug, slug: '\u0000' }],
    ['GET', 'datasets.item', { ...slug, slug: 'nobodys', id: '\u0000' }],
    ['GET', 'datasets.list', { ...slug, cursor: cursor('9999-99-99T99Z', 'x') }],
    ['POST', 'datasets.put', { ...slug, slug: 'a', name: '\u0000' }],
    ['POST', 'datasets.removeItems', { ...slug, slug: 'nobodys', ids: ['\u0000'] }],
    ['POST', 'datasets.fromTurns', { ...slug, slug: 'nobodys', turns: ['\u0000'] }],
    ['GET', 'labels.ofVerdict', { ...slug, id: '\u0000' }],
    ['POST', 'labels.override', { ...slug, id: '\u0000', verdict: '\u0000', reason: '\u0000' }],
    ['POST', 'labels.undo', { ...slug, id: '\u0000' }],
    ['POST', 'review.next', { ...slug, verifier: '\u0000', limit: 1 }],
    ['GET', 'review.content', { ...slug, item: '\u0000' }],
    ['POST', 'review.rule', { ...slug, item: '\u0000', answer: 'pass', reason: '\u0000' }],
    ['GET', 'review.similar', { ...slug, item: '\u0000' }],
    ['POST', 'review.assign', { ...slug, item: '\u0000', to: '\u0000' }],
    ['POST', 'review.undo', { ...slug, item: '\u0000' }],
    ['POST', 'review.release', { ...slug, item: '\u0000' }],
    ['GET', 'review.policies', { ...slug, verifier: '\u0000' }],
    ['GET', 'turns.get', { ...slug, id: '\u0000' }],
    ['GET', 'traces.get', { ...slug, id: '\u0000' }],
    ['GET', 'traces.span', { ...slug, id: '\u0000', span: 'b'.repeat(16) }],
    ['GET', 'traces.list', { ...slug, text: '\u0000' }],
    ['GET', 'traces.list', { ...slug, session: '\u0000' }],
    ['GET', 'traces.list', { ...slug, from: new Date(8.64e15) }],
    ['GET', 'traces.list', { ...slug, cursor: cursor('2024-01-01T00:00:00Z', '\u0000') }],
    ['GET', 'sessions.list', { ...slug, text: '\u0000' }],
    ['GET', 'sessions.get', { ...slug, id: '\u0000' }],
    ['GET', 'sessions.turns', { ...slug, session: '\u0000' }],
    ['GET', 'sessions.turns', { ...slug, session: 's', cursor: cursor('9999-99-99T99Z', 'x') }],
    ['GET', 'decisions.list', { ...slug, subject: '\u0000' }],
    ['GET', 'rules.get', { ...slug, name: '\u0000' }],
    ['GET', 'search.find', { ...slug, q: 'a\u0000' }],
    [
      'POST',
      'views.save',
      { ...slug, page: 'verdicts', name: 'a\u0000', query: '?a=b', shared: false },
    ],
    [
      'POST',
      'views.save',
      { ...slug, page: 'verdicts', name: 'a', query: '?a=\u0000', shared: false },
    ],
    ['POST', 'views.remove', { ...slug, id: '\u0000' }],
    ['GET', 'prompts.get', { ...slug, slug: '\u0000' }],
    ['GET', 'verifiers.get', { ...slug, slug: '\u0000' }],
    ['GET', 'verifiers.subject', { ...slug, id: '\u0000' }],
    ['POST', 'verifiers.put', { ...slug, slug: '\u0000', config: {} }],
    ['GET', 'verifiers.definition', { ...slug, slug: '\u0000' }],
    ['POST', 'verifiers.define', { ...slug, slug: '\u0000', definition: { kind: '\u0000' } }],
    ['GET', 'verifiers.tried', { ...slug, id: '\u0000' }],
    ['POST', 'verifiers.archive', { ...slug, slug: '\u0000' }],
    ['POST', 'prompts.moveLabel', { ...slug, slug: 'task-rubric', label: '\u0000', version: 0 }],
    ['POST', 'prompts.preview', { ...slug, slug: 'task-rubric', body: '', subject: '\u0000' }],
    ['GET', 'prompts.planTrial', { ...slug, slug: 'task-rubric', version: 0, seed: 1e300 }],
    ['POST', 'prompts.startTrial', { ...slug, slug: '\u0000', version: 0 }],
    ['GET', 'prompts.trial', { ...slug, slug: 'task-rubric', id: '\u0000' }],
    ['GET', 'promotions.list', { ...slug, slug: '\u0000' }],
    ['POST', 'promotions.approve', { ...slug, id: '\u0000' }],
    ['POST', 'promotions.rollBack', { ...slug, id: '\u0000' }],
    ['GET', 'jobs.get', { ...slug, id: '\u0000' }],
    ['POST', 'data.delete', { ...slug, kind: 'user', id: '\u0000' }],
    ['GET', 'data.deletion', { ...slug, id: '\u0000' }],
    ['POST', 'jobs.cancel', { ...slug, id: '\u0000' }],
    ['POST', 'rules.backfill', { ...slug, name: 'integrity', from: new Date(8.64e15) }],
    ['GET', 'projects.get', { project: 'a\u0000b' }],
    ['GET', 'verdicts.list', { ...slug, text: '\u0000' }],
    ['GET', 'verdicts.list', { ...slug, model: 'x\u0000' }],
    ['GET', 'verdicts.list', { ...slug, from: new Date(8.64e15) }],
    ['GET', 'verdicts.list', { ...slug, to: new Date(-8.64e15) }],
    ['GET', 'verdicts.list', { ...slug, cursor: cursor('9999-99-99T99Z', 'x') }],
    ['GET', 'verdicts.list', { ...slug, cursor: cursor('2024-01-01T00:00:00Z', '\u0000') }],
    ['GET', 'audit.list', { ...slug, cursor: '\u0000' }],
    ['GET', 'destinations.deliveries', { ...slug, destination: '\u0000' }],
    ['GET', 'destinations.deliveries', { ...slug, cursor: cursor('9999-99-99T99Z', 'x') }],
    [
      'GET',
      'destinations.deliveries',
      { ...slug, cursor: cursor('2024-01-01T00:00:00Z', '\u0000') },
    ],
    ['POST', 'destinations.delete', { ...slug, id: '\u0000' }],
    ['POST', 'destinations.test', { ...slug, id: '\u0000' }],
    ['GET', 'slack.links', { ...slug, code: '\u0000' }],
    ['POST', 'slack.link', { ...slug, code: '\u0000.\u0000' }],
    [
      'POST',
      'slack.unlink',
      { ...slug, destinationId: '\u0000', teamId: '\u0000', slackUserId: '\u0000' },
    ],
    ['GET', 'alerts.history', { ...slug, series: '\u0000' }],
    ['GET', 'alerts.history', { ...slug, cursor: cursor('9999-99-99T99Z', 'x') }],
    ['POST', 'alerts.resetRule', { ...slug, kind: 'catch_rate', verifier: '\u0000' }],
    [
      'POST',
      'destinations.create',
      { ...slug, kind: 'otlp', name: 'a\u0000b', url: 'https://otel.example.org' },
    ],
    ['POST', 'keys.revoke', { ...slug, id: '\u0000' }],
    ['POST', 'members.remove', { ...slug, userId: '\u0000' }],
    ['POST', 'keys.create', { ...slug, name: 'a\u0000b', scopes: ['read'] }],
    ['POST', 'work.replay', { ...slug, subjectId: '\u0000', verifier: 'integrity' }],
  ];
  for (const [method, path, input] of calls) {
    const reply = await call(method, path, input);
    expect([400, 404], `${path} ${JSON.stringify(input)}: ${reply.text}`).toContain(reply.status);
    expect(reply.text).not.toMatch(/select |insert |update |invalid byte/i);
  }
});

test('S-10: a changed role and a removal apply from the next call on, without a new sign-in', async () => {
  const member = await createTestMember(runtime, project, 'admin');
  const caller = createCaller(createCallContext(runtime, new Headers({ cookie: member.cookie })));
  const slug = { project: project.projectSlug };
  await caller.keys.list(slug);
  await changeRole(project, { userId: member.id, role: 'viewer' });
  await expect(caller.keys.list(slug)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect((await caller.projects.get(slug)).role).toBe('viewer');
  await removeMember(project, member.id);
  await expect(caller.projects.get(slug)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await caller.account.me()).projects).toEqual([]);
});

test('S-10: a member who is removed, or signs out, loses an open stream', async () => {
  const notify = async () =>
    runtime.ctx.sql`select pg_notify('assay_verdicts', ${`${project.projectId} 1`})`;
  const streams = await Promise.all(
    (['remove', 'sign out'] as const).map(async (way) => {
      const member = await createTestMember(runtime, project, 'viewer');
      const caller = createCaller(
        createCallContext(runtime, new Headers({ cookie: member.cookie })),
      );
      const stream = await caller.verdicts.live({ project: project.projectSlug });
      const iterator = stream[Symbol.asyncIterator]();
      return { way, member, iterator };
    }),
  );
  for (const { way, member, iterator } of streams) {
    const first = iterator.next();
    await expect.poll(async () => (await notify()).length).toBe(1);
    const again = setInterval(() => void notify(), 100);
    expect((await first).done).toBe(false);
    if (way === 'remove') await removeMember(project, member.id);
    else await runtime.ctx.sql`delete from auth_sessions where user_id = ${member.id}`;
    const until = performance.now() + 5000;
    let ended = false;
    while (!ended && performance.now() < until) ended = (await iterator.next()).done === true;
    clearInterval(again);
    expect(ended, way).toBe(true);
  }
});

test('S-104: an internal error exposes no stack and no SQL, and has an id to find it by', async () => {
  const { sql } = runtime.ctx;
  const slug = project.projectSlug;
  const broken = [
    'verdicts',
    'turns',
    'work',
    'api_keys',
    'claims',
    'audit_events',
    'project_settings',
    'verifier_versions',
  ];
  for (const table of broken)
    await sql`alter table ${sql(table)} rename to ${sql(`${table}_away`)}`;
  const calls = Object.entries(inputs()).filter(
    ([path]) => !['verdicts.live', 'projects.create'].includes(path),
  );
  let seen = 0;
  for (const [path, input] of calls) {
    const reply = await call(kindOf(path), path, {
      ...input,
      ...('project' in input ? { project: slug } : {}),
    });
    expect(reply.text, path).not.toMatch(
      /relation|does not exist|select |insert |_away|node_modules|\.ts:\d+|stack/i,
    );
    expect(reply.headers.get('x-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
    if (reply.status < 500) continue;
    seen++;
    // Without its masking rules nothing is stored, and a caller should retry.
    const [message, code] = reply.text.includes('masking')
      ? [
          'The masking rules cannot be read at the moment; send the request again.',
          'SERVICE_UNAVAILABLE',
        ]
      : ['The server failed; its log has the cause under the request id.', 'INTERNAL_SERVER_ERROR'];
    expect(JSON.parse(reply.text)).toMatchObject({
      error: {
        json: { message, data: { code, requestId: reply.headers.get('x-request-id') } },
      },
    });
  }
  expect(seen).toBeGreaterThan(12);
  for (const table of broken)
    await sql`alter table ${sql(`${table}_away`)} rename to ${sql(table)}`;
});

test('R-32: with storage unavailable a call is unavailable, not "signed out" and not a 500', async () => {
  const away = createTestRuntime('postgres://nobody@127.0.0.1:1/none');
  const { webUrl } = away.ctx.env;
  const response = await handleTrpc(
    away,
    new Request(`${webUrl}/api/trpc/account.me`, { headers: { cookie: owner.cookie } }),
  );
  expect(response.status).toBe(503);
  expect(await response.text()).not.toMatch(/ECONN|127\.0\.0\.1/);
  await away.close();
});
