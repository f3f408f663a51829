import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TRPCError } from '@trpc/server';
import { expect } from 'vitest';
import { appOf } from '../testing/app';
import {
  canary,
  createTestLabelledTask,
  createTestMember,
  createTestProject,
  drainWork,
  insertTestAnchors,
  insertTestItem,
  insertTestReport,
} from '../testing/database';
import { test } from '../testing/fixture';
import { SOME_CONTEXT } from '../testing/some-context';
import {
  createKey,
  createServiceAccount,
  inviteMember,
  type ProjectCtx,
  revokeKey,
} from './access';
import { putVerifier, readDefinition } from './catalog';
import { overrideVerdict } from './labels';
import {
  addItems,
  cancelExperiment,
  putDataset,
  startDraftTry,
  startExperiment,
  startProbe,
} from './experiments';
import { ProbeBody, StartExperimentBody } from './experiments/input';
import { requestDeletion } from './lifecycle';
import { createDestination, createLinkCode } from './deliveries';
import { CreateDestination } from './deliveries/input';
import { putRoute } from './gateway';
import { RouteSettings } from './gateway/input';
import { createApp, httpRoutes, intakeAliases } from './api/http';
import { putProvider } from './llm';
import { createJob } from './queue';
import { putRule } from './rules';
import { RuleBody } from './rules/input';
import type { Runtime } from './runtime';
import { putThreshold } from './thresholds';
import { ThresholdBody } from './thresholds/input';
import { appRouter, createCallContext, createCaller } from './api/trpc';

/**
 * S-1: who may call which procedure. A procedure, route or handler file without a line here fails,
 * and so does a line without one. A project procedure's line names the roles that may; the rest
 * follows: no session UNAUTHORIZED, no member NOT_FOUND, another role FORBIDDEN.
 */
const people = [
  'anonymous',
  'expired',
  'key',
  'stranger',
  'operator',
  'viewer',
  'reviewer',
  'admin',
  'owner',
] as const;
type Person = (typeof people)[number];
type Caller = ReturnType<typeof createCaller>;
type Answer = 'allowed' | TRPCError['code'];

const all = ['viewer', 'reviewer', 'admin', 'owner'] as const;
const reviewers = ['reviewer', 'admin', 'owner'] as const;
const admins = ['admin', 'owner'] as const;

interface ProcedureCase {
  readonly call: (caller: Caller, slug: string) => Promise<unknown>;
  readonly may: readonly Person[] | Partial<Record<Person, Answer>>;
}

const retention = { contentDays: null, recordDays: null, keepLabelled: true };
/** A role without the permission gets FORBIDDEN; a user without a role learns nothing. */
const noneOf: Partial<Record<Person, Answer>> = {
  anonymous: 'UNAUTHORIZED',
  expired: 'UNAUTHORIZED',
  key: 'UNAUTHORIZED',
  stranger: 'NOT_FOUND',
  operator: 'NOT_FOUND',
  viewer: 'FORBIDDEN',
  reviewer: 'FORBIDDEN',
  admin: 'FORBIDDEN',
};
const traceId = 'a'.repeat(32);
const spanId = 'b'.repeat(16);

let serial = 0;
const next = (): string => `${++serial}`;

const view = { page: 'verdicts', query: '?outcome=failed' } as const;
/** A view that belongs to the caller. */
const freshView = async (c: Caller, project: string): Promise<string> =>
  (await c.views.save({ project, ...view, name: `v${next()}`, shared: false })).id;

