import { randomBytes } from 'node:crypto';
import { beforeEach, expect } from 'vitest';
import { createTestMember, createTestProject, signIn } from '../../testing/database';
import { test } from '../../testing/fixture';
import type { Runtime } from '../runtime';
import type { ProjectCtx } from './actor';
import {
  createOwner,
  getClaimState,
  inviteMember,
  issueOwnerLink,
  revokeInvitation,
  useClaim,
} from './claims';
import { listMembers } from './list-members';
import { changeRole, removeMember } from './members';
import { openProject } from './projects';
import type { Permission, Role } from './roles';
import { countSignInAttempt } from './sign-in-limit';
import { timeFactor } from '../../testing/time-factor';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  await runtime.ctx.sql`delete from users`;
  await runtime.ctx.sql`delete from claims`;
  project = await createTestProject(runtime);
});

const password = 'a long enough password';
const tokenOf = (url: string | null): string => new URL(url ?? '').searchParams.get('token') ?? '';
const asOwner = (n: number) => ({ email: `o${n}@example.org`, name: `O${n}`, password });

async function operators(): Promise<number> {
  const [row] = await runtime.ctx.sql`select count(*)::int as n from users where operator`;
  return Number(row?.n);
}

/** A member without a password: no one signs in here, and hashing is expensive. */
async function member(role: Role): Promise<{ id: string; email: string }> {
  const id = `usr_${randomBytes(5).toString('hex')}`;
  const email = `${id}@example.org`;
  await runtime.ctx.sql`insert into users (id, name, email) values (${id}, ${role}, ${email})`;
  await runtime.ctx
    .sql`insert into members (project_id, user_id, role) values (${project.projectId}, ${id}, ${role})`;
  return { id, email };
}

/** The project as this person opens it. */
async function as(
  person: { id: string; email: string },
  permission: Permission = 'members.write',
): Promise<ProjectCtx> {
  return (
    await openProject(
      runtime.ctx,
      { id: person.id, label: person.email, operator: false },
      project.projectSlug,
      permission,
    )
  ).ctx;
}

