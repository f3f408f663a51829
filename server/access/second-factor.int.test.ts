import { expect } from 'vitest';
import { cookieOf, createTestMember, signIn, type TestPerson } from '../../testing/database';
import { testWith } from '../../testing/fixture';
import { appCode } from '../../testing/totp';
import type { Runtime } from '../runtime';
import type { ProjectCtx } from './actor';
import { rewrapSecrets } from './rewrap-secrets';
import { secondFactorPaths as paths, turnOffSecondFactor } from './second-factor';

const origin = 'http://assay.test:3000';
const test = testWith({ ASSAY_WEB_URL: origin, ASSAY_SECRET: 'a secret of the test, long enough' });
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

async function post(path: string, body: object, cookie: string): Promise<Answer> {
  const response = await runtime.sessions.handle(
    new Request(`${origin}${path}`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json', cookie },
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

const nowCode = (uri: string): string => appCode(uri, Date.now());
/** Six digits that are not a valid code at any time of this hour. */
function wrongCode(uri: string): string {
  const near = new Set([-2, -1, 0, 1, 2].map((step) => appCode(uri, Date.now() + step * 30_000)));
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.has(code)) ??
    '666666'
  );
}

interface Enrolled {
  readonly person: TestPerson;
  readonly cookie: string;
  readonly uri: string;
  readonly backupCodes: readonly string[];
}

async function enrol(): Promise<Enrolled> {
  const person = await createTestMember(runtime, project, 'viewer');
  const setUp = await post(paths.setUp, { password: person.password }, person.cookie);
  expect(setUp.status, JSON.stringify(setUp.body)).toBe(200);
  const { uri, backupCodes } = setUp.body as { uri: string; backupCodes: string[] };
  const confirmed = await post(paths.confirm, { code: nowCode(uri) }, person.cookie);
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200);
  return { person, cookie: confirmed.cookie, uri, backupCodes };
}

const firstStep = async ({ email, password }: TestPerson): Promise<Response> =>
  signIn(runtime, email, password);

test('a right password alone signs no one in; the code does', async () => {
  const { person, uri } = await enrol();
  const first = await firstStep(person);
  expect([first.status, await first.clone().json()]).toEqual([200, { ok: true, needsCode: true }]);
  const pending = cookieOf(first);
  expect(await isSignedIn(pending)).toBe(false);
  expect(pending).not.toContain('assay.device');
  const wrong = await post(paths.signIn, { code: wrongCode(uri) }, pending);
  expect([wrong.status, wrong.body.message]).toEqual([400, 'The code is wrong.']);
  const right = await post(paths.signIn, { code: nowCode(uri) }, pending);
  expect([right.status, right.body]).toEqual([200, { ok: true }]);
  expect(await isSignedIn(right.cookie)).toBe(true);
  const again = await post(paths.signIn, { code: nowCode(uri) }, pending);
  expect([again.status, again.body.message]).toEqual([
    401,
    'The sign-in has expired; enter your password again.',
  ]);
});

test('a backup code works once, in place of the app', async () => {
  const { person, backupCodes } = await enrol();
  const [code = ''] = backupCodes;
  expect(new Set(backupCodes).size).toBe(10);
  const used = await post(paths.signIn, { code: ` ${code} ` }, cookieOf(await firstStep(person)));
  expect([used.status, await isSignedIn(used.cookie)]).toEqual([200, true]);
  const again = await post(paths.signIn, { code }, cookieOf(await firstStep(person)));
  expect(again.status).toBe(400);
});

test('it is on only after a right first code, and ends the other sessions', async () => {
  const person = await createTestMember(runtime, project, 'viewer');
  const other = cookieOf(await firstStep(person));
  const { body } = await post(paths.setUp, { password: person.password }, person.cookie);
  const uri = String(body.uri);
  const wrong = await post(paths.confirm, { code: wrongCode(uri) }, person.cookie);
  expect([wrong.status, wrong.body.message]).toEqual([400, 'The code is wrong.']);
  expect(await (await firstStep(person)).json()).toEqual({ ok: true });
  const right = await post(paths.confirm, { code: nowCode(uri) }, person.cookie);
  expect(right.status).toBe(200);
  expect(await isSignedIn(right.cookie)).toBe(true);
  expect(await isSignedIn(other)).toBe(false);
  expect(await isSignedIn(person.cookie)).toBe(false);
});