const procedures: Readonly<Record<string, ProcedureCase>> = {
  // The token is the permission: its bearer may claim (server/access/claims.int.test.ts), an
  // invented token may not.
  'account.signInOptions': { call: (c) => c.account.signInOptions(), may: people },
  'account.claimState': {
    call: (c) => c.account.claimState({ token: 'made-up-token-of-nobody' }),
    may: people,
  },
  'account.resetPassword': {
    call: (c) =>
      c.account.resetPassword({
        token: 'made-up-token-of-nobody',
        password: 'long enough password',
      }),
    may: Object.fromEntries(people.map((person) => [person, 'NOT_FOUND'])),
  },
  'account.changePassword': {
    call: (c) =>
      c.account.changePassword({
        currentPassword: 'not the password',
        newPassword: 'long enough password',
      }),
    may: Object.fromEntries(
      people.map((person) => [
        person,
        ['anonymous', 'expired', 'key'].includes(person) ? 'UNAUTHORIZED' : 'BAD_REQUEST',
      ]),
    ),
  },
  'account.claim': {
    call: (c) =>
      c.account.claim({
        token: 'made-up-token-of-nobody',
        email: 'claim@example.org',
        name: 'N',
        password: 'long enough password',
      }),
    may: Object.fromEntries(people.map((person) => [person, 'NOT_FOUND'])),
  },
  'account.signInMethods': {
    call: (c) => c.account.signInMethods(),
    may: { anonymous: 'UNAUTHORIZED', expired: 'UNAUTHORIZED', key: 'UNAUTHORIZED' },
  },
  'account.me': {
    call: (c) => c.account.me(),
    may: { anonymous: 'UNAUTHORIZED', expired: 'UNAUTHORIZED', key: 'UNAUTHORIZED' },
  },
  'projects.create': {
    call: (c) => c.projects.create({ slug: `made-${next()}`, name: 'Made' }),
    may: {
      anonymous: 'UNAUTHORIZED',
      expired: 'UNAUTHORIZED',
      key: 'UNAUTHORIZED',
      stranger: 'FORBIDDEN',
      viewer: 'FORBIDDEN',
      reviewer: 'FORBIDDEN',
      admin: 'FORBIDDEN',
      owner: 'FORBIDDEN',
    },
  },
  'projects.get': { call: (c, project) => c.projects.get({ project }), may: all },
  // The slug is not the project's, and is the only reason to refuse a permitted caller.
  'projects.remove': {
    call: (c, project) => c.projects.remove({ project, slug: 'another' }),
    may: { ...noneOf, owner: 'UNPROCESSABLE_CONTENT' },
  },
  'data.retention': { call: (c, project) => c.data.retention({ project }), may: admins },
  'data.preview': { call: (c, project) => c.data.preview({ project, retention }), may: admins },
  'data.setRetention': {
    call: (c, project) => c.data.setRetention({ project, retention }),
    may: admins,
  },
  'data.masking': { call: (c, project) => c.data.masking({ project }), may: admins },
  'data.deletions': { call: (c, project) => c.data.deletions({ project }), may: admins },
  'data.deletion': {
    call: async (c, project) => c.data.deletion({ project, id: await freshDeletion() }),
    may: admins,
  },
  'data.delete': {
    call: (c, project) => c.data.delete({ project, kind: 'user', id: `u-${next()}` }),
    may: admins,
  },
  'data.lift': {
    call: async (c, project) => c.data.lift({ project, id: await freshDeletion() }),
    may: admins,
  },
  'data.exports': { call: (c, project) => c.data.exports({ project }), may: admins },
  'data.startExport': { call: (c, project) => c.data.startExport({ project }), may: admins },
  'data.exportPart': {
    call: async (c, project) => c.data.exportPart({ project, id: await freshExport(), ordinal: 0 }),
    may: admins,
  },
  'setup.get': { call: (c, project) => c.setup.get({ project }), may: all },
  'setup.hide': { call: (c, project) => c.setup.hide({ project, hidden: true }), may: all },
  'keys.list': { call: (c, project) => c.keys.list({ project }), may: admins },
  'keys.create': {
    call: (c, project) => c.keys.create({ project, name: 'k', scopes: ['read'] }),
    may: admins,
  },
  'keys.rotate': {
    call: async (c, project) =>
      c.keys.rotate({ project, id: (await createKey(home, { name: 'k', scopes: ['read'] })).id }),
    may: admins,
  },
  'keys.revoke': {
    call: async (c, project) =>
      c.keys.revoke({ project, id: (await createKey(home, { name: 'k', scopes: ['read'] })).id }),
    may: admins,
  },
  'members.list': { call: (c, project) => c.members.list({ project }), may: all },
  'members.invite': {
    call: (c, project) =>
      c.members.invite({ project, email: `i${next()}@example.org`, role: 'viewer' }),
    may: admins,
  },
  'members.revokeInvitation': {
    call: async (c, project) =>
      c.members.revokeInvitation({ project, id: await freshInvitation() }),
    may: admins,
  },
  'members.changeRole': {
    call: async (c, project) =>
      c.members.changeRole({ project, userId: await freshMember(), role: 'reviewer' }),
    may: admins,
  },
  'members.remove': {
    call: async (c, project) => c.members.remove({ project, userId: await freshMember() }),
    may: admins,
  },
  'members.createServiceAccount': {
    call: (c, project) =>
      c.members.createServiceAccount({ project, name: `bot ${next()}`, role: 'viewer' }),
    may: admins,
  },
  'members.removeServiceAccount': {
    call: async (c, project) => {
      const { id } = await createServiceAccount(home, { name: `bot ${next()}`, role: 'viewer' });
      return c.members.removeServiceAccount({ project, id });
    },
    may: admins,
  },
  'members.issuePasswordLink': {
    call: async (c, project) =>
      c.members.issuePasswordLink({ project, userId: await freshMember() }),
    may: ['owner'],
  },
  'missions.get': { call: (c, project) => c.missions.get({ project, mission: 'm' }), may: all },
  'missions.putSettings': {
    call: (c, project) =>
      c.missions.putSettings({ project, mission: 'm', body: { review_above_usd: 5 } }),
    may: admins,
  },
  'settings.update': {
    call: (c, project) => c.settings.update({ project, allowUserFigures: true }),
    may: admins,
  },
  'destinations.list': { call: (c, project) => c.destinations.list({ project }), may: admins },
  'destinations.create': {
    call: (c, project) =>
      c.destinations.create({
        project,
        kind: 'webhook',
        name: 'w',
        url: 'https://hooks.example.org/a',
      }),
    may: admins,
  },
  'destinations.update': {
    call: async (c, project) =>
      c.destinations.update({
        project,
        id: await freshDestination(),
        name: 'w',
        url: 'https://hooks.example.org/b',
      }),
    may: admins,
  },
  'destinations.delete': {
    call: async (c, project) => c.destinations.delete({ project, id: await freshDestination() }),
    may: admins,
  },
  'destinations.deliveries': {
    call: (c, project) => c.destinations.deliveries({ project }),
    may: admins,
  },
  'destinations.replay': {
    call: (c, project) => c.destinations.replay({ project, id: 'dlv_1' }),
    may: admins,
  },
  'destinations.test': {
    call: async (c, project) => c.destinations.test({ project, id: await freshHook() }),
    may: admins,
  },
  'slack.links': { call: (c, project) => c.slack.links({ project }), may: reviewers },
  'slack.link': {
    call: async (c, project) => c.slack.link({ project, code: (await freshLink()).code }),
    may: reviewers,
  },
  'slack.unlink': {
    call: async (c, project) => {
      const { code, ...link } = await freshLink();
      await c.slack.link({ project, code });
      return c.slack.unlink({ project, ...link });
    },
    may: reviewers,
  },
  'alerts.board': { call: (c, project) => c.alerts.board({ project }), may: all },
  'alerts.alerting': { call: (c, project) => c.alerts.alerting({ project }), may: all },
  'alerts.history': { call: (c, project) => c.alerts.history({ project }), may: all },
  'alerts.rules': { call: (c, project) => c.alerts.rules({ project }), may: all },
  'alerts.putRule': {
    call: (c, project) =>
      c.alerts.putRule({
        project,
        kind: 'catch_rate',
        verifier: null,
        rule: {
          enabled: true,
          limit: 0.6,
          window_minutes: 1440,
          no_data: 'ok',
          renotify_minutes: null,
        },
      }),
    may: admins,
  },
  'alerts.resetRule': {
    call: (c, project) => c.alerts.resetRule({ project, kind: 'catch_rate', verifier: null }),
    may: admins,
  },
  'alerts.look': { call: (c, project) => c.alerts.look({ project }), may: admins },
  'alerts.acknowledge': {
    call: (c, project) => c.alerts.acknowledge({ project, id: 'alr_1' }),
    may: reviewers,
  },
  'audit.list': { call: (c, project) => c.audit.list({ project }), may: admins },
  'verdicts.overview': {
    call: (c, project) => c.verdicts.overview({ project, days: 7 }),
    may: all,
  },
  'verdicts.changes': { call: (c, project) => c.verdicts.changes({ project, days: 7 }), may: all },
  'verdicts.list': { call: (c, project) => c.verdicts.list({ project }), may: all },
  'verdicts.get': { call: (c, project) => c.verdicts.get({ project, id: verdictId }), may: all },
  'verdicts.live': { call: (c, project) => c.verdicts.live({ project }), may: all },
  'experiments.list': { call: (c, project) => c.experiments.list({ project }), may: all },
  'experiments.get': {
    call: async (c, project) => c.experiments.get({ project, id: await freshExperiment() }),
    may: all,
  },
  'experiments.compare': {
    call: async (c, project) => c.experiments.compare({ project, ids: await twoExperiments() }),
    may: all,
  },
  'experiments.compareItems': {
    call: async (c, project) =>
      c.experiments.compareItems({ project, ids: await twoExperiments() }),
    may: all,
  },
  'experiments.gate': {
    call: async (c, project) =>
      c.experiments.gate({ project, id: await freshExperiment(), gate: { max_cost_usd: 1 } }),
    may: all,
  },
  'experiments.rows': {
    call: async (c, project) => c.experiments.rows({ project, id: await freshExperiment() }),
    may: all,
  },
  'experiments.summaries': {
    call: async (c, project) => c.experiments.summaries({ project, ids: await twoExperiments() }),
    may: all,
  },
  'experiments.start': {
    call: async (c, project) =>
      c.experiments.start({
        project,
        name: 'n',
        dataset: await freshDataset(),
        target: { type: 'outputs' },
        verifiers: ['integrity'],
      }),
    may: admins,
  },
  'experiments.cancel': {
    call: async (c, project) => c.experiments.cancel({ project, id: await freshRun('open') }),
    may: admins,
  },
  'experiments.resume': {
    call: async (c, project) => c.experiments.resume({ project, id: await freshRun('cancelled') }),
    may: admins,
  },
  'playground.turn': { call: (c, project) => c.playground.turn({ project, id: 't-1' }), may: all },
  'playground.answer': {
    call: async (c, project) => {
      const messages = [{ role: 'user', content: 'Hi' }] as const;
      const input = { project, model: 'nobody:m', messages: [...messages], item: '{}' };
      for await (const part of await c.playground.answer(input)) return part;
    },
    may: admins,
  },
  'playground.verify': {
    call: (c, project) =>
      c.playground.verify({
        project,
        item: '{"input":"Hi"}',
        output: 'Hello',
        model: 'm',
        costUsd: null,
        verifiers: ['integrity'],
      }),
    may: admins,
  },
  'datasets.list': { call: (c, project) => c.datasets.list({ project }), may: all },
  'datasets.get': {
    call: async (c, project) => c.datasets.get({ project, slug: await freshDataset() }),
    may: all,
  },
  'datasets.items': {
    call: async (c, project) =>
      c.datasets.items({ project, slug: await freshDataset(), version: 1 }),
    may: all,
  },
  'datasets.item': {
    call: async (c, project) => c.datasets.item({ project, slug: await freshDataset(), id: 'i-1' }),
    may: all,
  },
  'datasets.diff': {
    call: async (c, project) =>
      c.datasets.diff({ project, slug: await freshDataset(), from: 1, to: 1 }),
    may: all,
  },
  'datasets.put': {
    call: (c, project) => c.datasets.put({ project, slug: 'put', name: 'Put' }),
    may: reviewers,
  },
  'datasets.delete': {
    call: async (c, project) => c.datasets.delete({ project, slug: await freshDataset() }),
    may: admins,
  },
  'datasets.addItems': {
    call: async (c, project) =>
      c.datasets.addItems({
        project,
        slug: await freshDataset(),
        text: '{"items":[{"input":"r"}]}',
        format: 'json',
      }),
    may: reviewers,
  },
  'datasets.editItem': {
    call: async (c, project) =>
      c.datasets.editItem({
        project,
        slug: await freshDataset(),
        id: 'i-1',
        content: '{"input":"changed"}',
        split: null,
        tags: [],
      }),
    may: reviewers,
  },
  'datasets.removeItems': {
    call: async (c, project) =>
      c.datasets.removeItems({ project, slug: await freshDataset(), ids: ['i-1'] }),
    may: reviewers,
  },
  'datasets.fromTurns': {
    call: async (c, project) =>
      c.datasets.fromTurns({ project, slug: await freshDataset(), turns: ['t-1'] }),
    may: reviewers,
  },
  'labels.ofVerdict': {
    call: (c, project) => c.labels.ofVerdict({ project, id: verdictId }),
    may: all,
  },
  'labels.override': {
    call: (c, project) =>
      c.labels.override({ project, id: verdictId, verdict: 'pass', reason: 'r' }),
    may: reviewers,
  },
  'labels.grade': {
    call: (c, project) => c.labels.grade({ project, id: verdictId, grade: 4 }),
    may: reviewers,
  },
  'labels.decide': {
    call: (c, project) => c.labels.decide({ project, id: verdictId, action: 'escalate' }),
    may: reviewers,
  },
  'labels.undo': {
    call: async (c, project) => c.labels.undo({ project, id: await freshLabel() }),
    may: reviewers,
  },
  'review.counts': { call: (c, project) => c.review.counts({ project }), may: all },
  'review.waiting': { call: (c, project) => c.review.waiting({ project }), may: all },
  'review.next': { call: (c, project) => c.review.next({ project, limit: 1 }), may: reviewers },
  'review.content': {
    call: async (c, project) => c.review.content({ project, item: await freshItem() }),
    may: reviewers,
  },
  'review.similar': {
    call: async (c, project) => c.review.similar({ project, item: await freshItem() }),
    may: reviewers,
  },
  'review.assign': {
    call: async (c, project) => c.review.assign({ project, item: await freshItem(), to: null }),
    may: reviewers,
  },
  'review.rule': {
    call: async (c, project) =>
      c.review.rule({ project, item: await freshItem(), answer: 'pass', reason: 'r' }),
    may: reviewers,
  },
  'review.undo': {
    call: async (c, project) => c.review.undo({ project, item: await freshItem() }),
    may: reviewers,
  },
  'review.release': {
    call: async (c, project) => c.review.release({ project, item: await freshItem() }),
    may: reviewers,
  },
  'review.settings': { call: (c, project) => c.review.settings({ project }), may: all },
  'review.putSettings': {
    call: (c, project) =>
      c.review.putSettings({
        project,
        verifier: null,
        settings: { auditRate: 0, uncertainBand: 0, raters: 1, blind: false },
      }),
    may: ['admin', 'owner'],
  },
  'review.policies': {
    call: (c, project) => c.review.policies({ project, verifier: 'integrity' }),
    may: all,
  },
  'review.putPolicy': {
    call: (c, project) =>
      c.review.putPolicy({ project, verifier: 'integrity', body: `b ${next()}`, message: '' }),
    may: ['admin', 'owner'],
  },
  'turns.received': {
    call: (c, project) => c.turns.received({ project, what: 'turns' }),
    may: all,
  },
  'turns.get': { call: (c, project) => c.turns.get({ project, id: 't-1' }), may: all },
  'traces.list': { call: (c, project) => c.traces.list({ project }), may: all },
  'traces.get': { call: (c, project) => c.traces.get({ project, id: traceId }), may: all },
  'traces.spans': { call: (c, project) => c.traces.spans({ project, id: traceId }), may: all },
  'traces.span': {
    call: (c, project) => c.traces.span({ project, id: traceId, span: spanId }),
    may: all,
  },
  'sessions.list': { call: (c, project) => c.sessions.list({ project }), may: all },
  'sessions.get': { call: (c, project) => c.sessions.get({ project, id: 's-1' }), may: all },
  'sessions.turns': {
    call: (c, project) => c.sessions.turns({ project, session: 's-1' }),
    may: all,
  },
  'checkpoints.summary': {
    call: (c, project) => c.checkpoints.summary({ project, days: 7 }),
    may: all,
  },
  'checkpoints.pipelines': { call: (c, project) => c.checkpoints.pipelines({ project }), may: all },
  'checkpoints.pipeline': {
    call: (c, project) => c.checkpoints.pipeline({ project, id: 's-1' }),
    may: all,
  },
  'gateway.summary': { call: (c, project) => c.gateway.summary({ project, days: 7 }), may: all },
  'gateway.steering': { call: (c, project) => c.gateway.steering({ project, days: 7 }), may: all },
  'gateway.calls': { call: (c, project) => c.gateway.calls({ project }), may: all },
  'gateway.sessions': { call: (c, project) => c.gateway.sessions({ project }), may: all },
  'gateway.session': { call: (c, project) => c.gateway.session({ project, id: 's-1' }), may: all },
  'gateway.routes': { call: (c, project) => c.gateway.routes({ project }), may: all },
  'gateway.route': { call: (c, project) => c.gateway.route({ project, name: 'openai' }), may: all },
  'gateway.putRoute': {
    call: (c, project) =>
      c.gateway.putRoute({ project, name: 'openai', settings: RouteSettings.parse({}) }),
    may: admins,
  },
  'gateway.deleteRoute': {
    call: async (c, project) => c.gateway.deleteRoute({ project, name: await freshRoute() }),
    may: admins,
  },
  'gateway.resetBreaker': {
    call: async (c, project) => c.gateway.resetBreaker({ project, model: await freshBreaker() }),
    may: admins,
  },
  'turns.original': { call: (c, project) => c.turns.original({ project, id: 't-1' }), may: all },
  'thresholds.list': { call: (c, project) => c.thresholds.list({ project }), may: all },
  'thresholds.put': {
    call: (c, project) =>
      c.thresholds.put({ project, verifier: 'task', key: 'pass_threshold', body: { value: 0.8 } }),
    may: admins,
  },
  'thresholds.putAll': {
    call: (c, project) =>
      c.thresholds.putAll({
        project,
        verifier: 'task',
        body: {
          changes: [{ key: 'pass_threshold', value: 0.8, expected_version: 0 }],
          reason: 'matrix',
        },
      }),
    may: admins,
  },
  'thresholds.simulate': {
    call: (c, project) =>
      c.thresholds.simulate({
        project,
        verifier: 'task',
        key: 'pass_threshold',
        body: { values: [0.6] },
      }),
    may: all,
  },
  'thresholds.flips': {
    call: (c, project) =>
      c.thresholds.flips({ project, verifier: 'task', key: 'pass_threshold', value: 0.6, days: 0 }),
    may: all,
  },
  'thresholds.changes': {
    call: (c, project) => c.thresholds.changes({ project, verifier: 'task' }),
    may: all,
  },
  'thresholds.undo': {
    call: async (c, project) =>
      c.thresholds.undo({ project, ...(await freshThreshold()), reason: null }),
    may: admins,
  },
  'rules.list': { call: (c, project) => c.rules.list({ project }), may: all },
  'rules.get': { call: (c, project) => c.rules.get({ project, name: 'integrity' }), may: all },
  'rules.put': {
    call: (c, project) =>
      c.rules.put({
        project,
        name: 'put',
        rule: RuleBody.parse({ verifier: 'integrity', enabled: false }),
      }),
    may: admins,
  },
  'rules.setEnabled': {
    call: (c, project) => c.rules.setEnabled({ project, name: 'integrity', enabled: true }),
    may: admins,
  },
  'rules.delete': {
    call: async (c, project) => c.rules.delete({ project, name: await freshRule() }),
    may: admins,
  },
  'rules.preview': {
    call: (c, project) =>
      c.rules.preview({ project, name: 'p', rule: RuleBody.parse({ verifier: 'integrity' }) }),
    may: admins,
  },
  'rules.backfill': {
    call: (c, project) => c.rules.backfill({ project, name: 'integrity' }),
    may: admins,
  },
  'prompts.list': { call: (c, project) => c.prompts.list({ project }), may: all },
  'prompts.get': {
    call: (c, project) => c.prompts.get({ project, slug: aPrompt().slug }),
    may: all,
  },
  'prompts.body': {
    call: (c, project) => c.prompts.body({ project, slug: aPrompt().slug, version: 0 }),
    may: all,
  },
  'prompts.create': {
    call: (c, project) =>
      c.prompts.create({ project, slug: `own-${next()}`.toLowerCase(), body: applicationBody }),
    may: admins,
  },
  'prompts.save': {
    call: (c, project) =>
      c.prompts.save({ project, slug: aPrompt().slug, body: `${aPrompt().body}\n${next()}` }),
    may: admins,
  },
  'prompts.moveLabel': {
    call: (c, project) =>
      c.prompts.moveLabel({ project, slug: aPrompt().slug, label: 'production', version: 0 }),
    may: admins,
  },
  'trust.list': { call: (c, project) => c.trust.list({ project }), may: all },
  'trust.history': {
    call: (c, project) => c.trust.history({ project, verifier: 'task' }),
    may: all,
  },
  'trust.settings': { call: (c, project) => c.trust.settings({ project }), may: all },
  'trust.putSettings': {
    call: (c, project) =>
      c.trust.putSettings({
        project,
        verifier: 'task',
        settings: {
          enforceTrust: false,
          catchTarget: 0.7,
          falseRejectionTarget: 0.1,
          requiredSlices: [],
          halfLifeDays: 90,
        },
      }),
    may: admins,
  },
  'promotions.list': { call: (c, project) => c.promotions.list({ project }), may: all },
  'promotions.check': {
    call: (c, project) => c.promotions.check({ project, slug: 'task-rubric', version: 0 }),
    may: all,
  },
  'promotions.checkJudge': {
    call: (c, project) => c.promotions.checkJudge({ project, defaultJudge: null }),
    may: all,
  },
  'promotions.approve': {
    call: async (c, project) =>
      c.promotions.approve({ project, id: await freshPromotion('waiting') }),
    may: admins,
  },
  'promotions.withdraw': {
    call: async (c, project) =>
      c.promotions.withdraw({ project, id: await freshPromotion('waiting') }),
    may: admins,
  },
  'promotions.rollBack': {
    call: async (c, project) =>
      c.promotions.rollBack({ project, id: await freshPromotion('promoted') }),
    may: admins,
  },
  'prompts.preview': {
    call: (c, project) => c.prompts.preview({ project, ...aPrompt() }),
    may: all,
  },
  'prompts.planTrial': {
    call: (c, project) => c.prompts.planTrial({ project, slug: 'task-rubric', version: 0 }),
    may: admins,
  },
  'prompts.startTrial': {
    call: async (c, project) => {
      await runtime.ctx.sql`delete from jobs where kind = 'prompts.try'`;
      return c.prompts.startTrial({ project, slug: 'task-rubric', version: 0 });
    },
    may: admins,
  },
  'prompts.trials': {
    call: (c, project) => c.prompts.trials({ project, slug: 'task-rubric' }),
    may: all,
  },
  'prompts.trial': {
    call: async (c, project) =>
      c.prompts.trial({ project, slug: 'task-rubric', id: await freshTrial() }),
    may: all,
  },
  'search.find': { call: (c, project) => c.search.find({ project, q: 'nobodys' }), may: all },
  'views.list': { call: (c, project) => c.views.list({ project }), may: all },
  'views.save': {
    call: (c, project) => c.views.save({ project, ...view, name: `v${next()}`, shared: false }),
    may: all,
  },
  'views.rename': {
    call: async (c, project) =>
      c.views.rename({ project, id: await freshView(c, project), name: `v${next()}` }),
    may: all,
  },
  'views.remove': {
    call: async (c, project) => c.views.remove({ project, id: await freshView(c, project) }),
    may: all,
  },
  'models.list': { call: (c, project) => c.models.list({ project }), may: all },
  'models.days': { call: (c, project) => c.models.days({ project }), may: all },
  'models.settings': { call: (c, project) => c.models.settings({ project }), may: all },
  'models.putAlias': {
    call: (c, project) => c.models.putAlias({ project, alias: 'ours', model: 'gpt-4o' }),
    may: admins,
  },
  'models.deleteAlias': {
    call: async (c, project) => {
      await runtime.ctx.sql`
        insert into model_aliases (project_id, alias, model, created_by)
        select id, 'gone', 'gpt-4o', 'test' from projects where slug = ${project} on conflict do nothing`;
      return c.models.deleteAlias({ project, alias: 'gone' });
    },
    may: admins,
  },
  'models.putPrice': {
    call: (c, project) => c.models.putPrice({ project, ...aPrice }),
    may: admins,
  },
  'models.deletePrice': {
    call: async (c, project) => {
      await runtime.ctx.sql`
        insert into model_prices (project_id, model, valid_from, input_usd, output_usd, created_by)
        select id, 'gone', '2026-01-01', 1, 1, 'test' from projects where slug = ${project} on conflict do nothing`;
      return c.models.deletePrice({ project, model: 'gone', valid_from: '2026-01-01' });
    },
    may: admins,
  },
  'charts.history': { call: (c, project) => c.charts.history({ project, days: 7 }), may: all },
  'charts.marks': { call: (c, project) => c.charts.marks({ project, days: 30 }), may: all },
  'charts.scores': {
    call: (c, project) => c.charts.scores({ project, verifier: 'task', days: 30 }),
    may: all,
  },
  'charts.caughtCosts': {
    call: (c, project) => c.charts.caughtCosts({ project, verifier: 'task', days: 30 }),
    may: all,
  },
  'charts.modelScores': {
    call: (c, project) => c.charts.modelScores({ project, verifier: 'task' }),
    may: all,
  },
  'charts.gatewayDays': {
    call: (c, project) => c.charts.gatewayDays({ project, days: 7 }),
    may: all,
  },
  'verifiers.list': { call: (c, project) => c.verifiers.list({ project }), may: all },
  'verifiers.get': {
    call: (c, project) => c.verifiers.get({ project, slug: 'integrity' }),
    may: all,
  },
  'verifiers.put': {
    call: (c, project) =>
      c.verifiers.put({ project, slug: 'mission', config: { output_chars: 30_000 } }),
    may: admins,
  },
  'verifiers.definition': {
    call: async (c, project) => c.verifiers.definition({ project, slug: await freshVerifier() }),
    may: all,
  },
  'verifiers.define': {
    call: (c, project) =>
      c.verifiers.define({
        project,
        slug: 'own-checks',
        definition: ownChecks,
      }),
    may: admins,
  },
  'verifiers.startTry': {
    call: (c, project) =>
      c.verifiers.startTry({
        project,
        slug: 'own-checks',
        definition: ownChecks,
        subjects: 'turn',
      }),
    may: admins,
  },
  'verifiers.tried': {
    call: async (c, project) => c.verifiers.tried({ project, id: await freshDraftTry() }),
    may: admins,
  },
  'verifiers.archive': {
    call: async (c, project) => c.verifiers.archive({ project, slug: await freshVerifier() }),
    may: admins,
  },
  'verifiers.subject': {
    call: (c, project) => c.verifiers.subject({ project, id: verdictId }),
    may: all,
  },
  'verifiers.judging': { call: (c, project) => c.verifiers.judging({ project }), may: all },
  'providers.list': { call: (c, project) => c.providers.list({ project }), may: all },
  'providers.put': {
    call: (c, project) => c.providers.put({ project, name: 'put', ...aProvider }),
    may: admins,
  },
  'providers.delete': {
    call: async (c, project) => c.providers.delete({ project, name: await freshProvider() }),
    may: admins,
  },
  'providers.test': {
    call: (c, project) => c.providers.test({ project, name: 'nobodys', model: 'gpt-4o' }),
    may: admins,
  },
  'calibration.list': { call: (c, project) => c.calibration.list({ project, days: 30 }), may: all },
  'calibration.get': {
    call: (c, project) =>
      c.calibration.get({ project, verifier: 'integrity', origin: 'verifier', days: 7 }),
    may: all,
  },
  'calibration.report': {
    call: (c, project) =>
      c.calibration.report({ project, verifier: 'integrity', origin: 'verifier', days: 7 }),
    may: all,
  },
  'calibration.imported': { call: (c, project) => c.calibration.imported({ project }), may: all },
  'calibration.anchors': {
    call: (c, project) => c.calibration.anchors({ project, verifier: 'integrity' }),
    may: all,
  },
  'calibration.planAnchors': {
    call: (c, project) => c.calibration.planAnchors({ project, verifier: 'integrity', items: 10 }),
    may: admins,
  },
  'calibration.freezeAnchors': {
    call: async (c, project) => {
      await freshAnchors();
      return c.calibration.freezeAnchors({
        project,
        verifier: 'integrity',
        name: `frozen ${next()}`,
        items: 10,
        cron: '0 6 * * 1',
      });
    },
    may: admins,
  },
  'calibration.runAnchors': {
    call: async (c, project) => c.calibration.runAnchors({ project, id: await freshAnchors() }),
    may: admins,
  },
  'calibration.retireAnchors': {
    call: async (c, project) => c.calibration.retireAnchors({ project, id: await freshAnchors() }),
    may: admins,
  },
  'probes.list': { call: (c, project) => c.probes.list({ project, verifier: 'task' }), may: all },
  'probes.get': {
    call: async (c, project) => c.probes.get({ project, id: await freshProbe() }),
    may: all,
  },
  'probes.plan': {
    call: (c, project) => c.probes.plan({ project, verifier: 'task', probe: 'order' }),
    may: admins,
  },
  'probes.start': {
    call: (c, project) => c.probes.start({ project, verifier: 'task', probe: 'self_preference' }),
    may: admins,
  },
  'reports.list': { call: (c, project) => c.reports.list({ project }), may: all },
  'reports.get': {
    call: async (c, project) => c.reports.get({ project, id: await freshReport() }),
    may: all,
  },
  'reports.markdown': {
    call: async (c, project) => c.reports.markdown({ project, id: await freshReport() }),
    may: all,
  },
  'reports.make': {
    call: (c, project) => c.reports.make({ project, lastDay: '2026-01-11', days: 7 }),
    may: admins,
  },
  'reports.schedules': { call: (c, project) => c.reports.schedules({ project }), may: all },
  'reports.preview': {
    call: (c, project) => c.reports.preview({ project, cron: '0 6 * * 1', zone: 'UTC' }),
    may: all,
  },
  'reports.putSchedule': {
    call: (c, project) =>
      c.reports.putSchedule({ project, name: 'put', cron: '0 6 * * 1', zone: 'UTC', days: 7 }),
    may: admins,
  },
  'reports.deleteSchedule': {
    call: async (c, project) => c.reports.deleteSchedule({ project, id: await freshReport() }),
    may: admins,
  },
  'calibration.rows': {
    call: (c, project) =>
      c.calibration.rows({ project, verifier: 'integrity', origin: 'verifier', cell: 'labelled' }),
    may: all,
  },
  'decisions.list': {
    call: (c, project) => c.decisions.list({ project, rule: 'integrity' }),
    may: all,
  },
  'jobs.list': { call: (c, project) => c.jobs.list({ project }), may: all },
  'jobs.get': { call: (c, project) => c.jobs.get({ project, id: jobId }), may: all },
  'jobs.cancel': {
    call: async (c, project) => c.jobs.cancel({ project, id: await freshJob() }),
    may: admins,
  },
  'work.waiting': { call: (c, project) => c.work.waiting({ project }), may: all },
  'work.replay': {
    call: async (c, project) =>
      c.work.replay({ project, subjectId: await freshQuarantined(), verifier: 'integrity' }),
    may: admins,
  },
};

