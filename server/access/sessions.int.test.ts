import { expect } from 'vitest';
import {
  cookieOf,
  createTestMember,
  createTestRuntime,
  signIn,
  type TestPerson,
} from '../../testing/database';
import { testWith } from '../../testing/fixture';
import type { Runtime } from '../runtime';
import type { ProjectCtx } from './actor';
import { inviteMember, issueOwnerLink } from './claims';
import { countSignInAttempt } from './sign-in-limit';

const test = testWith({ ASSAY_WEB_URL: 'http://assay.test:3000' });
let runtime: Runtime;
let project: ProjectCtx;
/** A signed-in person, for tests that do not change the person. */
let person: TestPerson;

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  person = await createTestMember(runtime, project, 'viewer');
});

const origin = 'http://assay.test:3000';

function post(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return runtime.sessions.handle(
    new Request(`${origin}${path}`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }),
  );
}

const find = (cookie: string) => runtime.sessions.find(new Headers({ cookie }));

/** Row counts, so that tests see the rows that a call has written. */
async function count(table: 'users' | 'auth_sessions'): Promise<number> {
  const [row] = await runtime.ctx.sql`select count(*)::int as n from ${runtime.ctx.sql(table)}`;
  return Number(row?.n);
}

test('S-5: of better-auth only sign-in and sign-out are exposed', async () => {
  const users = await count('users');
  const body = {
    email: 'new@example.org',
    password: 'long enough password',
    name: 'N',
    operator: true,
    role: 'owner',
    userId: 'usr_1',
  };
  const paths = [
    'sign-up/email',
    'update-user',
    'change-password',
    'change-email',
    'delete-user',
    'set-password',
    'list-sessions',
    'revoke-session',
    'get-session',
    'request-password-reset',
    'reset-password',
    'forget-password',
    'verify-email',
    'send-verification-email',
    'sign-in/social',
    'link-social',
    'list-accounts',
    'account-info',
    'api-key/create',
    'admin/set-role',
    'admin/impersonate-user',
    'organization/create',
    'refresh-token',
    'get-access-token',
    'error',
    'ok',
    'sign-in/email/',
    'sign-in//email',
    '../auth/sign-up/email',
    'sign-in/email/../../sign-up/email',
    'sign-up%2Femail',
    '%73ign-up/email',
  ];
  for (const path of paths) {
    for (const cookie of ['', person.cookie]) {
      for (const method of ['GET', 'POST'] as const) {
        const answer = await runtime.sessions.handle(
          new Request(`${origin}/api/auth/${path}`, {
            method,
            headers: { origin, cookie, 'content-type': 'application/json' },
            ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
          }),
        );
        expect(answer.status, `${method} ${path}`).toBe(404);
      }
    }
  }
  expect(await count('users')).toBe(users);
  const [stored] = await runtime.ctx.sql`select operator from users where id = ${person.id}`;
  expect(stored?.operator).toBe(false);
});

test('S-5: extra fields of a sign-in have no effect, and its answer has no token', async () => {
  const answer = await post('/api/auth/sign-in/email', {
    email: person.email,
    password: person.password,
    operator: true,
    role: 'owner',
    userId: 'usr_other',
    callbackURL: 'https://evil.example',
    rememberMe: false,
  });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ ok: true });
  expect(answer.headers.get('location')).toBeNull();
  const [cookie] = answer.headers.getSetCookie();
  expect(cookie).toMatch(/HttpOnly/i);
  expect(cookie).toMatch(/SameSite=Lax/i);
  expect(cookie).not.toMatch(/Domain=/i);
  expect(await find(cookieOf(answer))).toMatchObject({ id: person.id, operator: false });
  for (const wrong of [
    {},
    { email: [person.email], password: person.password },
    { email: person.email },
    [],
    null,
    'x',
    { email: person.email, password: { $ne: '' } },
  ]) {
    expect((await post('/api/auth/sign-in/email', wrong)).status).toBe(400);
  }
});

test('S-9: a foreign Host or forwarded header never ends up in a link or a cookie', async () => {
  const foreign = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example',
    host: 'evil.example',
  };
  const answer = await runtime.sessions.handle(
    new Request('http://evil.example/api/auth/sign-in/email', {
      method: 'POST',
      headers: { ...foreign, origin, 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: person.password }),
    }),
  );
  expect(answer.status).toBe(200);
  expect(JSON.stringify([...answer.headers, await answer.text()])).not.toContain('evil.example');
  const links = [
    (await inviteMember(project, { email: 'i@example.org', role: 'viewer' })).url,
    await issueOwnerLink(runtime.ctx),
  ];
  for (const link of links)
    expect(link).toMatch(/^http:\/\/assay\.test:3000\/claim\?token=[\w-]{43}$/);
});