test('changing it needs the password and a session', async () => {
  const { person, cookie } = await enrol();
  for (const path of [paths.setUp, paths.renewCodes, paths.turnOff]) {
    const stranger = await post(path, { password: person.password }, '');
    expect([path, stranger.status]).toEqual([path, 401]);
    const empty = await post(path, {}, cookie);
    expect([path, empty.status]).toEqual([path, 400]);
  }
  for (const path of [paths.renewCodes, paths.turnOff]) {
    const wrong = await post(path, { password: 'not the password' }, cookie);
    expect([path, wrong.status, wrong.body.message]).toEqual([path, 400, 'The password is wrong.']);
  }
  const on = await post(paths.setUp, { password: person.password }, cookie);
  expect([on.status, on.body.message]).toEqual([400, 'Two-step sign-in is already on.']);
  const renewed = await post(paths.renewCodes, { password: person.password }, cookie);
  expect(renewed.body.backupCodes).toHaveLength(10);
  const off = await post(paths.turnOff, { password: person.password }, cookie);
  expect([off.status, await isSignedIn(off.cookie)]).toEqual([200, true]);
  expect(await (await firstStep(person)).json()).toEqual({ ok: true });
});

test('S-11: after wrong codes a sign-in ends, and after ten the account is locked, not the password', async () => {
  const { person, uri } = await enrol();
  const tryCodes = async (): Promise<number[]> => {
    const pending = cookieOf(await firstStep(person));
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++)
      statuses.push((await post(paths.signIn, { code: wrongCode(uri) }, pending)).status);
    return statuses;
  };
  expect(await tryCodes()).toEqual([400, 400, 400, 400, 400, 401]);
  await tryCodes();
  const pending = cookieOf(await firstStep(person));
  const locked = await post(paths.signIn, { code: nowCode(uri) }, pending);
  expect([locked.status, locked.body.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
});

test('stored data is encrypted and audited, and survives a change of ASSAY_SECRET', async () => {
  const { person, uri, backupCodes } = await enrol();
  const { sql } = runtime.ctx;
  const [stored] = await sql<{ secret: string; backup_codes: string }[]>`
    select secret, backup_codes from auth_two_factors where user_id = ${person.id}`;
  expect(JSON.stringify(stored)).not.toContain(new URL(uri).searchParams.get('secret'));
  expect(JSON.stringify(stored)).not.toContain(backupCodes[0]);
  const audits = await sql`
    select action from audit_events where target = ${person.email} and action like 'accounts.%'`;
  expect(audits.map(({ action }) => String(action))).toContain('accounts.turnOnSecondFactor');

  const changed = {
    ...runtime.ctx,
    env: {
      ...runtime.ctx.env,
      secret: 'another secret, as long as needed',
      secretPrevious: runtime.ctx.env.secret,
    },
  };
  expect((await rewrapSecrets(changed)).unreadable).toEqual([]);
  const [after] = await sql<{ secret: string }[]>`
    select secret from auth_two_factors where user_id = ${person.id}`;
  expect(after?.secret).not.toBe(stored?.secret);
  const lost = {
    ...changed,
    env: { ...changed.env, secret: 'a third one, unrelated to them', secretPrevious: null },
  };
  expect((await rewrapSecrets(lost)).unreadable.join()).toContain('auth_two_factors');
  const back = {
    ...changed,
    env: { ...changed.env, secret: runtime.ctx.env.secret, secretPrevious: changed.env.secret },
  };
  expect((await rewrapSecrets(back)).unreadable).toEqual([]);
  const right = await post(paths.signIn, { code: nowCode(uri) }, cookieOf(await firstStep(person)));
  expect(right.status).toBe(200);
});

test('the command line turns it off for a lost app, and ends the sessions', async () => {
  const { person, cookie } = await enrol();
  const system = { kind: 'system', id: 'command line', label: 'command line' } as const;
  await turnOffSecondFactor(runtime.ctx, system, person.email);
  expect(await isSignedIn(cookie)).toBe(false);
  expect(await (await firstStep(person)).json()).toEqual({ ok: true });
  await expect(turnOffSecondFactor(runtime.ctx, system, 'no@one.test')).rejects.toThrow(/account/);
});
