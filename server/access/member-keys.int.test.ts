import { beforeEach, describe, expect, it } from 'vitest';
import {
  createTestMember,
  createTestProject,
  createTestRuntime,
  type TestDatabase,
  type TestPerson,
} from '../../testing/database';
import { test } from '../../testing/fixture';
import type { Runtime } from '../runtime';
import type { ProjectCtx } from './actor';
import { createKey, listKeys } from './keys';
import { listMembers } from './list-members';
import { changeRole, removeMember } from './members';
import { openProject } from './projects';
import { saveView } from './saved-views';

let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;
let owner: TestPerson;
let leaver: TestPerson;
let keys: { id: string; key: string }[];

test.beforeAll(({ database: ownDatabase, runtime: ownRuntime }) => {
  database = ownDatabase;
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  [owner, leaver] = [
    await createTestMember(runtime, project, 'owner'),
    await createTestMember(runtime, project, 'admin'),
  ];
  const mine = await as(leaver);
  keys = [];
  for (const name of ['one', 'two', 'three'])
    keys.push(await createKey(mine, { name, scopes: ['read'] }));
});

const as = async (person: TestPerson): Promise<ProjectCtx> =>
  (
    await openProject(
      runtime.ctx,
      { id: person.id, label: person.email, operator: false },
      project.projectSlug,
      'project.read',
    )
  ).ctx;

/** Whether each key opens the project, by a key check without a cache. */
async function opened(): Promise<boolean[]> {
  const fresh = createTestRuntime(database.url);
  try {
    return await Promise.all(
      keys.map(({ key }) =>
        fresh.keys.authorize(`Bearer ${key}`, 'read').then(
          () => true,
          () => false,
        ),
      ),
    );
  } finally {
    await fresh.close();
  }
}

const audit = async (action: string) =>
  (
    await runtime.ctx
      .sql`select target, actor_label, detail from audit_events where project_id = ${project.projectId} and action = ${action} order by id`
  ).map((row) => ({ ...row }));