test('S-10: a session from before sign-in is not the one after it', async () => {
  const planted = 'assay.session_token=planted.by-someone';
  const answer = await signIn(runtime, person.email, person.password, {
    cookie: `${planted}; ${person.cookie}`,
  });
  expect(cookieOf(answer)).not.toContain('planted');
  expect(cookieOf(answer)).not.toBe(person.cookie);
  expect(await find(planted)).toBeNull();
});

test('S-10: a token from the database is not a session without its signature', async () => {
  const [row] = await runtime.ctx.sql<
    { token: string }[]
  >`select token from auth_sessions where user_id = ${person.id}`;
  const name = person.cookie.split('=')[0] ?? '';
  for (const value of [
    row?.token ?? '',
    `${row?.token}.`,
    `${row?.token}.${Buffer.alloc(32).toString('base64')}`,
  ]) {
    expect(await find(`${name}=${encodeURIComponent(value)}`)).toBeNull();
  }
  expect(await find(person.cookie)).toMatchObject({ id: person.id });
});

test('S-10: signing out ends the session on the server, immediately', async () => {
  const person = await createTestMember(runtime, project, 'viewer');
  expect(await find(person.cookie)).toMatchObject({ id: person.id });
  const answer = await post('/api/auth/sign-out', {}, { cookie: person.cookie });
  expect(answer.status).toBe(200);
  expect(await find(person.cookie)).toBeNull();
});

/** Counts earlier attempts without the cost of a password hash for each. */
async function failSignIns(email: string, times: number): Promise<void> {
  await runtime.ctx.sql`delete from sign_in_tries`;
  for (let index = 0; index < times; index++)
    await countSignInAttempt(runtime.ctx, { email: email, source: null, deviceId: null });
}

test('S-11: the eleventh try for an e-mail address within 15 minutes waits, even with the right password, whatever addresses the headers name', async () => {
  await failSignIns(person.email, 6);
  const sessions = await count('auth_sessions');
  const statuses: number[] = [];
  for (let index = 0; index < 6; index++) {
    const { status } = await signIn(
      runtime,
      index % 2 === 0 ? person.email : person.email.toUpperCase(),
      'not the password',
      {
        'x-forwarded-for': `2001:db8:${index}::1`,
        'x-real-ip': `10.0.0.${index}`,
        'x-assay-peer': `10.0.1.${index}`,
        forwarded: `for=10.0.2.${index}`,
        'cf-connecting-ip': `::ffff:10.0.3.${index}`,
      },
    );
    statuses.push(status);
  }
  expect(statuses).toEqual([...Array<number>(4).fill(401), 429, 429]);
  const right = await signIn(runtime, person.email, person.password);
  expect(right.status).toBe(429);
  expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
  expect(Number(right.headers.get('retry-after'))).toBeLessThanOrEqual(15 * 60);
  expect(await count('auth_sessions')).toBe(sessions);
  await runtime.ctx.sql`update sign_in_tries set ends_at = now() - interval '1 second'`;
  expect((await signIn(runtime, person.email, person.password)).status).toBe(200);
});

test('S-11: thirty concurrent tries are no more than ten', async () => {
  await failSignIns(person.email, 7);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => signIn(runtime, person.email, 'not the password')),
  );
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(27);
});

test('S-11: an address without an account is answered alike', async () => {
  const answersFor = async (email: string) => {
    await failSignIns(email, 9);
    const answers: string[] = [];
    for (let index = 0; index < 2; index++) {
      const answer = await signIn(runtime, email, 'not the password');
      answers.push(`${answer.status} ${await answer.text()}`);
    }
    return answers;
  };
  expect(await answersFor('nobody@example.org')).toEqual(await answersFor(person.email));
});

test('S-11: tries against one person do not keep another from signing in, and a right password clears the count', async () => {
  await failSignIns('victim@example.org', 10);
  for (let round = 0; round < 2; round++) {
    for (let index = 0; index < 9; index++)
      await countSignInAttempt(runtime.ctx, { email: person.email, source: null, deviceId: null });
    expect((await signIn(runtime, person.email, person.password)).status).toBe(200);
  }
  expect((await signIn(runtime, 'victim@example.org', 'not the password')).status).toBe(429);
});

test('R-32: with storage unavailable a session is not "signed out": the call is unavailable', async () => {
  const away = createTestRuntime('postgres://nobody@127.0.0.1:1/none');
  const answer = await signIn(away, 'a@example.org', 'some password');
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(await answer.text()).not.toMatch(/ECONN|127\.0\.0\.1|\bat\b .*:\d+/);
  await away.close();
});