/** The HTTP API: the scope that each route needs, or null for a public route. */
interface RouteCase {
  readonly scope: string | null;
  readonly request: () => Sent | Promise<Sent>;
  /** When the status is not 200. */
  readonly ok?: number;
  /** The status for a key of another project, when the path does not imply it. */
  readonly foreign?: number;
}

interface Sent {
  readonly path: string;
  readonly body?: unknown;
}

const routes: Readonly<Record<string, RouteCase>> = {
  'POST /v1/turns': {
    scope: 'ingest',
    request: () => ({
      path: '/v1/turns',
      body: { turns: [{ id: `m-${next()}`, context: SOME_CONTEXT, output: 'no figures' }] },
    }),
    ok: 202,
  },
  'POST /v1/traces': {
    scope: 'ingest',
    request: () => ({ path: '/v1/traces', body: { resourceSpans: [] } }),
  },
  'POST /v1/logs': {
    scope: 'ingest',
    request: () => ({ path: '/v1/logs', body: { resourceLogs: [] } }),
  },
  'POST /v1/metrics': {
    scope: 'ingest',
    request: () => ({ path: '/v1/metrics', body: { resourceMetrics: [] } }),
  },
  ...Object.fromEntries(
    intakeAliases.map(({ path }) => [
      `POST ${path}`,
      { scope: 'ingest' as const, request: () => ({ path, body: {} }) },
    ]),
  ),
  'POST /api/public/ingestion': {
    scope: 'ingest',
    request: () => ({ path: '/api/public/ingestion', body: { batch: [] } }),
    ok: 207,
  },
  'POST /v1/verify/task': {
    scope: 'verify',
    request: () => ({ path: '/v1/verify/task', body: taskCall() }),
  },
  'POST /verify-task': {
    scope: 'verify',
    request: () => ({ path: '/verify-task', body: taskCall() }),
  },
  'POST /v1/verify/code': {
    scope: 'verify',
    request: () => ({
      path: '/v1/verify/code',
      body: { request: 'Create a.md', files: [{ path: 'a.md', content: 'x' }] },
    }),
  },
  'POST /v1/verify/consistency': {
    scope: 'verify',
    request: () => ({ path: '/v1/verify/consistency', body: { outputs: [] } }),
  },
  'POST /v1/verify/decomposition': {
    scope: 'verify',
    request: () => ({
      path: '/v1/verify/decomposition',
      body: { query: 'q', decomposition: { goal: 'g', subgoals: [] } },
    }),
  },
  'POST /v1/verify/agent-output': {
    scope: 'verify',
    request: () => ({
      path: '/v1/verify/agent-output',
      body: { subgoal: { id: 's' }, output: { summary: 'x', confidence: 0.9 } },
    }),
  },
  'POST /v1/verify/synthesis': {
    scope: 'verify',
    request: () => ({
      path: '/v1/verify/synthesis',
      body: { query: 'q', answer: 'a', agent_outputs: [] },
    }),
  },
  'POST /v1/verify/turn': {
    scope: 'verify',
    request: () => ({
      path: '/v1/verify/turn',
      body: { messages: [{ role: 'user', content: 'q' }], completion: ' ' },
    }),
  },
  'POST /v1/verify/mission': {
    scope: 'verify',
    request: () => ({
      path: '/v1/verify/mission',
      body: { description: 'd', tasks: [{ task_id: 'a', output: ' ' }] },
    }),
  },
  'POST /v1/contracts': {
    scope: 'verify',
    request: () => ({ path: '/v1/contracts', body: { request: 'Create app.py' } }),
  },
  'POST /v1/verify/integrity': {
    scope: 'verify',
    request: () => ({ path: '/v1/verify/integrity', body: { output: 'no figures' } }),
  },
  'POST /v1/verify/{verifier}': {
    scope: 'verify',
    request: async () => ({
      path: `/v1/verify/${await freshVerifier()}`,
      body: { subject: { output: 'x' } },
    }),
    foreign: 404,
  },
  'GET /v1/verifications': { scope: 'read', request: () => ({ path: '/v1/verifications' }) },
  'GET /v1/verifications/{id}': {
    scope: 'read',
    request: () => ({ path: `/v1/verifications/${verdictId}` }),
  },
  'POST /v1/verifications/{id}/overrides': {
    scope: 'write',
    request: () => ({
      path: `/v1/verifications/${verdictId}/overrides`,
      body: { verdict: 'pass', reason: 'r', grade: 4 },
    }),
    ok: 201,
  },
  'DELETE /v1/verifications/{id}/overrides/{override}': {
    scope: 'write',
    request: async () => ({
      path: `/v1/verifications/${verdictId}/overrides/${await freshLabel()}`,
    }),
    foreign: 404,
  },
  'GET /v1/thresholds': { scope: 'read', request: () => ({ path: '/v1/thresholds' }) },
  'PUT /v1/thresholds/{verifier}/{key}': {
    scope: 'write',
    request: () => ({ path: '/v1/thresholds/task/pass_threshold', body: { value: 0.8 } }),
  },
  'POST /v1/thresholds/{verifier}/{key}/simulate': {
    scope: 'read',
    request: () => ({
      path: '/v1/thresholds/task/pass_threshold/simulate',
      body: { values: [0.6] },
    }),
  },
  'GET /v1/verifiers': { scope: 'read', request: () => ({ path: '/v1/verifiers' }) },
  'GET /v1/verifiers/{verifier}': {
    scope: 'read',
    request: () => ({ path: '/v1/verifiers/task' }),
  },
  'PUT /v1/verifiers/{verifier}': {
    scope: 'write',
    request: () => ({ path: '/v1/verifiers/task', body: { config: { strategy: 'always' } } }),
  },
  'POST /v1/verifiers/{verifier}/try': {
    scope: 'verify',
    request: async () => ({
      path: `/v1/verifiers/${await freshVerifier()}/try`,
      body: { subjects: [{ output: 'x' }], wait_ms: 0 },
    }),
    ok: 202,
    foreign: 404,
  },
  'DELETE /v1/verifiers/{verifier}': {
    scope: 'write',
    request: async () => ({ path: `/v1/verifiers/${await freshVerifier()}` }),
    foreign: 404,
  },
  'GET /v1/rules': { scope: 'read', request: () => ({ path: '/v1/rules' }) },
  'GET /v1/rules/{name}': { scope: 'read', request: () => ({ path: '/v1/rules/integrity' }) },
  'PUT /v1/rules/{name}': {
    scope: 'write',
    request: () => ({ path: '/v1/rules/put', body: { verifier: 'integrity', enabled: false } }),
  },
  'DELETE /v1/rules/{name}': {
    scope: 'write',
    request: async () => ({ path: `/v1/rules/${await freshRule()}` }),
    foreign: 404,
  },
  'POST /v1/rules/preview': {
    scope: 'verify',
    request: () => ({ path: '/v1/rules/preview', body: { verifier: 'integrity' } }),
  },
  'POST /v1/rules/{name}/backfill': {
    scope: 'write',
    request: () => ({ path: '/v1/rules/integrity/backfill', body: {} }),
    ok: 202,
  },
  'GET /v1/prompts': { scope: 'read', request: () => ({ path: '/v1/prompts' }) },
  'GET /v1/prompts/{slug}': {
    scope: 'read',
    request: () => ({ path: `/v1/prompts/${aPrompt().slug}` }),
  },
  'GET /v1/prompts/{slug}/versions/{version}': {
    scope: 'read',
    request: () => ({ path: `/v1/prompts/${aPrompt().slug}/versions/0` }),
  },
  'POST /v1/prompts/{slug}/versions/{version}/trials': {
    scope: 'write',
    request: () => ({ path: '/v1/prompts/task-rubric/versions/0/trials', body: { dry_run: true } }),
  },
  'GET /v1/prompts/{slug}/trials/{id}': {
    scope: 'read',
    request: async () => ({ path: `/v1/prompts/task-rubric/trials/${await freshTrial()}` }),
  },
  'POST /v1/prompts/{slug}/versions': {
    scope: 'write',
    request: () => ({
      path: `/v1/prompts/${aPrompt().slug}/versions`,
      body: { body: `${aPrompt().body}\n${next()}` },
    }),
    ok: 201,
  },
  'PUT /v1/prompts/{slug}/labels/{label}': {
    scope: 'write',
    request: () => ({
      path: `/v1/prompts/${aPrompt().slug}/labels/production`,
      body: { version: 0 },
    }),
  },
  'GET /v1/providers': { scope: 'read', request: () => ({ path: '/v1/providers' }) },
  'PUT /v1/providers/{name}': {
    scope: 'write',
    request: () => ({ path: '/v1/providers/put', body: aProvider }),
  },
  'DELETE /v1/providers/{name}': {
    scope: 'write',
    request: async () => ({ path: `/v1/providers/${await freshProvider()}` }),
    foreign: 404,
  },
  'GET /v1/gateway/routes': { scope: 'read', request: () => ({ path: '/v1/gateway/routes' }) },
  'GET /v1/gateway/routes/{route}': {
    scope: 'read',
    request: () => ({ path: '/v1/gateway/routes/openai' }),
  },
  'PUT /v1/gateway/routes/{route}': {
    scope: 'write',
    request: () => ({ path: '/v1/gateway/routes/openai', body: { fail_closed: true } }),
  },
  'DELETE /v1/gateway/routes/{route}': {
    scope: 'write',
    request: async () => ({ path: `/v1/gateway/routes/${await freshRoute()}` }),
    foreign: 404,
  },
  'GET /v1/traces': { scope: 'read', request: () => ({ path: '/v1/traces' }) },
  'GET /v1/traces/{id}': { scope: 'read', request: () => ({ path: `/v1/traces/${traceId}` }) },
  'GET /v1/sessions': { scope: 'read', request: () => ({ path: '/v1/sessions' }) },
  'GET /v1/sessions/{id}': { scope: 'read', request: () => ({ path: '/v1/sessions/s-1' }) },
  'GET /v1/sessions/{id}/turns': {
    scope: 'read',
    request: () => ({ path: '/v1/sessions/s-1/turns' }),
    foreign: 404,
  },
  'GET /v1/datasets': { scope: 'read', request: () => ({ path: '/v1/datasets' }) },
  'GET /v1/datasets/{slug}': {
    scope: 'read',
    request: async () => ({ path: `/v1/datasets/${await freshDataset()}` }),
    foreign: 404,
  },
  'PUT /v1/datasets/{slug}': {
    scope: 'write',
    request: async () => ({
      path: `/v1/datasets/${await freshDataset()}`,
      body: { name: 'Renamed' },
    }),
    foreign: 201,
  },
  'DELETE /v1/datasets/{slug}': {
    scope: 'write',
    request: async () => ({ path: `/v1/datasets/${await freshDataset()}` }),
    foreign: 404,
  },
  'POST /v1/datasets/{slug}/items': {
    scope: 'write',
    request: async () => ({
      path: `/v1/datasets/${await freshDataset()}/items`,
      body: { items: [{ input: 'r' }] },
    }),
    ok: 201,
    foreign: 404,
  },
  'POST /v1/datasets/{slug}/items/from': {
    scope: 'write',
    request: async () => ({
      path: `/v1/datasets/${await freshDataset()}/items/from`,
      body: { turns: ['t-1'] },
    }),
    foreign: 404,
  },
  'GET /v1/datasets/{slug}/versions': {
    scope: 'read',
    request: async () => ({ path: `/v1/datasets/${await freshDataset()}/versions` }),
    foreign: 404,
  },
  'GET /v1/datasets/{slug}/versions/{version}/items': {
    scope: 'read',
    request: async () => ({ path: `/v1/datasets/${await freshDataset()}/versions/1/items` }),
    foreign: 404,
  },
  'GET /v1/datasets/{slug}/diff': {
    scope: 'read',
    request: async () => ({ path: `/v1/datasets/${await freshDataset()}/diff?from=1&to=1` }),
    foreign: 404,
  },
  'GET /v1/labels': { scope: 'read', request: () => ({ path: '/v1/labels' }) },
  'POST /v1/labels': {
    scope: 'write',
    request: () => ({
      path: '/v1/labels',
      body: { verification_id: verdictId, verdict: 'pass', reason: 'r' },
    }),
    ok: 201,
    foreign: 404,
  },
  'DELETE /v1/labels/{id}': {
    scope: 'write',
    request: async () => ({ path: `/v1/labels/${await freshLabel()}` }),
  },
  'GET /v1/experiments': { scope: 'read', request: () => ({ path: '/v1/experiments' }) },
  'GET /v1/experiments/{id}': {
    scope: 'read',
    request: async () => ({ path: `/v1/experiments/${await freshExperiment()}` }),
    foreign: 404,
  },
  'GET /v1/experiments/{id}/rows': {
    scope: 'read',
    request: async () => ({ path: `/v1/experiments/${await freshExperiment()}/rows` }),
    foreign: 404,
  },
  'GET /v1/experiments/compare': {
    scope: 'read',
    request: async () => ({
      path: `/v1/experiments/compare?ids=${(await twoExperiments()).join(',')}`,
    }),
    foreign: 404,
  },
  'GET /v1/experiments/compare/items': {
    scope: 'read',
    request: async () => ({
      path: `/v1/experiments/compare/items?ids=${(await twoExperiments()).join(',')}`,
    }),
    foreign: 404,
  },
  'POST /v1/experiments': {
    scope: 'verify',
    request: async () => ({
      path: '/v1/experiments',
      body: { ...sentOutputs, dataset: await freshDataset() },
    }),
    ok: 202,
    foreign: 404,
  },
  'POST /v1/experiments/{id}/outputs': {
    scope: 'verify',
    request: async () => ({
      path: `/v1/experiments/${await freshRun()}/outputs`,
      body: { outputs: [{ item_id: 'i-1', output: 'a' }] },
    }),
    ok: 202,
    foreign: 404,
  },
  'POST /v1/experiments/{id}/finish': {
    scope: 'verify',
    request: async () => ({ path: `/v1/experiments/${await freshRun()}/finish`, body: {} }),
    ok: 202,
    foreign: 404,
  },
  'POST /v1/experiments/{id}/cancel': {
    scope: 'verify',
    request: async () => ({ path: `/v1/experiments/${await freshRun()}/cancel`, body: {} }),
    foreign: 404,
  },
  'POST /v1/experiments/{id}/resume': {
    scope: 'verify',
    request: async () => {
      const id = await freshRun('cancelled');
      return { path: `/v1/experiments/${id}/resume`, body: {} };
    },
    ok: 202,
    foreign: 404,
  },
  'POST /v1/experiments/{id}/gate': {
    scope: 'verify',
    request: async () => ({
      path: `/v1/experiments/${await freshExperiment()}/gate`,
      body: { max_cost_usd: 1 },
    }),
    foreign: 404,
  },
  'GET /v1/findings': { scope: 'read', request: () => ({ path: '/v1/findings' }) },
  'POST /v1/findings/{id}/acknowledge': {
    scope: 'write',
    request: () => ({ path: '/v1/findings/alr_1/acknowledge', body: {} }),
  },
  'GET /v1/turns': { scope: 'read', request: () => ({ path: '/v1/turns' }) },
  'GET /v1/turns/{id}': { scope: 'read', request: () => ({ path: '/v1/turns/t-1' }) },
  'POST /v1/sessions/{id}/end': {
    scope: 'write',
    request: () => ({ path: '/v1/sessions/s-1/end', body: {} }),
    ok: 202,
    foreign: 404,
  },
  'POST /v1/missions/{id}/end': {
    scope: 'write',
    request: () => ({ path: '/v1/missions/m-1/end', body: {} }),
    ok: 202,
    foreign: 404,
  },
  'GET /v1/reports': { scope: 'read', request: () => ({ path: '/v1/reports' }) },
  'GET /v1/reports/{id}': {
    scope: 'read',
    request: async () => ({ path: `/v1/reports/${await freshReport()}` }),
  },
  'GET /v1/reports/{id}.md': {
    scope: 'read',
    request: async () => ({ path: `/v1/reports/${await freshReport()}.md` }),
  },
  'GET /v1/decisions': { scope: 'read', request: () => ({ path: '/v1/decisions?rule=integrity' }) },
  'GET /v1/jobs/{id}': { scope: 'read', request: () => ({ path: `/v1/jobs/${jobId}` }) },
  'DELETE /v1/jobs/{id}': {
    scope: 'write',
    request: async () => ({ path: `/v1/jobs/${await freshJob()}` }),
  },
  'POST /v1/import': {
    scope: 'ingest',
    request: () => ({
      path: `/v1/import?mapping=${encodeURIComponent('{"format":"jsonl","output":"o"}')}`,
      body: { o: 'no figures' },
    }),
    ok: 202,
  },
  'POST /v1/outcomes': {
    scope: 'ingest',
    request: () => ({
      path: '/v1/outcomes',
      body: { outcomes: [{ subject_id: 't-1', success: true }] },
    }),
    ok: 202,
  },
  'GET /v1/metrics/models': { scope: 'read', request: () => ({ path: '/v1/metrics/models' }) },
  'GET /v1/metrics/judges': { scope: 'read', request: () => ({ path: '/v1/metrics/judges' }) },
  'GET /v1/metrics/verifiers': {
    scope: 'read',
    request: () => ({ path: '/v1/metrics/verifiers' }),
  },
  'GET /v1/missions/{id}': {
    scope: 'read',
    request: async () => {
      const criteria = [{ check: 'keywords', value: ['plan'] }];
      const body = {
        id: 'of-m',
        mission_id: 'm',
        task_output: 'The plan.',
        success_criteria: criteria,
      };
      await request(keys.get('all'), 'POST', { path: '/v1/verify/task', body });
      return { path: '/v1/missions/m' };
    },
  },
  // The caller chooses the id: another project has its own mission under it.
  'GET /v1/missions/{id}/settings': {
    scope: 'read',
    request: () => ({ path: '/v1/missions/m/settings' }),
    foreign: 200,
  },
  'PUT /v1/missions/{id}/settings': {
    scope: 'write',
    request: () => ({ path: '/v1/missions/m/settings', body: { review_above_usd: 5 } }),
    foreign: 200,
  },
  'GET /v1/settings': { scope: 'read', request: () => ({ path: '/v1/settings' }) },
  'PUT /v1/settings': {
    scope: 'write',
    request: () => ({ path: '/v1/settings', body: { allow_user_figures: true } }),
  },
  'GET /v1/destinations': { scope: 'read', request: () => ({ path: '/v1/destinations' }) },
  'POST /v1/destinations': {
    scope: 'write',
    request: () => ({
      path: '/v1/destinations',
      body: { kind: 'otlp', name: 'o', url: 'https://otel.example.org' },
    }),
  },
  'PUT /v1/destinations/{id}': {
    scope: 'write',
    request: () => ({
      path: '/v1/destinations/dst_put',
      body: { name: 'o', url: 'https://otel.example.org' },
    }),
  },
  'POST /v1/destinations/{id}/actions': {
    scope: null,
    // Slack signs the request; a key has no effect.
    request: () => ({ path: '/v1/destinations/dst_put/actions', body: {} }),
    ok: 401,
    foreign: 401,
  },
  'DELETE /v1/destinations/{id}': {
    scope: 'write',
    request: () => ({ path: `/v1/destinations/dst_delete${deletable.pop()}` }),
  },
  'POST /v1/deletions': {
    scope: 'write',
    request: () => ({ path: '/v1/deletions', body: { kind: 'user', id: `u-${next()}` } }),
  },
  'GET /v1/deletions/{id}': {
    scope: 'read',
    request: async () => ({ path: `/v1/deletions/${await freshDeletion()}` }),
  },
  'DELETE /v1/turns/{id}': {
    scope: 'write',
    request: async () => ({ path: `/v1/turns/${await freshContent('turns')}` }),
  },
  'DELETE /v1/traces/{id}': {
    scope: 'write',
    request: async () => ({ path: `/v1/traces/${await freshContent('traces')}` }),
  },
  'DELETE /v1/sessions/{id}': {
    scope: 'write',
    request: async () => ({ path: `/v1/sessions/${await freshContent('sessions')}` }),
  },
  'GET /v1/deliveries': { scope: 'read', request: () => ({ path: '/v1/deliveries' }) },
  'POST /v1/deliveries/{id}/replay': {
    scope: 'write',
    request: () => ({ path: '/v1/deliveries/dlv_1/replay' }),
  },
  'GET /healthz': { scope: null, request: () => ({ path: '/healthz' }) },
  'GET /readyz': { scope: null, request: () => ({ path: '/readyz' }) },
  'GET /openapi.json': { scope: null, request: () => ({ path: '/openapi.json' }) },
  'GET /docs': { scope: null, request: () => ({ path: '/docs' }) },
};

