import superjson from 'superjson';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import {
  createTestDatabase,
  createTestLabelledTask,
  createTestMember,
  createTestProject,
  insertTestAnchors,
  insertTestItem,
  insertTestReport,
  type TestDatabase,
  type TestPerson,
} from '@/testing/database';
import {
  createKey,
  createServiceAccount,
  inviteMember,
  issuePasswordLink,
  type ProjectCtx,
} from '@/server/access';
import { createDestination, createLinkCode } from '@/server/deliveries';
import { CreateDestination } from '@/server/deliveries/input';
import { addItems, putDataset } from '@/server/experiments';
import { overrideVerdict } from '@/server/labels';
import type { Runtime } from '@/server/runtime';
import { appRouter } from '@/server/api/trpc';
import { webRuntime } from '@/server/web';
import * as api from './[...path]/route';
import * as auth from './auth/[...all]/route';
import * as trpc from './trpc/[trpc]/route';

/**
 * S-60: only the console's own pages may call mutations, regardless of the method of a foreign
 * page.
 */

const origin = 'http://console.assay.test:3000';
let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;
let owner: TestPerson;
let mutations: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [];

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('ASSAY_WEB_URL', origin);
  vi.stubEnv('ASSAY_SECRET', 'test-secret-test-secret-test-secret');
  vi.stubEnv('ASSAY_LOG_LEVEL', 'silent');
  runtime = webRuntime();
  project = await createTestProject(runtime);
  owner = await createTestMember(runtime, project, 'owner');
  await runtime.ctx.sql`update users set operator = true where id = ${owner.id}`;
  const slug = { project: project.projectSlug };
  const { id } = await createKey(project, { name: 'k', scopes: ['read'] });
  const serviceAccount = await createServiceAccount(project, { name: 'bot', role: 'viewer' });
  const { url } = await inviteMember(project, { email: 'i@example.org', role: 'viewer' });
  const [claim] = await runtime.ctx.sql<
    { id: string }[]
  >`select id from claims where email = 'i@example.org'`;
  await runtime.ctx.sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, state)
    values (${project.projectId}, 'ver_q', 'turn', 'q', 1, 'integrity', 'quarantined')`;
  const other = await createTestMember(runtime, project, 'viewer');
  const reset = await issuePasswordLink(project, runtime.ctx, other.id);
  await runtime.ctx.sql`
    insert into destinations (project_id, id, kind, name, url, outcomes, created_by)
    values (${project.projectId}, 'dst_own', 'otlp', 'd', 'https://otel.example.org', '{}', 'test'),
      (${project.projectId}, 'dst_hook', 'webhook', 'h', 'https://hooks.example.org/a', '{}', 'test')`;
  const secret = 'signing-secret-of-slack';
  const chat = CreateDestination.parse({
    kind: 'slack',
    name: 's',
    url: 'https://hooks.example.org/services/T0/B0/x',
    signing_secret: secret,
  });
  const slackId = (await createDestination(project, chat)).destination.id;
  const linkCode = createLinkCode(
    secret,
    { destinationId: slackId, user: { teamId: 'T0', id: 'U1', name: 'ada' } },
    new Date(),
  );
  await runtime.ctx.sql`
    insert into slack_links (project_id, destination_id, team_id, slack_user_id, slack_name, user_id)
    values (${project.projectId}, ${slackId}, 'T0', 'U2', 'ada', ${owner.id})`;
  await runtime.ctx.sql`
    insert into saved_views (project_id, id, page, name, query, owner_id, shared)
    values (${project.projectId}, 'viw_own', 'verdicts', 'own', '?outcome=failed', ${owner.id}, true)`;
  await runtime.ctx.sql`
    insert into deliveries (project_id, id, destination_id, verdict_id, state) values (${project.projectId}, 'dlv_own', 'dst_own', 'ver_q', 'dead')`;
  await runtime.ctx.sql`
    insert into jobs (project_id, id, kind, input, created_by) values (${project.projectId}, 'job_own', 'rules.backfill', '{}', 'test')`;
  await runtime.ctx.sql`
    insert into alert_events (project_id, id, kind, series, name, event, severity, message)
    values (${project.projectId}, 'alr_own', 'judge_outage', 'openai', 'openai', 'began', 'high', 'It fails.')`;
  await runtime.ctx.sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action,
      needs_human_review, decision_state, issues, detail, excerpt, created_at)
    values (${project.projectId}, 'ver_own', 'integrity', 'integrity', 1, 'turn', 't', 1, 'failed', 'unsourced', 'retry', false, 'run', '[]',
      '{}', '', now())`;
  await runtime.ctx.sql`
    insert into gateway_breakers (project_id, model, replica, state, failures, changed_at)
    values (${project.projectId}, 'openai:gpt-4o', 'r1', 'open', 5, now())`;
  await runtime.ctx.sql`
    insert into deletions (project_id, id, kind, target, state, created_by) values (${project.projectId}, 'del_own', 'user', 'u', 'done', 'test')`;
  await runtime.ctx
    .sql`insert into tombstones (project_id, kind, key, deletion_id) values (${project.projectId}, 'user', 'u', 'del_own')`;
  for (const item of ['rev_own', 'rev_held'])
    await insertTestItem(runtime, project, 'ver_own', item);
  await putDataset(project, 'kept', { name: 'Kept', description: '' });
  const bytes = Buffer.from('{"items":[{"id":"i","input":1}]}');
  await addItems(project, 'kept', { bytes, format: 'json', mode: 'append' });
  await runtime.ctx.sql`
    insert into experiments (project_id, id, name, dataset_id, dataset_slug, dataset_version, repetitions, target, verifiers, concurrency, job_id, state, created_by)
    select project_id, 'exp_own', 'n', id, slug, 1, 1, '{"type":"outputs"}', '{integrity}', 1, '', 'open', 'test'
    from datasets where project_id = ${project.projectId} and slug = 'kept'`;
  await runtime.ctx.sql`
    insert into experiment_rows (project_id, experiment_id, ordinal, item_id, repetition, state)
    values (${project.projectId}, 'exp_own', 1, 'i', 1, 'waiting')`;
  await insertTestAnchors(runtime, project, 'anc_own');
  await insertTestReport(runtime, project, 'rep_own');
  for (const [promotion, state] of [
    ['prm_own', 'waiting'],
    ['prm_other', 'waiting'],
    ['prm_in_force', 'promoted'],
  ] as const)
    await runtime.ctx.sql`
      insert into promotions (project_id, id, slug, before, after, state, findings, created_by, ended_at)
      values (${project.projectId}, ${promotion}, 'task-rubric', '0', '0', ${state}, '{"verdict":"not_tried","reasons":[]}', 'somebody else', now())`;
  await overrideVerdict(project, { id: 'lbl_own', verdictId: 'ver_own', grade: 3 });
  await createTestLabelledTask(runtime, project);
  const releaseText = runtime.prompts.get('task-rubric')?.body ?? '';
  mutations = Object.entries({
    'account.claim': {
      token: new URL(url).searchParams.get('token'),
      email: 'i@example.org',
      name: 'I',
      password: 'long enough password',
    },
    'account.resetPassword': {
      token: new URL(reset.url).searchParams.get('token'),
      password: 'long enough password',
    },
    'account.changePassword': {
      currentPassword: owner.password,
      newPassword: 'long enough password',
    },
    'projects.create': { slug: 'by-a-stranger', name: 'By a stranger' },
    'setup.hide': { ...slug, hidden: true },
    'data.setRetention': {
      ...slug,
      retention: { contentDays: 1, recordDays: 1, keepLabelled: false },
    },
    'data.startExport': slug,
    'data.lift': { ...slug, id: 'del_own' },
    'data.delete': { ...slug, kind: 'user', id: 'somebody' },
    'keys.create': { ...slug, name: 'stolen', scopes: ['read'] },
    'keys.rotate': { ...slug, id },
    'keys.revoke': { ...slug, id },
    'members.invite': { ...slug, email: 'evil@example.org', role: 'owner' },
    'members.revokeInvitation': { ...slug, id: claim?.id },
    'members.changeRole': { ...slug, userId: other.id, role: 'owner' },
    'members.createServiceAccount': { ...slug, name: 'stolen', role: 'admin' },
    'members.removeServiceAccount': { ...slug, id: serviceAccount.id },
    'members.issuePasswordLink': { ...slug, userId: other.id },
    'members.remove': { ...slug, userId: other.id },
    'missions.putSettings': { ...slug, mission: 'stolen', body: { review_above_usd: 0 } },
    'settings.update': { ...slug, integrityEnabled: false },
    'destinations.create': {
      ...slug,
      kind: 'webhook',
      name: 'stolen',
      url: 'https://evil.example/take',
    },
    'destinations.update': {
      ...slug,
      id: 'dst_own',
      name: 'stolen',
      url: 'https://evil.example/take',
    },
    'destinations.replay': { ...slug, id: 'dlv_own' },
    'destinations.test': { ...slug, id: 'dst_hook' },
    'slack.link': { ...slug, code: linkCode },
    'slack.unlink': { ...slug, destinationId: slackId, teamId: 'T0', slackUserId: 'U2' },
    'alerts.putRule': {
      ...slug,
      kind: 'catch_rate',
      verifier: null,
      rule: {
        enabled: false,
        limit: 0.1,
        window_minutes: 60,
        no_data: 'ok',
        renotify_minutes: null,
      },
    },
    'alerts.resetRule': { ...slug, kind: 'catch_rate', verifier: null },
    'alerts.look': slug,
    'alerts.acknowledge': { ...slug, id: 'alr_own' },
    'destinations.delete': { ...slug, id: 'dst_own' },
    'rules.backfill': { ...slug, name: 'integrity' },
    'rules.preview': { ...slug, name: 'p', rule: { verifier: 'integrity' } },
    'rules.put': { ...slug, name: 'integrity', rule: { verifier: 'integrity', enabled: false } },
    'thresholds.put': { ...slug, verifier: 'task', key: 'pass_threshold', body: { value: 0.8 } },
    'thresholds.putAll': {
      ...slug,
      verifier: 'task',
      body: {
        changes: [{ key: 'pass_threshold', value: 0.8, expected_version: 0 }],
        reason: 'why',
      },
    },
    'thresholds.undo': {
      ...slug,
      verifier: 'task',
      key: 'pass_threshold',
      missionId: null,
      taskId: null,
      version: 1,
      reason: null,
    },
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
    'verifiers.archive': { ...slug, slug: 'pii-leak' },
    'verifiers.put': { ...slug, slug: 'task', config: { strategy: 'always' } },
    'rules.setEnabled': { ...slug, name: 'integrity', enabled: false },
    'rules.delete': { ...slug, name: 'integrity' },
    'jobs.cancel': { ...slug, id: 'job_own' },
    'datasets.put': { ...slug, slug: 'stolen', name: 'Stolen' },
    'datasets.addItems': {
      ...slug,
      slug: 'stolen',
      text: '{"items":[{"id":"i","input":1}]}',
      format: 'json',
    },
    'datasets.editItem': {
      ...slug,
      slug: 'stolen',
      id: 'i',
      content: '{"input":2}',
      split: null,
      tags: [],
    },
    'datasets.removeItems': { ...slug, slug: 'stolen', ids: ['i'] },
    'datasets.fromTurns': { ...slug, slug: 'stolen', turns: ['t'] },
    'experiments.start': {
      ...slug,
      name: 'stolen',
      dataset: 'kept',
      target: { type: 'outputs' },
      verifiers: ['integrity'],
    },
    'experiments.cancel': { ...slug, id: 'exp_own' },
    'experiments.resume': { ...slug, id: 'exp_own' },
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
    'datasets.delete': { ...slug, slug: 'stolen' },
    'labels.override': {
      ...slug,
      id: 'ver_own',
      verdict: 'pass',
      reason: 'by a stranger',
      grade: 5,
    },
    'labels.grade': { ...slug, id: 'ver_own', grade: 5 },
    'labels.decide': { ...slug, id: 'ver_own', action: 'escalate' },
    'prompts.create': {
      ...slug,
      slug: 'stolen',
      body: '---\ntitle: Stolen\ndescription: By a stranger\noutput: message\n---\nStolen.\n',
    },
    'prompts.save': {
      ...slug,
      slug: 'task-rubric',
      body: `${releaseText}\n\nBy a stranger.\n`,
      message: 'stolen',
    },
    'prompts.moveLabel': { ...slug, slug: 'task-rubric', label: 'production', version: 0 },
    'promotions.rollBack': { ...slug, id: 'prm_in_force' },
    'promotions.approve': { ...slug, id: 'prm_own' },
    'promotions.withdraw': { ...slug, id: 'prm_other' },
    'prompts.startTrial': { ...slug, slug: 'task-rubric', version: 0 },
    'providers.put': {
      ...slug,
      name: 'openai',
      kind: 'openai',
      base_url: 'https://evil.example/v1',
      api_key: 'k',
    },
    'prompts.preview': { ...slug, slug: 'task-rubric', body: releaseText },
    'providers.test': { ...slug, name: 'openai', model: 'gpt-4o' },
    'providers.delete': { ...slug, name: 'openai' },
    'models.putAlias': { ...slug, alias: 'ours', model: 'gpt-4o' },
    'models.deleteAlias': { ...slug, alias: 'ours' },
    'models.putPrice': {
      ...slug,
      model: 'ours',
      valid_from: '2026-01-01',
      usd_per_million: { input: 1, output: 1 },
    },
    'models.deletePrice': { ...slug, model: 'ours', valid_from: '2026-01-01' },
    'labels.undo': { ...slug, id: 'lbl_own' },
    'review.rule': { ...slug, item: 'rev_own', answer: 'pass', reason: 'by a stranger' },
    'review.undo': { ...slug, item: 'rev_held' },
    'review.assign': { ...slug, item: 'rev_held', to: null },
    'review.release': { ...slug, item: 'rev_held' },
    'review.next': { ...slug, limit: 1 },
    'review.putSettings': {
      ...slug,
      verifier: null,
      settings: { auditRate: 1, uncertainBand: 0, raters: 1, blind: false },
    },
    'calibration.freezeAnchors': {
      ...slug,
      verifier: 'integrity',
      name: 'stolen',
      items: 10,
      cron: null,
      zone: 'UTC',
    },
    'calibration.runAnchors': { ...slug, id: 'anc_own' },
    'probes.start': { ...slug, verifier: 'task', probe: 'self_preference' },
    'calibration.retireAnchors': { ...slug, id: 'anc_own' },
    'trust.putSettings': {
      ...slug,
      verifier: null,
      settings: {
        enforceTrust: true,
        catchTarget: 0.5,
        falseRejectionTarget: 0.5,
        requiredSlices: [],
        halfLifeDays: 0,
      },
    },
    'reports.make': { ...slug, lastDay: '2026-01-11', days: 7 },
    'reports.putSchedule': { ...slug, name: 'stolen', cron: '0 6 * * 1', zone: 'UTC', days: 7 },
    'reports.deleteSchedule': { ...slug, id: 'rep_own' },
    'review.putPolicy': {
      ...slug,
      verifier: 'integrity',
      body: 'By a stranger.',
      message: 'stolen',
    },
    'views.save': {
      ...slug,
      page: 'verdicts',
      name: 'stolen',
      query: '?outcome=failed',
      shared: true,
    },
    'views.rename': { ...slug, id: 'viw_own', name: 'renamed' },
    'views.remove': { ...slug, id: 'viw_own' },
    'gateway.putRoute': {
      ...slug,
      name: 'stolen',
      settings: { upstream: 'https://evil.example/v1' },
    },
    'gateway.deleteRoute': { ...slug, name: 'stolen' },
    'gateway.resetBreaker': { ...slug, model: 'openai:gpt-4o' },
    'work.replay': { ...slug, subjectId: 'q', verifier: 'integrity' },
    // Last, since it removes the project.
    'projects.remove': { ...slug, slug: slug.project },
  });
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await runtime.close();
  await database.drop();
});

