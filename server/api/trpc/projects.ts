import {
  changeRole,
  createKey,
  createProject,
  createServiceAccount,
  inviteMember,
  issuePasswordLink,
  listAudit,
  listKeys,
  listMembers,
  permissionsOf,
  removeMember,
  removeServiceAccount,
  revokeInvitation,
  revokeKey,
  rotateKey,
} from '../../access';
import {
  ChangeRoleIn,
  CreateKeyIn,
  CreateProject,
  CreateServiceAccountIn,
  CursorIn,
  IdIn,
  InviteMemberIn,
  PasswordLinkIn,
  ProjectRef,
  RemoveMemberIn,
  RotateKeyIn,
} from '../../access/input';
import { changeSettings } from '../../experiments';
import { removeProject } from '../../lifecycle';
import { RemoveProjectIn } from '../../lifecycle/input';
import { ChangeSettingsIn } from '../../experiments/input';
import { getIntegrityState } from '../../verdicts';
import { operatorProcedure, projectProcedure, router } from './builders';

export const projectsRouter = router({
  create: operatorProcedure
    .input(CreateProject)
    .mutation(({ ctx, input }) =>
      createProject(
        ctx.runtime.ctx,
        { kind: 'user', id: ctx.user.id, label: ctx.user.email, role: null, operator: true },
        input,
      ),
    ),
  get: projectProcedure('project.read')
    .input(ProjectRef)
    .query(async ({ ctx }) => ({
      ...ctx.projectRow,
      permissions: permissionsOf[ctx.role] as readonly string[],
      integrity: await getIntegrityState(ctx.project),
      ingestUrl: ctx.runtime.ctx.env.edgeUrl,
      command: ctx.runtime.ctx.env.command,
    })),
  /** Removes everything in it; the slug must be typed again. */
  remove: projectProcedure('owners.write')
    .input(RemoveProjectIn)
    .mutation(({ ctx, input }) =>
      removeProject(ctx.project, ctx.runtime.ctx, { slug: input.slug }),
    ),
});

export const keysRouter = router({
  list: projectProcedure('keys.read')
    .input(ProjectRef)
    .query(({ ctx }) => listKeys(ctx.project)),
  create: projectProcedure('keys.write')
    .input(CreateKeyIn)
    .mutation(({ ctx, input }) => createKey(ctx.project, input)),
  rotate: projectProcedure('keys.write')
    .input(RotateKeyIn)
    .mutation(({ ctx, input: { id, graceHours } }) => rotateKey(ctx.project, { id, graceHours })),
  revoke: projectProcedure('keys.write')
    .input(IdIn)
    .mutation(({ ctx, input }) => revokeKey(ctx.project, input.id)),
});

export const membersRouter = router({
  list: projectProcedure('members.read')
    .input(ProjectRef)
    .query(({ ctx }) => listMembers(ctx.project)),
  invite: projectProcedure('members.write')
    .input(InviteMemberIn)
    .mutation(({ ctx, input }) => inviteMember(ctx.project, input)),
  revokeInvitation: projectProcedure('members.write')
    .input(IdIn)
    .mutation(({ ctx, input }) => revokeInvitation(ctx.project, input.id)),
  changeRole: projectProcedure('members.write')
    .input(ChangeRoleIn)
    .mutation(({ ctx, input }) => changeRole(ctx.project, input)),
  remove: projectProcedure('members.write')
    .input(RemoveMemberIn)
    .mutation(({ ctx, input }) => removeMember(ctx.project, input.userId, input, ctx.runtime.ctx)),
  createServiceAccount: projectProcedure('members.write')
    .input(CreateServiceAccountIn)
    .mutation(({ ctx, input: { name, role } }) =>
      createServiceAccount(ctx.project, { name, role }),
    ),
  removeServiceAccount: projectProcedure('members.write')
    .input(IdIn)
    .mutation(({ ctx, input }) => removeServiceAccount(ctx.project, input.id)),
  /** A one-time link that sets another password for the member's account. */
  issuePasswordLink: projectProcedure('owners.write')
    .input(PasswordLinkIn)
    .mutation(({ ctx, input }) => issuePasswordLink(ctx.project, ctx.runtime.ctx, input.userId)),
});

export const settingsRouter = router({
  update: projectProcedure('settings.write')
    .input(ChangeSettingsIn)
    .mutation(async ({ ctx, input: { project: _project, ...settings } }) => {
      const changed = await changeSettings(ctx.project, ctx.runtime.prompts, settings);
      ctx.runtime.masks.forget(ctx.project.projectId);
      return changed;
    }),
});

export const auditRouter = router({
  list: projectProcedure('audit.read')
    .input(CursorIn)
    .query(({ ctx, input }) => listAudit(ctx.project, input)),
});