/** Its check settles it, so that no model is called. */
function taskCall(): Record<string, unknown> {
  return {
    task_description: 't',
    success_criteria: [{ check: 'min_length', value: 1 }],
    task_output: `o${next()}`,
  };
}

/**
 * Next's route handlers, each with its own lines above or its own rules in
 * app/api/own-origin.int.test.ts. The documentation is open to everyone.
 */
const handlerFiles = [
  'app/api/[...path]/route.ts',
  'app/api/auth/[...all]/route.ts',
  'app/api/trpc/[trpc]/route.ts',
  'app/docs/[[...path]]/route.ts',
];

const root = fileURLToPath(new URL('..', import.meta.url));
let runtime: Runtime;
let home: ProjectCtx;
let verdictId = '';
let jobId = '';
let cookie = '';
/** Values no reader may see: in plain text, and sealed. */
let planted: readonly string[] = [];
const callers = new Map<Person, Caller>();
const keys = new Map<string, string>();

test.beforeAll(async ({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
  home = await createTestProject(runtime);
  const away = await createTestProject(runtime);
  const { ctx } = runtime;
  const signedIn = await Promise.all([
    ...all.map((role) => createTestMember(runtime, home, role)),
    createTestMember(runtime, away, 'owner'),
    createTestMember(runtime, away, 'viewer'),
    createTestMember(runtime, home, 'owner'),
  ]);
  const [viewer, reviewer, admin, owner, stranger, operator, expired] = signedIn.map(
    ({ id, cookie }) => ({ id, cookie }),
  );
  await ctx.sql`update users set operator = true where id = ${operator?.id ?? ''}`;
  await ctx.sql`delete from members where user_id = ${operator?.id ?? ''}`;
  await ctx.sql`update auth_sessions set expires_at = now() - interval '1 second' where user_id = ${expired?.id ?? ''}`;
  const makeKey = async (
    name: string,
    project: ProjectCtx,
    scopes: Parameters<typeof createKey>[1]['scopes'],
  ) => {
    const made = await createKey(project, { name, scopes });
    keys.set(name, made.key);
    return made.id;
  };
  const every = ['ingest', 'verify', 'read', 'write', 'gateway'] as const;
  for (const scope of every) await makeKey(scope, home, [scope]);
  await makeKey('all', home, [...every]);
  await makeKey('foreign', away, [...every]);
  await revokeKey(home, await makeKey('revoked', home, [...every]));
  cookie = owner?.cookie ?? '';
  const sessions = { viewer, reviewer, admin, owner, stranger, operator, expired };
  for (const person of people) {
    const headers = new Headers();
    if (person === 'key') headers.set('authorization', `Bearer ${keys.get('all')}`);
    else if (person !== 'anonymous') headers.set('cookie', sessions[person]?.cookie ?? '');
    callers.set(person, createCaller(createCallContext(runtime, headers)));
  }
  await request(keys.get('all'), 'POST', {
    path: '/v1/turns',
    body: {
      turns: [
        {
          id: 't-1',
          session_id: 's-1',
          context: SOME_CONTEXT,
          output: 'It is 42 %.',
        },
      ],
    },
  });
  await runtime.ctx
    .sql`insert into pipelines (project_id, id, session_id, origin) values (${home.projectId}, 's-1', 's-1', 'import')`;
  await runtime.ctx.sql`
    insert into gateway_calls (project_id, id, route, session_id, dialect, stream, status, verdict, truncated, partial, units, counter,
      duration_ms, created_at)
    values (${home.projectId}, 'call_1', 'openai', 's-1', 'chat', false, 200, 'not_verified', false, false, 0, 0, 1, now())`;
  const span = { traceId, spanId, name: 'work', startTimeUnixNano: '1', endTimeUnixNano: '2' };
  await request(keys.get('all'), 'POST', {
    path: '/v1/traces',
    body: { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] },
  });
  await drainWork(runtime);
  const [verdict] = await ctx.sql<
    { id: string }[]
  >`select id from verdicts where project_id = ${home.projectId}`;
  verdictId = verdict?.id ?? '';
  await request(keys.get('all'), 'POST', {
    path: '/v1/verify/consistency',
    body: { outputs: [], mission_id: 'm-1' },
  });
  jobId = await freshJob();
  await createTestLabelledTask(runtime, home);
  for (const id of ['dst_put', ...deletable.map((n) => `dst_delete${n}`)])
    await insertDestination(id);
  await ctx.sql`
    insert into deliveries (project_id, id, destination_id, verdict_id, state) values (${home.projectId}, 'dlv_1', 'dst_put', ${verdictId}, 'dead')`;
  await ctx.sql`
    insert into alert_events (project_id, id, kind, series, name, event, severity, message)
    values (${home.projectId}, 'alr_1', 'judge_outage', 'openai', 'openai', 'began', 'high', 'It fails.')`;
  await plantSecrets();
});

