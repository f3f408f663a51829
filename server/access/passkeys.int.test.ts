import { channel } from 'node:diagnostics_channel';
import { expect } from 'vitest';
import { cookieOf, createTestMember, signIn, type TestPerson } from '../../testing/database';
import { testWith } from '../../testing/fixture';
import { createPasskeyDevice } from '../../testing/passkey-device';
import { appCode } from '../../testing/totp';
import { recordPeers } from '../platform';
import type { Runtime } from '../runtime';
import type { ProjectCtx } from './actor';
import { canUsePasskeys, listPasskeys, passkeyPaths as paths, passkeysMax } from './passkeys';
import { secondFactorPaths } from './second-factor';

const origin = 'https://assay.test';
const test = testWith({
  ASSAY_WEB_URL: origin,
  ASSAY_SECRET: 'a secret of the test, long enough',
});
/** The requests of each test come from a separate address. */
let source = 0;
test.beforeEach(() => {
  source += 1;
});
recordPeers();
const arrivals = channel('http.server.request.start');

/** The headers, as a server notes them on arrival. */
function arrived(headers: Record<string, string>): Record<string, string> {
  arrivals.publish({ request: { headers, socket: { remoteAddress: `192.0.2.${source}` } } });
  return headers;
}
let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

interface Answer {
  readonly status: number;
  readonly cookie: string;
  readonly body: Readonly<Record<string, unknown>>;
}

async function post(path: string, body: object, cookie = ''): Promise<Answer> {
  const response = await runtime.sessions.handle(
    new Request(`${origin}${path}`, {
      method: 'POST',
      headers: arrived({ origin, 'content-type': 'application/json', cookie }),
      body: JSON.stringify(body),
    }),
  );
  return {
    status: response.status,
    cookie: cookieOf(response),
    body: (await response.json()) as Answer['body'],
  };
}

const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await runtime.sessions.find(new Headers({ cookie }))) !== null;

type Device = ReturnType<typeof createPasskeyDevice>;

/** The session and the challenge of the answer. */
const both = (person: TestPerson, { cookie }: Answer): string => `${person.cookie}; ${cookie}`;

async function enrol(): Promise<{ readonly person: TestPerson; readonly device: Device }> {
  const person = await createTestMember(runtime, project, 'viewer');
  const device = createPasskeyDevice(origin);
  const setUp = await post(paths.setUp, { password: person.password }, person.cookie);
  expect(setUp.status, JSON.stringify(setUp.body)).toBe(200);
  const response = device.register(setUp.body);
  const confirmed = await post(paths.confirm, { name: 'Laptop', response }, both(person, setUp));
  expect([confirmed.status, confirmed.body]).toEqual([200, { ok: true }]);
  return { person, device };
}

async function signInWith(
  device: Device,
  habit: Parameters<Device['signIn']>[1] = {},
): Promise<Answer> {
  const offered = await post(paths.signInOptions, {});
  expect(offered.status).toBe(200);
  return post(paths.signIn, { response: device.signIn(offered.body, habit) }, offered.cookie);
}

test('a passkey signs in without password and code', async () => {
  const { person, device } = await enrol();
  const setUp = await post(secondFactorPaths.setUp, { password: person.password }, person.cookie);
  await post(
    secondFactorPaths.confirm,
    { code: appCode(String(setUp.body.uri), Date.now()) },
    person.cookie,
  );
  const answer = await signInWith(device);
  expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
  const user = await runtime.sessions.find(new Headers({ cookie: answer.cookie }));
  expect(user?.email).toBe(person.email);
  expect(answer.cookie).toContain('assay.device');
});

test('S-11: an answer counts once, for its challenge, its site and a verified user', async () => {
  const { device } = await enrol();
  const offered = await post(paths.signInOptions, {});
  const response = device.signIn(offered.body);
  const first = await post(paths.signIn, { response }, offered.cookie);
  expect(first.status).toBe(200);
  const again = await post(paths.signIn, { response }, offered.cookie);
  expect([again.status, again.body.message]).toEqual([
    401,
    'The passkey is not known here, or has expired.',
  ]);
  const other = await post(paths.signInOptions, {});
  expect((await post(paths.signIn, { response }, other.cookie)).status).toBe(401);
  expect((await post(paths.signIn, { response: device.signIn(other.body) })).status).toBe(401);
  for (const habit of [{ isVerified: false }, { origin: 'https://assay.test.example' }])
    expect((await signInWith(device, habit)).status, JSON.stringify(habit)).toBe(401);
  expect((await signInWith(createPasskeyDevice(origin))).status).toBe(401);
  expect((await signInWith(device)).status).toBe(200);
});

