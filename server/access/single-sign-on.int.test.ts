import { afterAll, afterEach, expect, inject, test as base, vi } from 'vitest';
import {
  cookieOf,
  createTestDatabase,
  createTestMember,
  createTestProject,
  createTestRuntime,
  signIn,
  type TestDatabase,
} from '../../testing/database';
import { type OidcPerson, type OidcServer, startOidc } from '../../testing/oidc';
import type { Runtime } from '../runtime';
import type { ProjectCtx } from './actor';
import { createKey } from './keys';

const origin = 'http://assay.test:3000';
const callback = `${origin}/api/auth/callback/sso`;
const test = base;
let database: TestDatabase;
let oidc: OidcServer;
let runtime: Runtime;
let support: ProjectCtx;
let research: ProjectCtx;
let invitedOnly: ProjectCtx;
let count = 0;

test.beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  oidc = await startOidc(callback);
  runtime = createTestRuntime(database.url, variables());
  support = await createTestProject(runtime, 'support');
  research = await createTestProject(runtime, 'research');
  invitedOnly = await createTestProject(runtime, 'invited-only');
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(async () => {
  await runtime.close();
  await oidc.close();
  await database.drop();
});

function variables(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    ASSAY_WEB_URL: origin,
    ASSAY_SSO_ISSUER: oidc.issuer,
    ASSAY_SSO_CLIENT_ID: oidc.clientId,
    ASSAY_SSO_CLIENT_SECRET: oidc.clientSecret,
    ASSAY_SSO_EMAIL_DOMAINS: 'example.org, example.com',
    ASSAY_SSO_GROUPS: JSON.stringify({
      agents: { support: 'reviewer' },
      leads: { support: 'admin', research: 'viewer' },
    }),
    ...more,
  };
}

/** A new person at the provider. */
function person(more: Partial<OidcPerson> = {}): { sub: string; email: string } {
  const sub = `person-${++count}`;
  const email = more.email ?? `${sub}@example.org`;
  oidc.people.set(sub, { email_verified: true, name: `Person ${count}`, ...more, email });
  return { sub, email };
}

function setGroups(sub: string, groups: readonly string[]): void {
  const known = oidc.people.get(sub);
  if (known !== undefined) oidc.people.set(sub, { ...known, groups });
}

async function start(next = '/', of = runtime): Promise<{ url: URL; cookie: string }> {
  const response = await of.sessions.handle(
    new Request(`${origin}/api/auth/sign-in/sso`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ next }),
    }),
  );
  expect(response.status).toBe(200);
  const { url } = (await response.json()) as { url: string };
  return { url: new URL(url), cookie: cookieOf(response) };
}

async function finish(
  address: string,
  cookie: string,
  of = runtime,
): Promise<{ to: URL; session: string | null }> {
  const response = await of.sessions.handle(new Request(address, { headers: { cookie } }));
  expect(response.status).toBe(302);
  const cookies = cookieOf(response);
  const session = cookies.split('; ').find((each) => /session_token=[^;]/.test(each)) ?? null;
  return { to: new URL(response.headers.get('location') ?? ''), session };
}

/** The complete sign-in flow of a browser. */
async function signInAs(sub: string, { next = '/', of = runtime } = {}) {
  const { url, cookie } = await start(next, of);
  return finish(await oidc.authorize(url.href, sub), cookie, of);
}

const errorOf = ({ to, session }: { to: URL; session: string | null }) => ({
  page: to.pathname,
  error: to.searchParams.get('error'),
  session,
});
const refused = (error: string) => ({ page: '/sign-in', error, session: null });

async function rolesOfPerson(email: string): Promise<Record<string, string>> {
  const rows = await runtime.ctx.sql<{ slug: string; role: string }[]>`
    select p.slug, m.role from members m join projects p on p.id = m.project_id
    join users u on u.id = m.user_id where u.email = ${email} order by 1`;
  return Object.fromEntries(rows.map(({ slug, role }) => [slug, role]));
}

