import { beforeEach, describe, expect, it } from 'vitest';
import { cookieOf, createTestMember, signIn, type TestPerson } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { Runtime } from '../runtime';
import type { ProjectCtx } from './actor';
import { countSignInAttempt } from './sign-in-limit';

let runtime: Runtime;
let project: ProjectCtx;
let person: TestPerson;
const wrong = 'not the password';

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from sign_in_tries`;
  person = await createTestMember(runtime, project, 'owner');
});

/** The cookie that identifies a known device, without the session cookie. */
const deviceOf = (cookie: string): string =>
  cookie
    .split('; ')
    .filter((part) => part.includes('.device-'))
    .join('; ');

/**
 * A thousand failed sign-ins to one account from a thousand sources, without the cost of hashing.
 */
async function failSignIns(email: string, times = 1000): Promise<void> {
  for (let n = 0; n < times; n++) {
    await countSignInAttempt(runtime.ctx, {
      email,
      source: `198.51.${n >> 8}.${n & 255}`,
      deviceId: null,
    }).catch(() => undefined);
  }
}

describe('S-121 a known device', () => {
  it('S-121 still signs in after 1,000 wrong tries from other sources, which lock every unknown one', async () => {
    await failSignIns(person.email);
    expect((await signIn(runtime, person.email, person.password)).status).toBe(429);
    const known = await signIn(runtime, person.email, person.password, {
      cookie: deviceOf(person.cookie),
    });
    expect(known.status).toBe(200);
    expect(await runtime.sessions.find(new Headers({ cookie: cookieOf(known) }))).toMatchObject({
      id: person.id,
    });
  });

  it('S-121 has ten tries of its own, and a right password clears them', async () => {
    const cookie = deviceOf(person.cookie);
    const statuses: number[] = [];
    for (let n = 0; n < 9; n++)
      statuses.push((await signIn(runtime, person.email, wrong, { cookie })).status);
    statuses.push((await signIn(runtime, person.email, person.password, { cookie })).status);
    for (let n = 0; n < 11; n++)
      statuses.push((await signIn(runtime, person.email, wrong, { cookie })).status);
    expect(statuses).toEqual([
      ...Array<number>(9).fill(401),
      200,
      ...Array<number>(10).fill(401),
      429,
    ]);
    // Its own attempts do not lock out others.
    expect((await signIn(runtime, person.email, person.password)).status).toBe(200);
  });

  it('S-121 is known only to the account that signed in from it, and its cookie cannot be forged', async () => {
    const other = await createTestMember(runtime, project, 'viewer');
    await failSignIns(person.email, 11);
    const [name = '', value = ''] = deviceOf(person.cookie).split(/=(.*)/s);
    const [version, id, issued, mac] = value.split('.');
    const forged = [
      deviceOf(other.cookie),
      `${name}=${deviceOf(other.cookie).split('=')[1]}`,
      `${name}=${[version, id, Number(issued) + 1, mac].join('.')}`,
      `${name}=${[version, 'A'.repeat(22), issued, mac].join('.')}`,
      `${name}=${[version, id, issued, 'A'.repeat(43)].join('.')}`,
      `${name}=v1...`,
      `${name}=`,
    ];
    for (const cookie of forged) {
      expect(
        (await signIn(runtime, person.email, person.password, { cookie })).status,
        cookie,
      ).toBe(429);
    }
  });

  it('S-121 gets a cookie that scripts cannot read and that grants nothing by itself', async () => {
    const answer = await signIn(runtime, person.email, person.password);
    const cookie = answer.headers.getSetCookie().find((each) => each.includes('.device-')) ?? '';
    expect(cookie).toMatch(/; HttpOnly/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toContain(person.email);
    expect(
      await runtime.sessions.find(new Headers({ cookie: deviceOf(cookieOf(answer)) })),
    ).toBeNull();
    const refused = await signIn(runtime, person.email, wrong);
    expect(refused.headers.getSetCookie()).toEqual([]);
  });
});

describe('S-121 a source', () => {
  it('S-121 after forty failures on any accounts, its further attempts are refused and count against no account', async () => {
    const source = '2001:db8:1:2::/64';
    for (let n = 0; n < 40; n++)
      await countSignInAttempt(runtime.ctx, { email: `a${n}@example.org`, source, deviceId: null });
    for (let n = 0; n < 20; n++) {
      await expect(
        countSignInAttempt(runtime.ctx, { email: person.email, source, deviceId: null }),
      ).rejects.toMatchObject({
        code: 'rate_limited',
      });
    }
    expect((await signIn(runtime, person.email, person.password)).status).toBe(200);
  });
});

it('S-121 64 concurrent sign-ins with unknown addresses: those beyond the queue get 429 with Retry-After; a known device goes first', async () => {
  const flood = Array.from({ length: 64 }, (_, n) =>
    signIn(runtime, `nobody-${n}@example.org`, wrong),
  );
  const known = signIn(runtime, person.email, person.password, { cookie: deviceOf(person.cookie) });
  const answers = await Promise.all(flood);
  expect((await known).status).toBe(200);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(40);
  expect(answers.filter(({ status }) => status === 401).length).toBe(64 - refused.length);
  for (const answer of refused)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});
