import { expect } from 'vitest';
import { createTestMember } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { Runtime } from '../runtime';
import type { ProjectCtx } from './actor';
import { createKey, listKeys, revokeKey } from './keys';
import { rotateKey } from './rotate-key';

let runtime: Runtime;
let project: ProjectCtx;
const dayMs = 86_400_000;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

/** The project as of some days ago. */
function daysAgo(days: number): ProjectCtx {
  const { clock } = project;
  const now = (): Date => new Date(clock.now().getTime() - days * dayMs);
  return { ...project, clock: { ...clock, now } };
}

const use = (key: string) =>
  runtime.keys.authorize(`Bearer ${key}`, 'read').then(
    () => 'works',
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );
const find = async (id: string) => (await listKeys(project)).find((key) => key.id === id);
const auditOf = (target: string) => runtime.ctx.sql<{ action: string; detail: object }[]>`
  select action, detail from audit_events where target = ${target} order by id`;

test('a key works until the end of its last day, and is refused with the reason afterwards', async () => {
  const past = await createKey(daysAgo(2), { name: 'past', scopes: ['read'], expiresInDays: 1 });
  const open = await createKey(daysAgo(2), { name: 'open', scopes: ['read'], expiresInDays: 3 });
  const endless = await createKey(project, { name: 'endless', scopes: ['read'] });
  expect(await use(past.key)).toMatch(/^unauthorized: the API key expired at .* UTC; use its/);
  expect(await use(open.key)).toBe('works');
  expect(await use(endless.key)).toBe('works');
  expect(await find(past.id)).toMatchObject({ state: 'expired', expiresAt: past.expiresAt });
  expect(await find(open.id)).toMatchObject({ state: 'active', expiresAt: open.expiresAt });
  expect(await find(endless.id)).toMatchObject({ state: 'active', expiresAt: null });
});

test('rotation: the successor has name, scopes and lifetime; the old key works through its grace', async () => {
  const old = await createKey(daysAgo(2), {
    name: 'agent',
    scopes: ['read', 'ingest'],
    expiresInDays: 30,
  });
  const before = project.clock.now().getTime();
  const made = await rotateKey(project, { id: old.id, graceHours: 2 });
  expect(await use(old.key)).toBe('works');
  expect(await use(made.key)).toBe('works');
  expect(await find(made.id)).toMatchObject({ name: 'agent', scopes: ['ingest', 'read'] });
  const lifetime = (made.expiresAt?.getTime() ?? 0) - before;
  expect(lifetime).toBeGreaterThanOrEqual(30 * dayMs);
  expect(lifetime).toBeLessThan(30 * dayMs + 60_000);
  const listed = await find(old.id);
  expect(listed).toMatchObject({ state: 'active', successorId: made.id });
  expect(listed?.expiresAt).toEqual(made.oldWorksUntil);
  expect(made.oldWorksUntil.getTime() - before).toBeLessThan(2 * 3_600_000 + 60_000);
  expect(await auditOf(old.id)).toMatchObject([
    { action: 'keys.create' },
    { action: 'keys.rotate', detail: { name: 'agent', successor: made.id } },
  ]);
  expect(await auditOf(made.id)).toMatchObject([
    { action: 'keys.create', detail: { name: 'agent', replaces: old.id } },
  ]);
});

test('rotation with no grace ends the old key; a grace does not extend a key beyond its expiry', async () => {
  const old = await createKey(project, { name: 'leaked', scopes: ['read'] });
  const made = await rotateKey(project, { id: old.id, graceHours: 0 });
  expect(made.expiresAt).toBeNull();
  expect(await use(old.key)).toMatch(/^unauthorized: the API key expired/);
  expect(await use(made.key)).toBe('works');
  const last = await createKey(daysAgo(6.9), { name: 'l', scopes: ['read'], expiresInDays: 7 });
  const next = await rotateKey(project, { id: last.id, graceHours: 720 });
  expect(next.oldWorksUntil).toEqual(last.expiresAt);
});

test('expired, revoked, rotated and unknown keys are not rotated; of two rotations one succeeds', async () => {
  const expired = await createKey(daysAgo(2), { name: 'e', scopes: ['read'], expiresInDays: 1 });
  const revoked = await createKey(project, { name: 'r', scopes: ['read'] });
  await revokeKey(project, revoked.id);
  const twice = await createKey(project, { name: 't', scopes: ['read'] });
  const both = await Promise.allSettled([
    rotateKey(project, { id: twice.id, graceHours: 24 }),
    rotateKey(project, { id: twice.id, graceHours: 24 }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  for (const [id, code, text] of [
    [expired.id, 'conflict', /has expired/],
    [revoked.id, 'not_found', /key/],
    [twice.id, 'conflict', /already rotated/],
    ['f'.repeat(20), 'not_found', /key/],
  ] as const)
    await expect(rotateKey(project, { id, graceHours: 1 })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(text),
    });
});

test('an admin cannot rotate a key with a scope that the role does not permit', async () => {
  const { id } = await createKey(project, { name: 'h', scopes: ['read', 'held_out'] });
  const { id: userId, email } = await createTestMember(runtime, project, 'admin');
  const admin: ProjectCtx = {
    ...project,
    actor: { kind: 'user', id: userId, label: email, role: 'admin', operator: false },
  };
  await expect(rotateKey(admin, { id, graceHours: 1 })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await find(id)).toMatchObject({ successorId: null, expiresAt: null });
});