test('a person signs in with PKCE, state and nonce, and gets the roles of the groups', async () => {
  const { sub, email } = person({ groups: ['agents', 'leads', 'cooks'] });
  const { url, cookie } = await start('/p/support?tab=1');
  for (const name of ['state', 'nonce', 'code_challenge'])
    expect(url.searchParams.get(name)?.length, name).toBeGreaterThan(20);
  expect(url.searchParams.get('code_challenge_method')).toBe('S256');
  const done = await finish(await oidc.authorize(url.href, sub), cookie);
  expect(done.to.href).toBe(`${origin}/p/support?tab=1`);
  const found = await runtime.sessions.find(new Headers({ cookie: done.session ?? '' }));
  expect(found).toMatchObject({ email, name: 'Person 1', operator: false });
  expect(await rolesOfPerson(email)).toEqual({ support: 'admin', research: 'viewer' });
  const audit = await runtime.ctx.sql`
    select action, actor_label from audit_events where target = ${email} order by action`;
  expect(audit.map((row) => row.action)).toEqual([
    'accounts.create',
    'accounts.linkSingleSignOn',
    'members.join',
    'members.join',
  ]);
  expect(new Set(audit.map((row) => row.actor_label))).toEqual(new Set(['single sign-on']));
  const tokens = await runtime.ctx.sql`
    select a.* from auth_accounts a join users u on u.id = a.user_id where u.email = ${email}`;
  expect(tokens).toMatchObject([
    {
      account_id: sub,
      provider_id: 'sso',
      access_token: null,
      refresh_token: null,
      id_token: null,
    },
  ]);
});

test('groups apply at each sign-in: a lost group takes the role, its keys and, at last, the sessions', async () => {
  const { sub, email } = person({ groups: ['leads'] });
  const first = await signInAs(sub);
  const cookie = new Headers({ cookie: first.session ?? '' });
  const me = await runtime.sessions.find(cookie);
  const actor = { kind: 'user', id: me?.id ?? '', label: email, role: 'admin', operator: false };
  const { key } = await createKey({ ...support, actor } as ProjectCtx, {
    name: 'k',
    scopes: ['read'],
  });
  await runtime.ctx.sql`
    insert into members (project_id, user_id, role) values (${invitedOnly.projectId}, ${me?.id ?? ''}, 'viewer')`;
  setGroups(sub, ['agents']);
  await signInAs(sub);
  expect(await rolesOfPerson(email)).toEqual({ support: 'reviewer', 'invited-only': 'viewer' });
  await expect(runtime.keys.authorize(`Bearer ${key}`, 'read')).rejects.toMatchObject({
    code: 'unauthorized',
  });
  setGroups(sub, []);
  expect(errorOf(await signInAs(sub))).toEqual(refused('not_mapped'));
  expect(await rolesOfPerson(email)).toEqual({ 'invited-only': 'viewer' });
  await runtime.ctx.sql`delete from members where project_id = ${invitedOnly.projectId}`;
  setGroups(sub, ['agents']);
  const again = new Headers({ cookie: (await signInAs(sub)).session ?? '' });
  expect(await runtime.sessions.find(again)).not.toBeNull();
  setGroups(sub, ['cooks']);
  expect(errorOf(await signInAs(sub))).toEqual(refused('not_mapped'));
  expect(await runtime.sessions.find(again)).toBeNull();
  expect(await rolesOfPerson(email)).toEqual({});
});

test('without a mapped group, a verified address or an allowed domain no account is made', async () => {
  const before = await runtime.ctx.sql`select count(*)::int as n from users`;
  for (const [more, error] of [
    [{ groups: ['cooks'] }, 'not_mapped'],
    [{}, 'not_mapped'],
    [{ groups: ['leads'], email_verified: false }, 'email_not_verified'],
    [{ groups: ['leads'], email: 'eve@example.net' }, 'domain_not_allowed'],
    [{ groups: ['leads'], email: 'eve@evil-example.org' }, 'domain_not_allowed'],
  ] as const)
    expect(errorOf(await signInAs(person(more).sub)), JSON.stringify(more)).toEqual(refused(error));
  expect(await runtime.ctx.sql`select count(*)::int as n from users`).toEqual(before);
});

test('an unverified address does not take over an account; a verified one joins it', async () => {
  const member = await createTestMember(runtime, research, 'reviewer', 'owned@example.org');
  const attacker = person({ email: member.email, email_verified: false, groups: ['leads'] });
  expect(errorOf(await signInAs(attacker.sub))).toEqual(refused('account_not_linked'));
  const linked = () => runtime.ctx.sql`
    select 1 from auth_accounts where user_id = ${member.id} and provider_id = 'sso'`;
  expect(await linked()).toHaveLength(0);
  expect(await rolesOfPerson(member.email)).toEqual({ research: 'reviewer' });
  const owner = person({ email: 'Owned@Example.org', groups: ['leads'] });
  const done = await signInAs(owner.sub);
  expect(await runtime.sessions.find(new Headers({ cookie: done.session ?? '' }))).toMatchObject({
    id: member.id,
  });
  expect(await linked()).toHaveLength(1);
});

