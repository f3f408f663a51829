import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { appOf } from '../../testing/app';
import { createCaller } from '../../testing/call';
import {
  createTestMember,
  createTestProject,
  createTestRuntime,
  drainWork,
} from '../../testing/database';
import {
  type FakeSlack,
  type SignedPress,
  type SlackMessage,
  type SlackPerson,
  startSlack,
} from '../../testing/slack';
import { createStack, sampleTurn, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import {
  changeRole,
  createKey,
  listAudit,
  openProject,
  type ProjectCtx,
  removeMember,
  rewrapSecrets,
  type Role,
} from '../access';
import { checkAlertsNow, listFindings } from '../alerts';
import { createApp } from '../api/http';
import {
  claimDeliveries,
  createDestination,
  linkSlackUser,
  listOwnLinks,
  sendDeliveries,
  sendTest,
  unlinkSlackUser,
  updateDestination,
} from '../deliveries';
import { CreateDestination, UpdateDestination } from '../deliveries/input';
import { changeSettings } from '../experiments';
import { listLabels, undoLabel } from '../labels';

const secret = '8f742231b10e8888abcd99e0e0e085a5';
let stack: Stack;
let slack: FakeSlack;
/** Another host that the operator allows. */
let foreign: FakeSlack;
let project: ProjectCtx;
let destination: string;
let serial = 0;

beforeAll(async () => {
  [slack, foreign] = await Promise.all([startSlack(secret), startSlack('unused-secret-unused')]);
  stack = await createStack(inject('databaseUrl'), {
    ASSAY_OUTBOUND_ALLOW: [slack, foreign]
      .map(({ origin }) => origin.replace('http://', ''))
      .join(','),
  });
});

afterAll(async () => {
  await stack.close();
  await slack.close();
  await foreign.close();
});

beforeEach(async () => {
  slack.messages.length = 0;
  slack.ephemerals.length = 0;
  slack.hold = Promise.resolve();
  project = await createTestProject(stack.runtime);
  destination = await addDestination(project);
});

async function addDestination(of: ProjectCtx, more: Record<string, unknown> = {}): Promise<string> {
  const input = CreateDestination.parse({
    kind: 'slack',
    name: 'ops',
    url: slack.webhookUrl,
    sends: ['alerts', 'verdicts'],
    outcomes: ['failed'],
    signing_secret: secret,
    ...more,
  });
  return (await createDestination(of, input)).destination.id;
}

async function send(): Promise<void> {
  const claimed = await claimDeliveries(stack.runtime.ctx, { owner: 'test', limit: 64, busy: [] });
  await sendDeliveries(stack.runtime.ctx, claimed, new AbortController().signal);
}

/** An alert of the project and its message. */
async function alert(of = project): Promise<SlackMessage> {
  const { sql } = stack;
  await sql`
    insert into verdict_rollups (project_id, day, verifier_slug, model, passed)
    values (${of.projectId}, (now() at time zone 'UTC')::date, 'code', '', 1)`;
  await setBox('failing');
  await checkAlertsNow(of);
  const n = slack.messages.length;
  await send();
  return slack.message(n);
}

async function setBox(state: 'failing' | 'ready'): Promise<void> {
  await stack.sql`delete from worker_boxes`;
  await stack.sql`
    insert into worker_boxes (worker, state, reason, fix, noted_at)
    values ('w', ${state}, 'There is no bwrap.', 'Install it.', now())`;
}

/** A verdict that failed, and its message. */
async function verdict(): Promise<SlackMessage> {
  const { key } = await createKey(project, { name: `k${++serial}`, scopes: ['ingest'] });
  const turn = sampleTurn(`turn-${serial}`);
  expect((await createCaller(stack.runtime, key)('/v1/turns', { turns: [turn] })).status).toBe(202);
  await drainWork(stack.runtime);
  const n = slack.messages.length;
  await send();
  return slack.message(n);
}

const post = async (press: SignedPress, id = destination): Promise<Response> =>
  createApp(stack.runtime).request(`/v1/destinations/${id}/actions`, {
    method: 'POST',
    headers: press.headers,
    body: press.body,
  });

const someone = (): SlackPerson => ({ id: `U${++serial}`, team: 'T0', name: `person ${serial}` });

/** A member's context, as created by the console. */
async function memberOf(role: Role): Promise<{ id: string; email: string; ctx: ProjectCtx }> {
  const { id, email } = await createTestMember(stack.runtime, project, role);
  const user = { id, label: email, operator: false };
  const opened = await openProject(stack.runtime.ctx, user, project.projectSlug, 'project.read');
  return { id, email, ctx: opened.ctx };
}

async function privateText(user: SlackPerson): Promise<string> {
  return until('a private answer', () => {
    const found = slack.ephemerals.findLast((each) => each.user === user.id);
    return Promise.resolve(found?.text ?? null);
  });
}

/** The code in the answer to an unlinked user. */
async function codeFor(user: SlackPerson, message: SlackMessage, action: string): Promise<string> {
  expect((await post(slack.press(message, action, user))).status).toBe(200);
  const text = await privateText(user);
  expect(text).toContain(
    `${stack.runtime.ctx.env.webUrl}/p/${project.projectSlug}/settings/slack?code=`,
  );
  return /code=([\w.-]+)/.exec(text)?.[1] ?? '';
}

/** A person in Slack who is linked to a new member. */
async function linked(role: Role, message: SlackMessage, action: string) {
  const user = someone();
  const member = await memberOf(role);
  await linkSlackUser(member.ctx, await codeFor(user, message, action));
  return { user, ...member };
}

const changedTo = (message: SlackMessage, pattern: RegExp) =>
  until(`the message says ${String(pattern)}`, () =>
    Promise.resolve(pattern.test(message.text) ? message.text : null),
  );

const labels = async () => (await listLabels(project, { limit: 50 })).items;
const acts = async () =>
  (await listAudit(project, { limit: 200 })).items.filter(({ action }) =>
    ['alerts.acknowledge', 'labels.override'].includes(action),
  );
const isAcknowledged = async (of = project) =>
  (await listFindings(of, { limit: 1 })).items[0]?.acknowledged ?? null;

test('a linked member acknowledges an alert: once, audited as the member by Slack, and the message says who did it', async () => {
  const message = await alert();
  const { user, email, id } = await linked('reviewer', message, 'assay_acknowledge');
  expect(await isAcknowledged()).toBeNull();
  const presses = [1, 2, 3].map(() => slack.press(message, 'assay_acknowledge', user));
  const answers = await Promise.all(presses.map((press) => post(press)));
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['', '', '']);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await isAcknowledged()).toMatchObject({ by: email, reason: null });
  const text = await changedTo(message, /Acknowledged by/);
  expect(text).toMatch(/^Alert in .*: Sandbox down/);
  expect(text).toContain('✓ Acknowledged by ');
  expect(message.blocks).toEqual([]);
  const [act, ...others] = await acts();
  expect(others).toEqual([]);
  expect(act).toMatchObject({ action: 'alerts.acknowledge', actor: email });
  expect(JSON.parse(act?.detail ?? '')).toMatchObject({ kind: 'sandbox_down', via: 'slack' });
  expect(
    await stack.sql`select 1 from audit_events where action = 'alerts.acknowledge' and actor_id = ${id}`,
  ).toHaveLength(1);
});