test('S-108: of two claims with the same owner link one wins, and of a claim and the command line too', async () => {
  const token = tokenOf(await issueOwnerLink(runtime.ctx));
  const claim = (n: number) =>
    useClaim(runtime.ctx, { token, ...asOwner(n), projectSlug: `first-${n}` });
  const twice = await Promise.allSettled([claim(1), claim(2)]);
  expect(twice.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(await operators()).toBe(1);
  const [users] = await runtime.ctx.sql`select count(*)::int as n from users`;
  expect(users?.n).toBe(1);
  await runtime.ctx.sql`delete from users`;

  const second = tokenOf(await issueOwnerLink(runtime.ctx));
  const raced = await Promise.allSettled([
    useClaim(runtime.ctx, { token: second, ...asOwner(3), projectSlug: 'first-3' }),
    createOwner(runtime.ctx, asOwner(4)),
    createOwner(runtime.ctx, asOwner(5)),
  ]);
  expect(raced.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  expect(await operators()).toBe(1);
});

test('projects that the command line created before the first owner are that owner’s; those of others are not', async () => {
  const otherProject = await createTestProject(runtime);
  await runtime.ctx
    .sql`insert into users (id, name, email) values ('usr_other', 'Other', 'other@example.org')`;
  await runtime.ctx
    .sql`insert into members (project_id, user_id, role) values (${otherProject.projectId}, 'usr_other', 'owner')`;
  const token = tokenOf(await issueOwnerLink(runtime.ctx));
  const { projectSlug } = await useClaim(runtime.ctx, {
    token,
    ...asOwner(1),
    projectSlug: 'of-the-owner',
  });
  const rows = await runtime.ctx.sql<{ slug: string }[]>`
    select p.slug from members m join projects p on p.id = m.project_id join users u on u.id = m.user_id where u.operator and m.role = 'owner'`;
  const slugs = rows.map(({ slug }) => slug);
  expect(slugs).toEqual(expect.arrayContaining([projectSlug, project.projectSlug]));
  expect(slugs).not.toContain(otherProject.projectSlug);
});

test('S-108: with an owner no owner link is issued, and an earlier one does nothing', async () => {
  const token = tokenOf(await issueOwnerLink(runtime.ctx));
  await createOwner(runtime.ctx, asOwner(1));
  expect(await issueOwnerLink(runtime.ctx)).toBeNull();
  expect((await getClaimState(runtime.ctx, token)).state).toBe('unknown');
  await expect(
    useClaim(runtime.ctx, { token, ...asOwner(2), projectSlug: 'second' }),
  ).rejects.toMatchObject({ code: 'not_found' });
  expect(await operators()).toBe(1);
});

test('S-108: a new owner link ends the earlier one, and an old one expires', async () => {
  const first = tokenOf(await issueOwnerLink(runtime.ctx));
  const second = tokenOf(await issueOwnerLink(runtime.ctx));
  await expect(
    useClaim(runtime.ctx, { token: first, ...asOwner(1), projectSlug: 'one' }),
  ).rejects.toMatchObject({ code: 'not_found' });
  await runtime.ctx.sql`update claims set expires_at = now() - interval '1 second'`;
  await expect(
    useClaim(runtime.ctx, { token: second, ...asOwner(1), projectSlug: 'one' }),
  ).rejects.toMatchObject({ code: 'not_found' });
  expect(await operators()).toBe(0);
});

test('S-14: an invitation is used once, by its e-mail address, with its role', async () => {
  const token = tokenOf(
    (await inviteMember(project, { email: 'i@example.org', role: 'viewer' })).url,
  );
  const input = { token, email: 'i@example.org', name: 'I', password };
  await expect(
    useClaim(runtime.ctx, { ...input, email: 'other@example.org' }),
  ).rejects.toMatchObject({ code: 'invalid_request' });
  const replays = await Promise.allSettled([
    useClaim(runtime.ctx, input),
    useClaim(runtime.ctx, input),
  ]);
  expect(replays.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  await expect(useClaim(runtime.ctx, input)).rejects.toMatchObject({ code: 'not_found' });
  expect((await listMembers(project)).members).toMatchObject([
    { email: 'i@example.org', role: 'viewer' },
  ]);
  const [user] = await runtime.ctx.sql`select operator from users`;
  expect(user?.operator).toBe(false);
});

test('S-14: a removed member does not come back with the old invitation, and a revoked one is refused', async () => {
  const { url } = await inviteMember(project, { email: 'i@example.org', role: 'admin' });
  await useClaim(runtime.ctx, { token: tokenOf(url), email: 'i@example.org', name: 'I', password });
  const [joined] = (await listMembers(project)).members;
  await member('owner');
  await removeMember(project, joined?.userId ?? '');
  await expect(
    useClaim(runtime.ctx, { token: tokenOf(url), email: 'i@example.org', name: 'I', password }),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
  const again = await inviteMember(project, { email: 'j@example.org', role: 'admin' });
  const [claim] = await runtime.ctx.sql<
    { id: string }[]
  >`select id from claims where email = 'j@example.org'`;
  await revokeInvitation(project, claim?.id ?? '');
  await expect(
    useClaim(runtime.ctx, {
      token: tokenOf(again.url),
      email: 'j@example.org',
      name: 'J',
      password,
    }),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('S-14: an existing account joins a second project with its password, and only with it', async () => {
  const person = await createTestMember(runtime, project, 'viewer');
  const second = await createTestProject(runtime);
  const token = tokenOf(
    (await inviteMember(second, { email: person.email, role: 'reviewer' })).url,
  );
  const input = { token, email: person.email, name: 'Another name', password: 'not the right one' };
  await expect(useClaim(runtime.ctx, input)).rejects.toMatchObject({ code: 'conflict' });
  expect((await listMembers(second)).members).toEqual([]);
  expect(await useClaim(runtime.ctx, { ...input, password: person.password })).toEqual({
    projectSlug: second.projectSlug,
  });
  expect((await listMembers(second)).members).toMatchObject([
    { userId: person.id, role: 'reviewer' },
  ]);
  expect((await signIn(runtime, person.email, person.password)).status).toBe(200);

  const more = tokenOf((await inviteMember(second, { email: person.email, role: 'owner' })).url);
  await expect(
    useClaim(runtime.ctx, { ...input, token: more, password: person.password }),
  ).rejects.toMatchObject({ code: 'conflict' });
  expect((await listMembers(second)).members).toMatchObject([{ role: 'reviewer' }]);
});

test('S-11: an invitation does not allow guessing passwords either', async () => {
  const person = await createTestMember(runtime, project, 'viewer');
  const token = tokenOf(
    (await inviteMember(await createTestProject(runtime), { email: person.email, role: 'viewer' }))
      .url,
  );
  for (let index = 0; index < 8; index++)
    await countSignInAttempt(runtime.ctx, { email: person.email, source: null, deviceId: null });
  const guess = () =>
    useClaim(runtime.ctx, { token, email: person.email, name: 'N', password: 'not the password' });
  const codes = (await Promise.allSettled(Array.from({ length: 4 }, guess))).map((result) =>
    result.status === 'rejected' ? (result.reason as { code: string }).code : 'in',
  );
  expect(codes.sort()).toEqual(['conflict', 'conflict', 'rate_limited', 'rate_limited']);
  expect((await signIn(runtime, person.email, person.password)).status).toBe(429);
});

test('S-14: the last owner is neither removed nor demoted, and of two removals at once one owner is left', async () => {
  const [one, two] = [await member('owner'), await member('owner')];
  const [asOne, asTwo] = [await as(one), await as(two)];
  for (let round = 0; round < 5; round++) {
    const results = await Promise.allSettled([
      removeMember(asOne, two.id),
      removeMember(asTwo, one.id),
    ]);
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
    const { members } = await listMembers(project);
    expect(members).toHaveLength(1);
    const left = members[0]?.userId === one.id ? one : two;
    const mine = await as(left);
    await expect(removeMember(mine, left.id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(changeRole(mine, { userId: left.id, role: 'admin' })).rejects.toMatchObject({
      code: 'conflict',
    });
    const back = left.id === one.id ? two : one;
    await runtime.ctx
      .sql`insert into members (project_id, user_id, role) values (${project.projectId}, ${back.id}, 'owner')`;
  }
});

test('S-14: an actor who lost the role during the request can do nothing more with it', async () => {
  const [owner, admin] = [await member('owner'), await member('admin')];
  const other = await member('viewer');
  const asAdmin = await as(admin);
  await changeRole(await as(owner), { userId: admin.id, role: 'viewer' });
  await expect(changeRole(asAdmin, { userId: other.id, role: 'admin' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(
    inviteMember(asAdmin, { email: 'x@example.org', role: 'admin' }),
  ).rejects.toMatchObject({ code: 'forbidden' });
  await removeMember(await as(owner), admin.id);
  await expect(removeMember(asAdmin, other.id)).rejects.toMatchObject({ code: 'not_found' });
});

test('S-14: open invitations end with the power of their creator', async () => {
  const [owner, second] = [await member('owner'), await member('owner')];
  const mine = await as(second);
  const toOwner = tokenOf(
    (await inviteMember(mine, { email: 'a@example.org', role: 'owner' })).url,
  );
  const toAdmin = tokenOf(
    (await inviteMember(mine, { email: 'b@example.org', role: 'admin' })).url,
  );
  const state = async (token: string) => (await getClaimState(runtime.ctx, token)).state;
  await changeRole(await as(owner), { userId: second.id, role: 'admin' });
  expect([await state(toOwner), await state(toAdmin)]).toEqual(['unknown', 'open']);
  await removeMember(await as(owner), second.id);
  expect(await state(toAdmin)).toBe('unknown');
});

test('S-108: strangers with made-up links cause no hashing', async () => {
  const begun = performance.now();
  const claims = Array.from({ length: 200 }, (_, n) =>
    useClaim(runtime.ctx, {
      token: `made-up-token-of-nobody-${n}`,
      ...asOwner(n),
      projectSlug: 'x-x',
    }),
  );
  const results = await Promise.allSettled(claims);
  expect(results.every((result) => result.status === 'rejected')).toBe(true);
  // 200 scrypt hashes take more than 5 s of two cores.
  expect(performance.now() - begun).toBeLessThan(timeFactor * 2500);
});