test('a wrong nonce, a wrong or missing state, and a used code do not sign in', async () => {
  const { sub } = person({ groups: ['leads'] });
  const nonce = await start();
  nonce.url.searchParams.set('nonce', 'n'.repeat(32));
  const withNonce = await oidc.authorize(nonce.url.href, sub);
  expect(errorOf(await finish(withNonce, nonce.cookie))).toEqual(
    refused('unable_to_get_user_info'),
  );
  const { url, cookie } = await start();
  const address = await oidc.authorize(url.href, sub);
  const forged = new URL(address);
  forged.searchParams.set('state', 'x'.repeat(32));
  expect(errorOf(await finish(forged.href, cookie))).toEqual(refused('state_mismatch'));
  expect(errorOf(await finish(address, ''))).toEqual(refused('state_mismatch'));
  const other = await start();
  expect(errorOf(await finish(address, other.cookie))).toEqual(refused('state_mismatch'));
  expect((await finish(address, cookie)).session).not.toBeNull();
  expect(errorOf(await finish(address, cookie))).toEqual(refused('invalid_code'));
  const issuer = await start();
  const mixed = new URL(await oidc.authorize(issuer.url.href, sub));
  mixed.searchParams.set('iss', 'https://evil.example');
  expect(errorOf(await finish(mixed.href, issuer.cookie))).toEqual(refused('issuer_mismatch'));
});

test('an attempt expires: its code after a minute, its state after ten', async () => {
  const { sub } = person({ groups: ['leads'] });
  const code = await start();
  const late = await oidc.authorize(code.url.href, sub);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 60_000 });
  expect(errorOf(await finish(late, code.cookie))).toEqual(refused('invalid_code'));
  const state = await start();
  vi.setSystemTime(Date.now() + 11 * 60_000);
  const fresh = await oidc.authorize(state.url.href, sub);
  expect(errorOf(await finish(fresh, state.cookie)).session).toBeNull();
  expect(errorOf(await finish(fresh, state.cookie)).error).toMatch(/^state_/);
});

test('with passwords off, only operators sign in with one; single sign-on still works', async () => {
  const strict = createTestRuntime(database.url, variables({ ASSAY_SSO_PASSWORDS: 'off' }));
  try {
    const member = await createTestMember(runtime, research, 'viewer');
    const answer = await signIn(strict, member.email, member.password);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'PASSWORDS_OFF' });
    expect(cookieOf(answer)).not.toContain('session_token');
    const wrong = await signIn(strict, member.email, 'not the password');
    expect(await wrong.json()).toMatchObject({ code: 'UNAUTHORIZED' });
    await runtime.ctx.sql`update users set operator = true where id = ${member.id}`;
    expect((await signIn(strict, member.email, member.password)).status).toBe(200);
    const { sub } = person({ groups: ['agents'] });
    expect((await signInAs(sub, { of: strict })).session).not.toBeNull();
  } finally {
    await strict.close();
  }
});

test('an operator keeps the roles and needs no group; the last owner stays', async () => {
  const { sub, email } = person({ groups: ['leads'] });
  await signInAs(sub);
  await runtime.ctx.sql`update users set operator = true where email = ${email}`;
  setGroups(sub, []);
  expect((await signInAs(sub)).session).not.toBeNull();
  expect(await rolesOfPerson(email)).toEqual({ support: 'admin', research: 'viewer' });
  await runtime.ctx.sql`update users set operator = false where email = ${email}`;
  await runtime.ctx.sql`
    update members set role = 'owner' where project_id = ${support.projectId}
      and user_id = (select id from users where email = ${email})`;
  expect(errorOf(await signInAs(sub))).toEqual(refused('not_mapped'));
  expect(await rolesOfPerson(email)).toEqual({ support: 'owner' });
});

test('only paths of the console are opened afterwards, and an unreachable provider is reported', async () => {
  const post = (next: string, of = runtime) =>
    of.sessions.handle(
      new Request(`${origin}/api/auth/sign-in/sso`, {
        method: 'POST',
        body: JSON.stringify({ next }),
      }),
    );
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', 'p'])
    expect((await post(next)).status, next).toBe(400);
  const away = createTestRuntime(
    database.url,
    variables({ ASSAY_SSO_ISSUER: 'http://127.0.0.1:9' }),
  );
  try {
    const answer = await post('/', away);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('cannot be reached at the moment');
    const member = await createTestMember(runtime, research, 'viewer');
    expect((await signIn(away, member.email, member.password)).status).toBe(200);
  } finally {
    await away.close();
  }
  const without = createTestRuntime(database.url, { ASSAY_WEB_URL: origin });
  try {
    expect((await post('/', without)).status).toBe(404);
  } finally {
    await without.close();
  }
});