/** A provider's key, a header and a signing secret; stored sealed. */
async function plantSecrets(): Promise<void> {
  await putProvider(home, 'planted', {
    kind: 'openai',
    api_key: canary,
    models: ['gpt-4o'],
    enabled: false,
  });
  const headers = [{ name: 'x-token', value: canary }];
  await createDestination(home, {
    kind: 'webhook',
    name: 'planted',
    url: 'https://hooks.example.org/a',
    headers,
    outcomes: [],
    enabled: false,
  });
  const rows = await runtime.ctx.sql<{ sealed: string | null }[]>`
    select sealed_key as sealed from providers union all select secret_sealed from destinations union all select headers_sealed from destinations`;
  planted = [canary, ...rows.flatMap(({ sealed }) => sealed ?? [])];
  expect(planted.length).toBeGreaterThanOrEqual(4);
}

/** Ends of the ids of destinations that wait to be deleted, one for each call. */
const deletable = Array.from({ length: 12 }, (_, n) => n);

async function insertDestination(id: string): Promise<string> {
  await runtime.ctx.sql`
    insert into destinations (project_id, id, kind, name, url, outcomes, created_by)
    values (${home.projectId}, ${id}, 'otlp', 'd', 'https://otel.example.org', '{}', 'test')`;
  return id;
}

