import { expect } from 'vitest';
import { createTestMember, createTestProject, signIn } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { Runtime } from '../runtime';
import type { ProjectCtx } from './actor';
import { createKey, listKeys } from './keys';
import { listMembers } from './list-members';
import { removeMember } from './members';
import type { Role } from './roles';
import { rotateKey } from './rotate-key';
import { createServiceAccount, removeServiceAccount } from './service-accounts';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

async function memberOf(role: Role): Promise<ProjectCtx> {
  const { id, email } = await createTestMember(runtime, project, role);
  return { ...project, actor: { kind: 'user', id, label: email, role, operator: false } };
}

const use = (key: string) =>
  runtime.keys.authorize(`Bearer ${key}`, 'read').then(
    () => 'works',
    (error: { code: string }) => error.code,
  );

test('a service account owns keys that outlast the member who created them', async () => {
  const admin = await memberOf('admin');
  const { id } = await createServiceAccount(admin, { name: 'exporter', role: 'viewer' });
  const own = await createKey(admin, { name: 'own', scopes: ['read'] });
  const shared = await createKey(admin, {
    name: 'shared',
    scopes: ['read', 'ingest'],
    serviceAccountId: id,
  });
  const next = await rotateKey(admin, { id: shared.id, graceHours: 24 });
  expect((await listKeys(project)).find((key) => key.id === next.id)).toMatchObject({
    serviceAccount: 'exporter',
    owner: null,
  });
  const { members, serviceAccounts } = await listMembers(project);
  expect(serviceAccounts).toMatchObject([{ id, name: 'exporter', role: 'viewer', keyCount: 2 }]);
  expect(members.map(({ userId }) => userId)).not.toContain(id);
  expect(members.find(({ userId }) => userId === admin.actor.id)?.keyCount).toBe(1);
  await removeMember(project, admin.actor.id);
  const leaver = await Promise.all([own, shared, next].map(({ key }) => use(key)));
  expect(leaver).toEqual(['unauthorized', 'works', 'works']);
});

test('the role limits the scopes of the keys, and only names of this project count', async () => {
  const viewer = await createServiceAccount(project, { name: 'v', role: 'viewer' });
  const reviewer = await createServiceAccount(project, { name: 'r', role: 'reviewer' });
  const admin = await createServiceAccount(project, { name: 'a', role: 'admin' });
  const make = (id: string, scope: 'write' | 'held_out', by = project) =>
    createKey(by, { name: 'k', scopes: ['read', scope], serviceAccountId: id });
  for (const [id, scope] of [
    [viewer.id, 'write'],
    [viewer.id, 'held_out'],
    [reviewer.id, 'write'],
    [admin.id, 'held_out'],
  ] as const)
    await expect(make(id, scope)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(`does not allow ${scope}; use`),
      details: [{ path: 'scopes' }],
    });
  await make(reviewer.id, 'held_out');
  await make(admin.id, 'write');
  // The person who sees the key must be allowed its scopes too.
  await expect(make(reviewer.id, 'held_out', await memberOf('admin'))).rejects.toMatchObject({
    code: 'forbidden',
  });
  const neighbour = await createTestProject(runtime);
  const foreign = await createServiceAccount(neighbour, { name: 'f', role: 'admin' });
  for (const id of [foreign.id, 'svc_none'])
    await expect(make(id, 'write')).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringContaining('service account'),
    });
  await expect(removeServiceAccount(project, foreign.id)).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(createServiceAccount(project, { name: 'v', role: 'admin' })).rejects.toMatchObject({
    code: 'conflict',
  });
  await createServiceAccount(neighbour, { name: 'v', role: 'viewer' });
});

test('removal revokes the keys, with an audit row for each; a key is not created after it', async () => {
  const { id } = await createServiceAccount(project, { name: 'leaving', role: 'viewer' });
  const keys = await Promise.all(
    ['one', 'two'].map((name) =>
      createKey(project, { name, scopes: ['read'], serviceAccountId: id }),
    ),
  );
  for (const { key } of keys) expect(await use(key)).toBe('works');
  const late = createKey(project, { name: 'late', scopes: ['read'], serviceAccountId: id });
  const [, made] = await Promise.all([
    removeServiceAccount(project, id),
    late.then(
      ({ key }) => key,
      () => null,
    ),
  ]);
  for (const key of [...keys.map((each) => each.key), ...(made === null ? [] : [made])])
    await expect.poll(() => use(key)).toBe('unauthorized');
  const audit = await runtime.ctx.sql<{ action: string; target: string }[]>`
    select action, target from audit_events
    where project_id = ${project.projectId} and (target = ${id} or detail ->> 'serviceAccountId' = ${id})`;
  for (const target of keys.map((key) => key.id))
    expect(audit).toContainEqual({ action: 'keys.revoke', target });
  expect(audit).toContainEqual({ action: 'members.createServiceAccount', target: id });
  expect(audit).toContainEqual({ action: 'members.removeServiceAccount', target: id });
  await expect(removeServiceAccount(project, id)).rejects.toMatchObject({ code: 'not_found' });
});

test('a service account cannot sign in, and only those who manage members create one', async () => {
  const { id } = await createServiceAccount(project, { name: 'no person', role: 'admin' });
  for (const email of [id, `${id}@example.org`, 'no person'])
    expect((await signIn(runtime, email, 'x'.repeat(12))).status).toBeGreaterThanOrEqual(400);
  expect(await runtime.ctx.sql`select from users where id = ${id}`).toHaveLength(0);
  for (const role of ['viewer', 'reviewer'] as const) {
    const member = await memberOf(role);
    await expect(createServiceAccount(member, { name: role, role })).rejects.toMatchObject({
      code: 'forbidden',
    });
    await expect(removeServiceAccount(member, id)).rejects.toMatchObject({ code: 'forbidden' });
  }
});