async function rows(): Promise<string> {
  const tables = [
    'projects',
    'members',
    'users',
    'claims',
    'api_keys',
    'audit_events',
    'project_settings',
    'mission_settings',
    'work',
    'labels',
    'review_items',
    'review_settings',
    'trust_settings',
    'anchor_sets',
    'datasets',
    'dataset_items',
    'experiments',
    'experiment_rows',
    'anchor_runs',
    'reports',
    'report_schedules',
    'label_policies',
    'providers',
    'model_aliases',
    'model_prices',
    'prompt_versions',
    'prompt_labels',
    'prompt_trial_subjects',
    'promotions',
    'thresholds',
    'verifier_versions',
    'rules',
    'jobs',
    'saved_views',
    'destinations',
    'slack_links',
    'deliveries',
    'notices',
    'alert_rules',
    'alert_states',
    'alert_looks',
    'retention_settings',
    'tombstones',
    'deletions',
    'auth_sessions',
    'sign_in_tries',
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

/**
 * Requests that a foreign page can send with the person's cookie, and one that no browser sends.
 */
const foreign: Readonly<
  Record<string, { readonly headers: Readonly<Record<string, string>>; readonly status: number }>
> = {
  'text/plain': { headers: { origin, 'content-type': 'text/plain' }, status: 415 },
  'text/plain that looks like JSON': {
    headers: { origin, 'content-type': 'text/plain; application/json' },
    status: 415,
  },
  'a form': {
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
  },
  multipart: {
    headers: { origin, 'content-type': 'multipart/form-data; boundary=x' },
    status: 415,
  },
  'no type': { headers: { origin, 'content-type': '' }, status: 415 },
  'no Origin': { headers: { 'content-type': 'application/json' }, status: 403 },
  'Origin null': { headers: { origin: 'null', 'content-type': 'application/json' }, status: 403 },
  'a foreign Origin': {
    headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    status: 403,
  },
  'an Origin that begins alike': {
    headers: { origin: `${origin}.evil.example`, 'content-type': 'application/json' },
    status: 403,
  },
  'the same host on another port': {
    headers: { origin: 'http://console.assay.test:3001', 'content-type': 'application/json' },
    status: 403,
  },
  'the same host by https': {
    headers: { origin: 'https://console.assay.test:3000', 'content-type': 'application/json' },
    status: 403,
  },
  'a sibling subdomain': {
    headers: { origin: 'http://blog.assay.test:3000', 'content-type': 'application/json' },
    status: 403,
  },
  'the parent domain': {
    headers: { origin: 'http://assay.test:3000', 'content-type': 'application/json' },
    status: 403,
  },
  'Sec-Fetch-Site: cross-site': {
    headers: { origin, 'content-type': 'application/json', 'sec-fetch-site': 'cross-site' },
    status: 403,
  },
  'Sec-Fetch-Site: same-site': {
    headers: { origin, 'content-type': 'application/json', 'sec-fetch-site': 'same-site' },
    status: 403,
  },
  'Sec-Fetch-Site: none': {
    headers: { origin, 'content-type': 'application/json', 'sec-fetch-site': 'none' },
    status: 403,
  },
  'a Host and Origin of its own': {
    headers: {
      origin: 'https://evil.example',
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'content-type': 'application/json',
    },
    status: 403,
  },
};

const post = (path: string, body: string, headers: Readonly<Record<string, string>>) =>
  new Request(`${origin}${path}`, {
    method: 'POST',
    headers: { cookie: owner.cookie, ...headers },
    body,
  });

test('S-60: every mutation is tested', () => {
  const procedures = appRouter._def.procedures as unknown as Record<
    string,
    { _def: { type: string } }
  >;
  const all = Object.keys(procedures).filter((path) => procedures[path]?._def.type === 'mutation');
  expect(mutations.map(([path]) => path).sort()).toEqual(all.sort());
});

test.each(Object.entries(foreign))(
  'S-60: %s changes nothing, through no procedure and no sign-in route',
  async (_name, { headers, status }) => {
    const before = await rows();
    for (const [path, input] of mutations) {
      const answer = await trpc.POST(
        post(`/api/trpc/${path}`, JSON.stringify(superjson.serialize(input)), headers),
      );
      expect(answer.status, path).toBe(status);
      expect(
        [...answer.headers.keys()].filter((name) => name.startsWith('access-control')),
      ).toEqual([]);
    }
    const batch = mutations.map(([path]) => path).join(',');
    const inputs = Object.fromEntries(
      mutations.map(([, input], index) => [index, superjson.serialize(input)]),
    );
    expect(
      (await trpc.POST(post(`/api/trpc/${batch}?batch=1`, JSON.stringify(inputs), headers))).status,
    ).toBe(status);
    const credentials = JSON.stringify({ email: owner.email, password: owner.password });
    for (const path of ['/api/auth/sign-in/email', '/api/auth/sign-out']) {
      const answer = await auth.POST(post(path, credentials, headers));
      expect(answer.status, path).toBe(status);
      expect(answer.headers.get('set-cookie')).toBeNull();
    }
    expect(await rows()).toBe(before);
  },
);

test('S-60: GET of a mutation is 405 and changes nothing, also in a batch and with its method named otherwise', async () => {
  const before = await rows();
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    new Request(`${origin}${path}`, { headers: { cookie: owner.cookie, ...headers } });
  for (const [path, input] of mutations) {
    const query = `input=${encodeURIComponent(JSON.stringify(superjson.serialize(input)))}`;
    for (const headers of [
      {},
      { 'x-http-method-override': 'POST', 'x-method-override': 'POST' },
    ] as const) {
      expect((await trpc.GET(get(`/api/trpc/${path}?${query}`, headers))).status, path).toBe(405);
      expect(
        (await trpc.GET(get(`/api/trpc/${path}?${query}&_method=POST`, headers))).status,
        path,
      ).toBe(405);
    }
    const inputs = encodeURIComponent(JSON.stringify({ 0: superjson.serialize(input) }));
    expect((await trpc.GET(get(`/api/trpc/${path}?batch=1&input=${inputs}`))).status, path).toBe(
      405,
    );
  }
  for (const path of ['sign-in/email', 'sign-out']) {
    expect(
      (await auth.GET(get(`/api/auth/${path}?email=${owner.email}&password=${owner.password}`)))
        .status,
    ).toBe(404);
  }
  expect(await rows()).toBe(before);
});

test('S-60: a page of another site cannot read the answers to queries', async () => {
  const query = `/api/trpc/account.me`;
  const own = await trpc.GET(
    new Request(`${origin}${query}`, {
      headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' },
    }),
  );
  expect(own.status).toBe(200);
  const foreignAnswer = await trpc.GET(
    new Request(`${origin}${query}`, {
      headers: {
        cookie: owner.cookie,
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
    }),
  );
  expect(foreignAnswer.status).toBe(403);
  const old = await trpc.GET(
    new Request(`${origin}${query}`, {
      headers: { cookie: owner.cookie, origin: 'https://evil.example' },
    }),
  );
  expect([...old.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('S-60: the HTTP API under /api does not accept a cookie as a key', async () => {
  const before = await rows();
  const asked = (method: string, path: string) =>
    new Request(`${origin}${path}`, {
      method,
      headers: { cookie: owner.cookie, origin, 'content-type': 'application/json' },
      body: '{}',
    });
  expect((await api.POST(asked('POST', '/api/v1/turns'))).status).toBe(401);
  expect((await api.PUT(asked('PUT', '/api/v1/settings'))).status).toBe(401);
  expect(await rows()).toBe(before);
});

test('the same calls from the console itself are accepted', async () => {
  const own = {
    origin,
    'content-type': 'application/json; charset=utf-8',
    'sec-fetch-site': 'same-origin',
  };
  for (const [path, input] of mutations) {
    const sent = superjson.serialize(input);
    // A streamed answer is requested in a batch.
    const isStreamed = path === 'playground.answer';
    const answer = await trpc.POST(
      post(
        `/api/trpc/${path}${isStreamed ? '?batch=1' : ''}`,
        JSON.stringify(isStreamed ? { 0: sent } : sent),
        { ...own, ...(isStreamed && { 'trpc-accept': 'application/jsonl' }) },
      ),
    );
    // Another call has already accepted the invitation that this one revokes.
    expect(answer.status, path).toBe(path === 'members.revokeInvitation' ? 404 : 200);
  }
  // The password set by one of the calls.
  const credentials = { email: owner.email, password: 'long enough password' };
  const signedIn = await auth.POST(
    post('/api/auth/sign-in/email', JSON.stringify(credentials), own),
  );
  expect(signedIn.status).toBe(200);
  expect((await auth.POST(post('/api/auth/sign-out', '{}', own))).status).toBe(200);
  expect(
    (
      await trpc.GET(
        new Request(`${origin}/api/trpc/account.me`, { headers: { cookie: owner.cookie } }),
      )
    ).status,
  ).toBe(401);
});