async function freshDestination(): Promise<string> {
  await runtime.ctx.sql`delete from destinations where id like 'dst_fresh%'`;
  return insertDestination(`dst_fresh${next()}`);
}

/** A Slack user of a destination with buttons, and a code that links the user. */
async function freshLink() {
  const secret = 'signing-secret-of-slack';
  await runtime.ctx.sql`delete from destinations where name = 'slack'`;
  const { destination } = await createDestination(
    home,
    CreateDestination.parse({
      kind: 'slack',
      name: 'slack',
      url: 'https://hooks.example.org/services/T0/B0/x',
      signing_secret: secret,
    }),
  );
  const user = { teamId: 'T0', id: `U${next()}`, name: 'ada' };
  const code = createLinkCode(secret, { destinationId: destination.id, user }, new Date());
  return { code, destinationId: destination.id, teamId: user.teamId, slackUserId: user.id };
}

/** A webhook, since a collector accepts no test delivery. */
async function freshHook(): Promise<string> {
  const id = await freshDestination();
  await runtime.ctx.sql`update destinations set kind = 'webhook' where id = ${id}`;
  return id;
}

async function freshInvitation(): Promise<string> {
  const email = `inv-${next()}@example.org`;
  await inviteMember(home, { email, role: 'viewer' });
  const [claim] = await runtime.ctx.sql<
    { id: string }[]
  >`select id from claims where email = ${email}`;
  return claim?.id ?? '';
}

