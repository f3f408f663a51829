import { beforeEach, describe, expect, it } from 'vitest';
import {
  cookieOf,
  createTestMember,
  createTestProject,
  signIn,
  type TestPerson,
} from '../../testing/database';
import { test } from '../../testing/fixture';
import type { Runtime } from '../runtime';
import type { ProjectCtx } from './actor';
import {
  changePassword,
  issuePasswordLink,
  issuePasswordLinkByEmail,
  resetPassword,
} from './change-password';
import { getClaimState, useClaim } from './claims';
import { changeRole, removeMember } from './members';
import { openProject } from './projects';

let runtime: Runtime;
let project: ProjectCtx;
let owner: TestPerson;
let person: TestPerson;
const newPassword = 'another long password';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from sign_in_tries`;
  project = await createTestProject(runtime);
  owner = await createTestMember(runtime, project, 'owner');
  person = await createTestMember(runtime, project, 'reviewer');
});

const as = async (who: TestPerson, where = project): Promise<ProjectCtx> =>
  (
    await openProject(
      runtime.ctx,
      { id: who.id, label: who.email, operator: false },
      where.projectSlug,
      'project.read',
    )
  ).ctx;
const tokenOf = ({ url }: { url: string }): string => new URL(url).searchParams.get('token') ?? '';
const isSignedIn = async (cookie: string): Promise<boolean> =>
  (await runtime.sessions.find(new Headers({ cookie }))) !== null;
const status = async (password: string): Promise<number> =>
  (await signIn(runtime, person.email, password)).status;
const audited = async (action: string) =>
  (
    await runtime.ctx
      .sql`select actor_label, target, detail from audit_events where action = ${action} and target = ${person.email}`
  ).map((row) => ({ ...row }));

async function change(currentPassword: string, next = newPassword): Promise<void> {
  const session = (await runtime.sessions.findId(new Headers({ cookie: person.cookie }))) ?? '';
  await changePassword(
    runtime.ctx,
    { id: person.id, email: person.email, operator: false },
    session,
    {
      currentPassword,
      newPassword: next,
    },
  );
}

describe('a password change', () => {
  it('S-120 needs the current password, ends every other session, and is audited', async () => {
    const other = cookieOf(await signIn(runtime, person.email, person.password));
    await expect(change('not the password')).rejects.toMatchObject({ code: 'invalid_request' });
    expect([await isSignedIn(other), await status(person.password)]).toEqual([true, 200]);
    await change(person.password);
    expect([await isSignedIn(other), await isSignedIn(person.cookie)]).toEqual([false, true]);
    expect([await status(person.password), await status(newPassword)]).toEqual([401, 200]);
    expect(await isSignedIn(owner.cookie)).toBe(true);
    expect(await audited('accounts.changePassword')).toMatchObject([{ actor_label: person.email }]);
  });

  it('S-121 allows ten tries of the current password, however locked the account is, and locks no sign-in', async () => {
    for (let n = 0; n < 10; n++)
      await expect(change('not the password')).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(change(person.password)).rejects.toMatchObject({ code: 'rate_limited' });
    expect(await status(person.password)).toBe(200);
  });

  it('S-120 of two at once one succeeds', async () => {
    const results = await Promise.allSettled([
      change(person.password, 'the first new one'),
      change(person.password, 'the second new one'),
    ]);
    expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const statuses = [await status('the first new one'), await status('the second new one')];
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401]);
  });
});

describe('a password link', () => {
  it('S-120 of an owner works once: sets the password, ends every session, clears the lock, and is audited', async () => {
    const token = tokenOf(await issuePasswordLink(await as(owner), runtime.ctx, person.id));
    expect(await getClaimState(runtime.ctx, token)).toMatchObject({
      state: 'open',
      kind: 'password',
      email: person.email,
    });
    const join = { token, email: person.email, name: 'N', password: newPassword };
    await expect(useClaim(runtime.ctx, join)).rejects.toMatchObject({ code: 'not_found' });
    for (let n = 0; n < 11; n++) await status('not the password');
    const results = await Promise.allSettled(
      Array.from({ length: 4 }, () => resetPassword(runtime.ctx, { token, password: newPassword })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    expect(await isSignedIn(person.cookie)).toBe(false);
    expect([await status(newPassword), await status(person.password)]).toEqual([200, 401]);
    await expect(
      resetPassword(runtime.ctx, { token, password: newPassword }),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(await audited('members.issuePasswordLink')).toMatchObject([
      { actor_label: owner.email },
    ]);
    expect(await audited('accounts.resetPassword')).toMatchObject([
      { actor_label: person.email, detail: { linkBy: owner.email } },
    ]);
  });

  it('S-120 ends with the next link, a password change, its expiry, the owner who made it, and the membership', async () => {
    const state = async (token: string) => (await getClaimState(runtime.ctx, token)).state;
    const issue = async () =>
      tokenOf(await issuePasswordLink(await as(owner), runtime.ctx, person.id));
    const first = await issue();
    const second = await issue();
    expect([await state(first), await state(second)]).toEqual(['unknown', 'open']);
    await change(person.password);
    expect(await state(second)).toBe('unknown');
    const third = await issue();
    await runtime.ctx
      .sql`update claims set expires_at = now() - interval '1 second' where kind = 'password' and used_at is null`;
    await expect(
      resetPassword(runtime.ctx, { token: third, password: newPassword }),
    ).rejects.toMatchObject({ code: 'not_found' });
    const fourth = await issue();
    const next = await createTestMember(runtime, project, 'owner');
    await changeRole(await as(next), { userId: owner.id, role: 'admin' });
    expect(await state(fourth)).toBe('unknown');
    await changeRole(await as(next), { userId: owner.id, role: 'owner' });
    const fifth = await issue();
    await removeMember(await as(next), person.id);
    expect(await state(fifth)).toBe('unknown');
  });

  it('S-120 requires an owner of every project that the account belongs to, and never targets an operator or a stranger', async () => {
    const admin = await createTestMember(runtime, project, 'admin');
    await expect(issuePasswordLink(await as(admin), runtime.ctx, person.id)).rejects.toMatchObject({
      code: 'forbidden',
    });
    const otherProject = await createTestProject(runtime);
    const stranger = await createTestMember(runtime, otherProject, 'viewer');
    await expect(
      issuePasswordLink(await as(owner), runtime.ctx, stranger.id),
    ).rejects.toMatchObject({ code: 'not_found' });
    await runtime.ctx
      .sql`insert into members (project_id, user_id, role) values (${otherProject.projectId}, ${person.id}, 'viewer')`;
    await expect(issuePasswordLink(await as(owner), runtime.ctx, person.id)).rejects.toMatchObject({
      code: 'forbidden',
    });
    await runtime.ctx
      .sql`insert into members (project_id, user_id, role) values (${otherProject.projectId}, ${owner.id}, 'owner')`;
    expect((await issuePasswordLink(await as(owner), runtime.ctx, person.id)).url).toContain(
      '/claim?token=',
    );
    await runtime.ctx.sql`update users set operator = true where id = ${person.id}`;
    await expect(issuePasswordLink(await as(owner), runtime.ctx, person.id)).rejects.toMatchObject({
      code: 'forbidden',
    });
    const system = { kind: 'system', id: 'command line', label: 'command line' } as const;
    const token = tokenOf(await issuePasswordLinkByEmail(runtime.ctx, system, person.email));
    expect(await resetPassword(runtime.ctx, { token, password: newPassword })).toEqual({
      email: person.email,
    });
    await expect(
      issuePasswordLinkByEmail(runtime.ctx, system, 'nobody@example.org'),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