test('S-11: challenges are attempts of a network address, and leave nothing behind', async () => {
  const { device } = await enrol();
  await runtime.ctx.sql`update auth_verifications set expires_at = now()`;
  for (let n = 0; n < 39; n++) expect((await post(paths.signInOptions, {})).status).toBe(200);
  // A correct answer removes only its own attempt.
  expect((await signInWith(device)).status).toBe(200);
  expect((await post(paths.signInOptions, {})).status).toBe(200);
  const full = await post(paths.signInOptions, {});
  expect([full.status, full.body.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
  const kept = await runtime.ctx.sql`select 1 from auth_verifications where expires_at <= now()`;
  expect(kept).toHaveLength(0);
});

test('adding one needs a session, the password and a device that verifies its user', async () => {
  const person = await createTestMember(runtime, project, 'viewer');
  const { password } = person;
  expect((await post(paths.setUp, { password })).status).toBe(401);
  const wrong = await post(paths.setUp, { password: 'not the password' }, person.cookie);
  expect([wrong.status, wrong.body.message]).toEqual([400, 'The password is wrong.']);
  const setUp = await post(paths.setUp, { password }, person.cookie);
  const device = createPasskeyDevice(origin);
  const response = device.register(setUp.body);
  expect((await post(paths.confirm, { name: 'x', response }, setUp.cookie)).status).toBe(401);
  const unnamed = await post(paths.confirm, { name: ' ', response }, both(person, setUp));
  expect([unnamed.status, unnamed.body.code]).toEqual([400, 'BAD_REQUEST']);
  const lax = device.register(setUp.body, { isVerified: false });
  const refused = await post(paths.confirm, { name: 'x', response: lax }, both(person, setUp));
  expect(refused.status).toBe(400);
  expect(await listPasskeys(runtime.ctx, person.id)).toEqual([]);
});

test('a challenge of one account adds no passkey to another', async () => {
  const [one, other] = [
    await createTestMember(runtime, project, 'viewer'),
    await createTestMember(runtime, project, 'viewer'),
  ];
  const setUp = await post(paths.setUp, { password: one.password }, one.cookie);
  const response = createPasskeyDevice(origin).register(setUp.body);
  const answer = await post(paths.confirm, { name: 'x', response }, both(other, setUp));
  expect(answer.status).toBe(400);
  expect(await listPasskeys(runtime.ctx, other.id)).toEqual([]);
});

test('only its owner removes it; both are audited', async () => {
  const { person, device } = await enrol();
  const [stored] = await listPasskeys(runtime.ctx, person.id);
  expect(stored?.name).toBe('Laptop');
  const stranger = await createTestMember(runtime, project, 'owner');
  const id = String(stored?.id);
  expect((await post(paths.remove, { id }, stranger.cookie)).status).toBe(400);
  expect((await post(paths.remove, { id })).status).toBe(401);
  expect((await signInWith(device)).status).toBe(200);
  expect((await post(paths.remove, { id }, person.cookie)).status).toBe(200);
  expect((await signInWith(device)).status).toBe(401);
  const audits = await runtime.ctx.sql<{ action: string }[]>`
    select action from audit_events where target = ${person.email} order by at, id`;
  expect(audits.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['accounts.addPasskey', 'accounts.removePasskey']),
  );
});

test('an account has a limited number', async () => {
  const { person } = await enrol();
  await runtime.ctx.sql`
    insert into auth_passkeys (id, user_id, credential_id, public_key, counter, device_type, backed_up)
    select ${person.id} || n, ${person.id}, ${person.id} || n, 'x', 0, 'singleDevice', false
    from generate_series(2, ${passkeysMax}) as n`;
  const full = await post(paths.setUp, { password: person.password }, person.cookie);
  expect([full.status, full.body.message]).toEqual([
    400,
    'The account has 20 passkeys, the most allowed; remove one first.',
  ]);
});

test('the password still signs in', async () => {
  const { person } = await enrol();
  const answer = await signIn(runtime, person.email, person.password);
  expect(await isSignedIn(cookieOf(answer))).toBe(true);
});

test.for([
  ['https://assay.example.com', true],
  ['http://localhost:3000', true],
  ['http://assay.localhost', true],
  ['http://assay.example.com', false],
  ['https://10.0.0.1', false],
  ['http://127.0.0.1:3000', false],
  ['https://[::1]:3000', false],
] as const)('browsers offer passkeys at %s: %s', ([webUrl, expected]) => {
  expect(canUsePasskeys({ webUrl })).toBe(expected);
});