async function freshMember(): Promise<string> {
  const id = `usr_${next()}`;
  await runtime.ctx
    .sql`insert into users (id, name, email) values (${id}, 'M', ${`${id}@example.org`})`;
  await runtime.ctx
    .sql`insert into members (project_id, user_id, role) values (${home.projectId}, ${id}, 'viewer')`;
  return id;
}

async function freshLabel(): Promise<string> {
  return (await overrideVerdict(home, { verdictId, grade: 3 })).id;
}

/** A review item that no reviewer has claimed. */
const freshItem = (): Promise<string> => insertTestItem(runtime, home, verdictId, `rev_${next()}`);

/** A probe of an earlier verdict, so that no model is called. */
const freshProbe = async (): Promise<string> =>
  (
    await startProbe(home, runtime.subjects, {
      verifier: 'task',
      ...ProbeBody.parse({ probe: 'self_preference' }),
    })
  ).id;

async function freshDataset(): Promise<string> {
  const slug = `set-${next()}`;
  await putDataset(home, slug, { name: 'Set', description: '' });
  const bytes = Buffer.from('{"items":[{"id":"i-1","input":"q"}]}');
  await addItems(home, slug, { bytes, format: 'json', mode: 'append' });
  return slug;
}

const freshAnchors = (): Promise<string> => insertTestAnchors(runtime, home, `anc_${next()}`);
const freshReport = (): Promise<string> => insertTestReport(runtime, home, `rep_${next()}`);

const applicationBody =
  '---\ntitle: Own\ndescription: Of an application\noutput: message\n---\nAnswer {{input}}.\n';

/** Any prompt of this release. */
function aPrompt(): { slug: string; body: string } {
  const [prompt] = runtime.prompts.values();
  return { slug: prompt?.slug ?? '', body: prompt?.body ?? '' };
}

const aPrice = {
  model: 'ours',
  valid_from: '2026-01-01',
  usd_per_million: { input: 1, output: 1 },
};
const aProvider = { kind: 'openai' as const, api_key: 'a-key', models: ['gpt-4o-mini'] };

async function freshProvider(): Promise<string> {
  const name = `p-${next()}`;
  await runtime.ctx.sql`
    insert into providers (project_id, name, kind, base_url, origin, models, created_by)
    values (${home.projectId}, ${name}, 'openai', 'https://api.openai.com/v1', 'https://api.openai.com', '[]', 'test')`;
  return name;
}

async function freshRoute(): Promise<string> {
  const name = `g-${next()}`;
  await putRoute(home, name, RouteSettings.parse({ upstream: 'https://llm.example.org/v1' }));
  return name;
}

async function freshThreshold() {
  const [verifier, key, missionId] = ['task', 'fail_threshold', `m-${next()}`];
  await putThreshold(home, {
    verifier,
    key,
    body: ThresholdBody.parse({ value: 0.3, scope: { mission_id: missionId } }),
  });
  return { verifier, key, missionId, taskId: null, version: 1 };
}

async function freshBreaker(): Promise<string> {
  const model = `judge:${next()}`;
  await runtime.ctx.sql`
    insert into gateway_breakers (project_id, model, replica, state, failures, changed_at)
    values (${home.projectId}, ${model}, 'one', 'open', 5, now())`;
  return model;
}

async function freshRule(): Promise<string> {
  const name = `r-${next()}`;
  await putRule(
    home,
    runtime.rules,
    name,
    RuleBody.parse({ verifier: 'integrity', enabled: false }),
  );
  return name;
}

const ownChecks = { kind: 'checks', checks: [{ check: 'pii' }] };

/** A test run of a draft definition that waits for a worker. */
async function freshDraftTry(): Promise<string> {
  const started = { slug: 'own-checks', definition: ownChecks, subjects: 'turn' } as const;
  return (await startDraftTry(home, started)).id;
}