describe('S-120 a removed member', () => {
  it('S-120 loses the keys that the member created: revoked, audited one by one, and refused by a process that had cached them', async () => {
    const other = await createKey(await as(owner), { name: 'other', scopes: ['read'] });
    for (const { key } of [...keys, other]) await runtime.keys.authorize(`Bearer ${key}`, 'read');
    await removeMember(await as(owner), leaver.id);
    expect(await opened()).toEqual([false, false, false]);
    for (const { key } of keys) {
      await expect
        .poll(
          () =>
            runtime.keys.authorize(`Bearer ${key}`, 'read').then(
              () => 'open',
              () => 'refused',
            ),
          { timeout: 10_000 },
        )
        .toBe('refused');
    }
    await runtime.keys.authorize(`Bearer ${other.key}`, 'read');
    const revoked = await audit('keys.revoke');
    expect(new Set(revoked.map(({ target }) => target))).toEqual(new Set(keys.map(({ id }) => id)));
    expect(revoked).toHaveLength(3);
    expect(revoked.every(({ actor_label }) => actor_label === owner.email)).toBe(true);
    expect(await audit('members.remove')).toMatchObject([
      {
        target: leaver.id,
        detail: {
          before: 'admin',
          keys: 'revoke',
          keyIds: expect.arrayContaining(keys.map(({ id }) => id)),
        },
      },
    ]);
  });

  it.each(['the remover', 'another member'])(
    'S-120 hands the keys over to %s by choice',
    async (who) => {
      const heir =
        who === 'the remover' ? owner : await createTestMember(runtime, project, 'admin');
      const handTo = who === 'the remover' ? undefined : heir.id;
      await removeMember(await as(owner), leaver.id, { keys: 'hand_over', handTo });
      expect(await opened()).toEqual([true, true, true]);
      expect((await listKeys(project)).map(({ owner }) => owner)).toEqual([
        heir.email,
        heir.email,
        heir.email,
      ]);
      expect(await audit('keys.handOver')).toHaveLength(3);
      expect(
        (await listMembers(project)).members.find(({ userId }) => userId === heir.id)?.keyCount,
      ).toBe(3);
      // The receiver owns them from now on.
      const second = await createTestMember(runtime, project, 'owner');
      await removeMember(await as(second), heir.id).catch(() => undefined);
      expect(await opened()).toEqual([false, false, false]);
    },
  );

  it('S-120 stays a member if the receiver of the keys may not own any', async () => {
    const viewer = await createTestMember(runtime, project, 'viewer');
    const stranger = await createTestMember(runtime, await createTestProject(runtime), 'owner');
    for (const handTo of [viewer.id, stranger.id, leaver.id, 'usr_nobody']) {
      await expect(
        removeMember(await as(owner), leaver.id, { keys: 'hand_over', handTo }),
      ).rejects.toMatchObject({ code: 'refused' });
    }
    expect(await opened()).toEqual([true, true, true]);
    expect((await listMembers(project)).members.map(({ userId }) => userId)).toContain(leaver.id);
  });

  it('S-120 loses keys of releases that did not record the owner of a key, and leaves those of the command line', async () => {
    await runtime.ctx
      .sql`update api_keys set holder_id = null where project_id = ${project.projectId}`;
    const system = await createKey(project, { name: 'command line', scopes: ['read'] });
    keys.push(system);
    await removeMember(await as(owner), leaver.id);
    expect(await opened()).toEqual([false, false, false, true]);
  });

  it('S-120 creates no key after the removal', async () => {
    const mine = await as(leaver);
    const results = await Promise.allSettled([
      removeMember(await as(owner), leaver.id),
      ...Array.from({ length: 8 }, (_, n) =>
        createKey(mine, { name: `late ${n}`, scopes: ['read'] }),
      ),
    ]);
    expect(results[0]?.status).toBe('fulfilled');
    expect((await listKeys(project)).filter(({ revokedAt }) => revokedAt === null)).toEqual([]);
    await expect(createKey(mine, { name: 'later', scopes: ['read'] })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('S-120 leaves shared views, no private ones, and no session once it belongs to no project', async () => {
    const mine = await as(leaver);
    await saveView(mine, {
      page: 'verdicts',
      name: 'own',
      query: '?outcome=failed',
      shared: false,
    });
    await saveView(mine, { page: 'verdicts', name: 'all', query: '?outcome=passed', shared: true });
    await removeMember(await as(owner), leaver.id, { keys: 'revoke' }, runtime.ctx);
    const views = await runtime.ctx
      .sql`select name from saved_views where project_id = ${project.projectId}`;
    expect(views.map(({ name }) => name)).toEqual(['all']);
    expect(await runtime.sessions.find(new Headers({ cookie: leaver.cookie }))).toBeNull();
    expect(await runtime.sessions.find(new Headers({ cookie: owner.cookie }))).not.toBeNull();
  });
});

describe('S-120 a lowered role', () => {
  it.each(['reviewer', 'viewer'] as const)(
    'S-120 of a %s owns no key: revoked, or handed over by choice',
    async (role) => {
      await changeRole(await as(owner), { userId: leaver.id, role, keys: 'hand_over' });
      expect(await opened()).toEqual([true, true, true]);
      await changeRole(await as(owner), { userId: leaver.id, role: 'admin' });
      keys = [await createKey(await as(leaver), { name: 'again', scopes: ['read'] })];
      await changeRole(await as(owner), { userId: leaver.id, role });
      expect(await opened()).toEqual([false]);
    },
  );

  it('S-120 that still manages keys keeps them', async () => {
    await changeRole(await as(owner), { userId: leaver.id, role: 'owner' });
    await changeRole(await as(owner), { userId: leaver.id, role: 'admin' });
    expect(await opened()).toEqual([true, true, true]);
  });
});