test('a linked member rules on a verdict: overruling needs the reason from the message', async () => {
  const message = await verdict();
  const { user, email } = await linked('reviewer', message, 'assay_pass');
  expect((await post(slack.press(message, 'assay_pass', user))).status).toBe(200);
  await until('a private answer asks for the reason', () =>
    Promise.resolve(slack.ephemerals.some(({ text }) => /[Rr]eason/.test(text)) ? true : null),
  );
  expect(await labels()).toEqual([]);
  const press = () =>
    post(slack.press(message, 'assay_pass', user, { reason: ' 77 is in <#C1|ops> & "free" ' }));
  const answers = await Promise.all([press(), press(), press()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await labels()).toMatchObject([{ rater: email, reason: '77 is in <#C1|ops> & "free"' }]);
  const text = await changedTo(message, /Ruled pass by/);
  expect(text).toContain(': 77 is in &lt;#C1|ops&gt; &amp; "free"');
  expect(message.blocks).toEqual([]);
  const [act, ...others] = await acts();
  expect(others).toEqual([]);
  expect(act?.actor).toBe(email);
  expect(JSON.parse(act?.detail ?? '')).toMatchObject({ verdict: 'sourced', via: 'slack' });
});

test('confirming a verdict needs no reason', async () => {
  const message = await verdict();
  const { user, email } = await linked('admin', message, 'assay_fail');
  await post(slack.press(message, 'assay_fail', user));
  await changedTo(message, /Ruled fail by/);
  expect(await labels()).toMatchObject([{ rater: email, reason: null }]);
});

test('S-129 the reason is masked as in the console', async () => {
  await changeSettings(project, stack.runtime.prompts, {
    masking: { types: ['email'], paths: [], regions: [] },
  });
  stack.runtime.masks.forget(project.projectId);
  const message = await verdict();
  const { user } = await linked('reviewer', message, 'assay_fail');
  const reason = 'As ada.canary@example.com wrote.';
  await post(slack.press(message, 'assay_fail', user, { reason }));
  expect(await changedTo(message, /Ruled fail by/)).not.toContain('ada.canary');
  const [label] = await labels();
  expect(label?.reason).toMatch(/^As .+ wrote\.$/);
  expect(label?.reason).not.toContain('ada.canary');
});

test.each(['assay_acknowledge', 'assay_pass'] as const)(
  'a viewer cannot press %s, and a member whose role or membership ends neither',
  async (action) => {
    const message = action === 'assay_pass' ? await verdict() : await alert();
    const viewer = await linked('viewer', message, action);
    const press = (user: SlackPerson) => post(slack.press(message, action, user, { reason: 'r' }));
    expect((await press(viewer.user)).status).toBe(200);
    await until('a private answer names the role', () =>
      Promise.resolve(slack.ephemerals.some(({ text }) => text.includes('"viewer"')) ? true : null),
    );
    const former = await linked('reviewer', message, action);
    await changeRole(project, { userId: former.id, role: 'viewer' });
    await press(former.user);
    const afterRemoval = await linked('reviewer', message, action);
    await removeMember(project, afterRemoval.id);
    await press(afterRemoval.user);
    await until('an answer says how to link again', () =>
      Promise.resolve(
        slack.ephemerals.filter(({ user }) => user === afterRemoval.user.id).length === 2
          ? true
          : null,
      ),
    );
    expect(await acts()).toEqual([]);
    expect(await stack.sql`select 1 from slack_links where user_id = ${afterRemoval.id}`).toEqual(
      [],
    );
  },
);

test('no one acts without a link: another user, the same id in another workspace, or another destination', async () => {
  const message = await alert();
  const { user, ctx } = await linked('reviewer', message, 'assay_acknowledge');
  for (const other of [someone(), { ...user, team: 'T9' }]) {
    await post(slack.press(message, 'assay_acknowledge', other));
    await until('it is answered', () =>
      Promise.resolve(/not linked/.test(slack.ephemerals.at(-1)?.text ?? '') ? true : null),
    );
    slack.ephemerals.length = 0;
  }
  const second = await addDestination(project);
  await post(slack.press(message, 'assay_acknowledge', user), second);
  expect(await privateText(user)).toMatch(/not linked/);
  slack.ephemerals.length = 0;
  const [link] = await listOwnLinks(ctx);
  expect(link).toMatchObject({ destination: 'ops', slackName: user.name, slackUserId: user.id });
  if (link !== undefined) await unlinkSlackUser(ctx, link);
  await post(slack.press(message, 'assay_acknowledge', user));
  expect(await privateText(user)).toMatch(/not linked/);
  expect(await acts()).toEqual([]);
});

test('a code links only in its project, and not after the signing secret changed; that ends links too', async () => {
  const message = await alert();
  const { user, ctx } = await linked('reviewer', message, 'assay_acknowledge');
  const code = await codeFor(someone(), message, 'assay_acknowledge');
  const other = await createTestProject(stack.runtime);
  await expect(linkSlackUser(other, code)).rejects.toMatchObject({ code: 'refused' });
  await expect(linkSlackUser(ctx, `${code}x`)).rejects.toMatchObject({ code: 'refused' });
  const update = (more: Record<string, unknown>) =>
    updateDestination(
      project,
      destination,
      UpdateDestination.parse({ name: 'ops', url: slack.origin, ...more }),
    );
  await update({});
  expect(await listOwnLinks(ctx)).toHaveLength(1);
  await update({ signing_secret: 'another-secret-of-a-slack-app' });
  expect(await listOwnLinks(ctx)).toEqual([]);
  await expect(linkSlackUser(ctx, code)).rejects.toMatchObject({ code: 'refused' });
  expect((await post(slack.press(message, 'assay_acknowledge', user))).status).toBe(401);
  expect((await update({ signing_secret: null })).destination.actionsUrl).toBeNull();
});

test('a request that Slack did not sign is 401, whatever its body, like one for an unknown destination', async () => {
  const message = await alert();
  const { user } = await linked('reviewer', message, 'assay_acknowledge');
  const press = slack.press(message, 'assay_acknowledge', user);
  const now = Date.now();
  const old = { ...press, headers: slack.sign(press.body, new Date(now - 301_000)) };
  const forged = await startSlack('a-secret-of-someone-else');
  const texts = new Set<string>();
  for (const [sent, id] of [
    [{ ...press, body: press.body.replace('block_actions', 'block_actionz') }, destination],
    [{ ...press, headers: forged.sign(press.body) }, destination],
    [{ ...press, headers: {} }, destination],
    [{ body: 'not a form {', headers: forged.sign('x') }, destination],
    [old, destination],
    [press, 'dst_unknown'],
    [{ ...press, headers: {} }, 'dst_unknown'],
  ] as const) {
    const answer = await post(sent, id);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBeNull();
    texts.add(((await answer.json()) as { error: { message: string } }).error.message);
  }
  await forged.close();
  expect(texts.size).toBe(1);
  expect([...texts][0]).not.toContain(secret);
  expect(await acts()).toEqual([]);
  await updateDestination(
    project,
    destination,
    UpdateDestination.parse({ name: 'ops', url: slack.origin, enabled: false }),
  );
  expect((await post(press)).status).toBe(401);
});

test('a replay of a request changes nothing, also after the ruling was undone', async () => {
  const message = await verdict();
  const { user, ctx } = await linked('reviewer', message, 'assay_pass');
  const press = slack.press(message, 'assay_pass', user, { reason: 'It is there.' });
  await post(press);
  const [label] = await labels();
  await undoLabel(ctx, label?.id ?? '');
  const rows = () =>
    stack.sql`select id from labels where project_id = ${project.projectId} order by id`;
  const before = [...(await rows())];
  expect((await post(press)).status).toBe(200);
  expect([...(await rows())]).toEqual(before);
});

test('signed bodies that are no button of ours do nothing; one that is not JSON is 400', async () => {
  const of = (payload: unknown) => `payload=${encodeURIComponent(JSON.stringify(payload))}`;
  for (const [body, status] of [
    ['', 400],
    ['payload=%7B', 400],
    [of(null), 200],
    [of({ type: 'view_submission' }), 200],
    [of({ type: 'block_actions' }), 200],
    [of({ type: 'block_actions', actions: [{ action_id: 'other' }] }), 200],
    [`payload=${'x'.repeat(300_000)}`, 413],
  ] as const)
    expect((await post({ body, headers: slack.sign(body) })).status, body.slice(0, 60)).toBe(
      status,
    );
});

test("a destination of another project cannot act on this project's alert, even with the same secret", async () => {
  const message = await alert();
  const other = await createTestProject(stack.runtime);
  const theirs = await addDestination(other);
  const user = someone();
  // The same account is a member of both projects.
  const member = await memberOf('owner');
  await stack.sql`insert into members (project_id, user_id, role) values (${other.projectId}, ${member.id}, 'owner')`;
  await post(slack.press(message, 'assay_acknowledge', user), theirs);
  const code = /code=([\w.-]+)/.exec(await privateText(user))?.[1] ?? '';
  const account = { id: member.id, label: member.email, operator: false };
  const inOther = await openProject(stack.runtime.ctx, account, other.projectSlug, 'project.read');
  await linkSlackUser(inOther.ctx, code);
  slack.ephemerals.length = 0;
  expect((await post(slack.press(message, 'assay_acknowledge', user), theirs)).status).toBe(200);
  expect(await privateText(user)).toBe('No such alert.');
  expect(await isAcknowledged()).toBeNull();
  slack.ephemerals.length = 0;
  const judged = await verdict();
  await post(slack.press(judged, 'assay_fail', user), theirs);
  expect(await privateText(user)).toBe('No such verification.');
  expect(await labels()).toEqual([]);
  // The link is of that destination only.
  slack.ephemerals.length = 0;
  await post(slack.press(message, 'assay_acknowledge', user));
  expect(await privateText(user)).toMatch(/not linked/);
  expect(await acts()).toEqual([]);
});

test('the status does not wait for the answer to response_url, which is sent to Slack only', async () => {
  const message = await alert();
  const { user } = await linked('reviewer', message, 'assay_acknowledge');
  let release = (): void => undefined;
  slack.hold = new Promise((resolve) => (release = resolve));
  const foreignPress = slack.press(message, 'assay_acknowledge', user, {
    responseUrl: foreign.webhookUrl,
  });
  expect((await post(foreignPress)).status).toBe(200);
  expect((await post(slack.press(message, 'assay_acknowledge', user))).status).toBe(200);
  expect(await isAcknowledged()).not.toBeNull();
  expect(message.text).not.toContain('Acknowledged');
  release();
  await changedTo(message, /Acknowledged by/);
  expect(foreign.messages).toEqual([]);
});

test('an alert that ended cannot be acknowledged; its end, a test and a destination without a secret have no buttons', async () => {
  const message = await alert();
  const { user } = await linked('reviewer', message, 'assay_acknowledge');
  await setBox('ready');
  await checkAlertsNow(project);
  await send();
  const [, over] = slack.messages;
  expect(over).toMatchObject({ text: expect.stringMatching(/^Over in/), blocks: [] });
  await post(slack.press(message, 'assay_acknowledge', user));
  await until('it says so', () =>
    Promise.resolve(slack.ephemerals.some(({ text }) => /ended/.test(text)) ? true : null),
  );
  await sendTest(project, destination);
  await send();
  expect(slack.messages.at(-1)).toMatchObject({
    text: expect.stringMatching(/^Test from/),
    blocks: [],
  });
  const plain = await createTestProject(stack.runtime);
  await addDestination(plain, { signing_secret: undefined });
  expect((await alert(plain)).blocks).toEqual([]);
});

test('S-99 the signing secret is sealed, is in no answer and no audit row, and only Slack has one', async () => {
  const call = createCaller(stack.runtime, stack.key);
  const made = await call('/v1/destinations', {
    kind: 'slack',
    name: 'chat',
    url: slack.webhookUrl,
    signing_secret: 'canary-of-a-signing-secret',
  });
  expect(made).toMatchObject({
    status: 201,
    body: {
      actions_url: expect.stringContaining(`/v1/destinations/${String(made.body.id)}/actions`),
    },
  });
  const listed = await call('/v1/destinations');
  const [{ everything } = { everything: '' }] = await stack.sql<{ everything: string }[]>`
    select string_agg(t, '') as everything from (
      select d::text as t from destinations d union all select a::text from audit_events a union all select k::text from idempotency_keys k) all_rows`;
  expect(everything).toContain(String(made.body.id));
  for (const text of [made.text, listed.text, everything])
    expect(text).not.toContain('canary-of-a-signing-secret');
  const hook = { kind: 'webhook', name: 'w', url: 'https://hooks.example.org/a' };
  expect(await call('/v1/destinations', { ...hook, signing_secret: secret })).toMatchObject({
    status: 422,
    body: { error: { details: [{ path: 'signing_secret' }] } },
  });
  // A chat accepts only verdicts with the listed outcomes.
  const chat = { kind: 'slack', name: 'c', url: slack.webhookUrl, sends: ['verdicts'] };
  expect(await call('/v1/destinations', chat)).toMatchObject({
    status: 422,
    body: { error: { details: [{ path: 'outcomes' }] } },
  });
});

test('the signing secret survives a change of ASSAY_SECRET', async () => {
  const message = await alert();
  const { user, email } = await linked('reviewer', message, 'assay_acknowledge');
  const next = 'another-secret-another-secret-another';
  const { database } = stack;
  const changing = createTestRuntime(database.url, {
    ASSAY_SECRET: next,
    ASSAY_SECRET_PREVIOUS: 'test-secret-test-secret-test-secret',
  });
  const count = await rewrapSecrets(changing.ctx);
  expect(count.unreadable).toEqual([]);
  await changing.close();
  const runtime = createTestRuntime(database.url, {
    ASSAY_SECRET: next,
    ASSAY_OUTBOUND_ALLOW: slack.origin.replace('http://', ''),
  });
  const { body, headers } = slack.press(message, 'assay_acknowledge', user);
  const path = `/v1/destinations/${destination}/actions`;
  const answer = await appOf(runtime).request(path, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  await changedTo(message, /Acknowledged by/);
  expect(await isAcknowledged()).toMatchObject({ by: email });
  await runtime.close();
});