/** The slug of a new verifier that the project defined. */
async function freshVerifier(): Promise<string> {
  const slug = `own-${next()}`;
  const read = readDefinition(slug, ownChecks);
  await putVerifier(home, runtime.subjects.prompts, read);
  return slug;
}

/** A finished deletion of a user. */
async function freshDeletion(): Promise<string> {
  return (await requestDeletion(home, runtime.ctx, { kind: 'user', id: `u-${next()}` })).id;
}

/** A finished export. */
async function freshExport(): Promise<string> {
  const id = `job_export${next()}`;
  await runtime.ctx.sql`
    insert into jobs (project_id, id, kind, state, input, created_by) values (${home.projectId}, ${id}, 'data.export', 'done', '{}', 'test')`;
  await runtime.ctx
    .sql`insert into export_parts (project_id, export_id, ordinal, lines, body) values (${home.projectId}, ${id}, 0, 1, 'x')`;
  return id;
}

/** Content for a key to delete, under a new id. */
async function freshContent(kind: 'turns' | 'traces' | 'sessions'): Promise<string> {
  const id = `del-${next()}`;
  const { projectId } = home;
  const { sql } = runtime.ctx;
  if (kind === 'turns')
    await sql`insert into turns (project_id, id, content_hash, payload, flags) values (${projectId}, ${id}, 'h', '{"output": "a"}', '{}')`;
  else if (kind === 'traces')
    await sql`insert into traces (project_id, id, has_root) values (${projectId}, ${id}, true)`;
  else await sql`insert into sessions (project_id, id) values (${projectId}, ${id})`;
  return id;
}

async function freshJob(): Promise<string> {
  return (await createJob(home, { kind: 'none', input: {} })).id;
}

async function freshPromotion(state: string): Promise<string> {
  const id = `prm_${next()}`;
  await runtime.ctx.sql`
    insert into promotions (project_id, id, slug, before, after, state, findings, created_by, ended_at)
    values (${home.projectId}, ${id}, 'task-rubric', '0', '0', ${state}, '{"verdict":"not_tried","reasons":[]}', 'somebody else', clock_timestamp())`;
  return id;
}

async function freshExperiment(): Promise<string> {
  const id = `exp_${next()}`;
  await runtime.ctx.sql`
    insert into experiments (project_id, id, name, dataset_id, dataset_slug, dataset_version, repetitions, target, verifiers, concurrency, job_id, state, created_by)
    values (${home.projectId}, ${id}, 'n', 'ds_1', 'd', 1, 1, '{}', '{integrity}', 1, 'job_1', 'done', 'test')`;
  return id;
}

const sentOutputs = {
  name: 'n',
  target: { type: 'outputs' },
  verifiers: ['integrity'],
} as const;

/** An experiment that waits for outputs. */
async function freshRun(state: 'open' | 'cancelled' = 'open'): Promise<string> {
  const input = StartExperimentBody.parse({ ...sentOutputs, dataset: await freshDataset() });
  const { id } = await startExperiment(home, runtime.subjects, input);
  if (state === 'cancelled') await cancelExperiment(home, id);
  return id;
}

const twoExperiments = async () => [await freshExperiment(), await freshExperiment()];

async function freshTrial(): Promise<string> {
  const input = {
    slug: 'task-rubric',
    version: 0,
    production: null,
    kind: 'task',
    order: 'newest',
    seed: 1,
    estimateUsd: 0,
    estimateTokens: 0,
  };
  return (await createJob(home, { kind: 'prompts.try', input })).id;
}

async function freshQuarantined(): Promise<string> {
  const id = `q-${next()}`;
  await runtime.ctx.sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, state)
    values (${home.projectId}, ${`ver_${id}`}, 'turn', ${id}, 1, 'integrity', 'quarantined')`;
  return id;
}

const request = (
  key: string | undefined,
  method: string,
  { path, body }: Sent,
  headers: Record<string, string> = {},
) =>
  appOf(runtime).request(path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

function expected({ may }: ProcedureCase, person: Person): Answer {
  if (!Array.isArray(may)) return (may as Partial<Record<Person, Answer>>)[person] ?? 'allowed';
  if (may.includes(person)) return 'allowed';
  if (person === 'anonymous' || person === 'expired' || person === 'key') return 'UNAUTHORIZED';
  return person === 'stranger' || person === 'operator' ? 'NOT_FOUND' : 'FORBIDDEN';
}

async function answerOf(line: ProcedureCase, person: Person): Promise<Answer> {
  const caller = callers.get(person);
  if (caller === undefined) throw new Error(`no caller for ${person}`);
  try {
    await line.call(caller, home.projectSlug);
    return 'allowed';
  } catch (error) {
    if (error instanceof TRPCError) return error.code;
    throw error;
  }
}

test('S-1: every tRPC procedure has a line, and every line a procedure', () => {
  expect(Object.keys(appRouter._def.procedures).sort()).toEqual(Object.keys(procedures).sort());
});

test.each(Object.keys(procedures))('S-1: %s is open to the roles of its line', async (name) => {
  const line = procedures[name];
  if (line === undefined) throw new Error(`no line for ${name}`);
  const answers: Partial<Record<Person, Answer>> = {};
  for (const person of people) answers[person] = await answerOf(line, person);
  expect(answers).toEqual(
    Object.fromEntries(people.map((person) => [person, expected(line, person)])),
  );
});

const read = Object.entries(procedures).filter(
  ([, line]) => expected(line, 'viewer') === 'allowed',
);

test.each(read)('S-100 %s shows a viewer no secret, not even sealed', async (_name, line) => {
  const caller = callers.get('viewer');
  if (caller === undefined) throw new Error('no viewer');
  const answer = JSON.stringify(await line.call(caller, home.projectSlug)) ?? '';
  expect(planted.filter((secret) => answer.includes(secret))).toEqual([]);
});

test('S-1: an admin can neither create, remove nor invite an owner', async () => {
  const caller = callers.get('admin');
  const { projectSlug: project } = home;
  const [owner] =
    (await caller?.members.list({ project }))?.members.filter(
      (member) => member.role === 'owner',
    ) ?? [];
  const userId = owner?.userId ?? '';
  await expect(
    caller?.members.invite({ project, email: 'o@example.org', role: 'owner' }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(
    caller?.members.changeRole({ project, userId: await freshMember(), role: 'owner' }),
  ).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  await expect(
    caller?.members.changeRole({ project, userId, role: 'viewer' }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(caller?.members.remove({ project, userId })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('S-1: the described routes, the registered routes and the lines are the same', () => {
  const described = httpRoutes.map((route) => `${route.method.toUpperCase()} ${route.path}`).sort();
  const registered = (basePath: string) =>
    createApp(runtime, basePath)
      // Middleware, which serves no path itself.
      .routes.filter(({ method }) => method !== 'ALL')
      // `:id{.+\\.md}` matches a name with that ending.
      .map(
        ({ method, path }) =>
          `${method} ${path.replace(/:(\w+)(?:\{\.\+\\(\.\w+)\})?/g, '{$1}$2')}`,
      )
      .sort();
  expect(described).toEqual(Object.keys(routes).sort());
  // Requires the operator's token and accepts no project key:
  // server/api/http/installation-metrics.int.test.ts.
  const all = [...described, 'GET /metrics'].sort();
  expect(registered('')).toEqual(all);
  // A path that begins with /api contains it once, regardless of the mount point.
  const below = all.map((name) => name.replace(/ \/(?!api\/)/, ' /api/'));
  expect(registered('/api')).toEqual(below.sort());
});

test.each(Object.keys(routes))('S-1: %s needs the scope of its line', async (name) => {
  const line = routes[name];
  if (line === undefined) throw new Error(`no line for ${name}`);
  const [method = ''] = name.split(' ');
  const status = async (key: string | undefined, headers: Record<string, string> = {}) =>
    (await request(key, method, await line.request(), headers)).status;
  const answers = {
    anonymous: await status(undefined),
    session: await status(undefined, { cookie }),
    unknown: await status(`${keys.get('all')?.slice(0, -1)}x`),
    revoked: await status(keys.get('revoked')),
    foreign: await status(keys.get('foreign')),
    all: await status(keys.get('all')),
    ...Object.fromEntries(
      await Promise.all(
        ['ingest', 'verify', 'read', 'write', 'gateway'].map(
          async (scope) => [scope, await status(keys.get(scope))] as const,
        ),
      ),
    ),
  };
  const open = line.scope === null;
  const ok = line.ok ?? (name === 'POST /v1/destinations' ? 201 : 200);
  const refused = open ? ok : 401;
  expect(answers).toEqual({
    anonymous: refused,
    session: refused,
    unknown: refused,
    revoked: refused,
    foreign: line.foreign ?? (name.includes('{id}') ? 404 : ok),
    all: ok,
    ...Object.fromEntries(
      ['ingest', 'verify', 'read', 'write', 'gateway'].map((scope) => [
        scope,
        open || scope === line.scope ? ok : 403,
      ]),
    ),
  });
});

const readable = Object.entries(routes).filter(([name]) => name.startsWith('GET '));

test.each(readable)('S-100 %s shows a key no secret, not even sealed', async (_name, line) => {
  const answer = await (await request(keys.get('all'), 'GET', await line.request())).text();
  expect(planted.filter((secret) => answer.includes(secret))).toEqual([]);
});

test('S-1: there are no other route handlers, and no server action', () => {
  const sources = ['app', 'server']
    .flatMap((folder) =>
      readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file}`,
      ),
    )
    .filter((file) => /\.[jt]sx?$/.test(file) && !file.includes('.test.'));
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((file) => /^app\/(.*\/)?route\.\w+$/.test(file)).sort()).toEqual(
    handlerFiles,
  );
  expect(
    sources.filter((file) => /['"`]use server['"`]/.test(readFileSync(`${root}${file}`, 'utf8'))),
  ).toEqual([]);
});
