import { TRPCError } from '@trpc/server';
import {
  canUsePasskeys,
  listPasskeys,
  changePassword,
  getClaimState,
  hasSecondFactor,
  listProjects,
  resetPassword,
  useClaim,
} from '../../access';
import { ChangePassword, UseClaim, ClaimToken, ResetPassword } from '../../access/input';
import { accountProcedure, linkProcedure, router } from './builders';

export const accountRouter = router({
  /** The ways to sign in, for the sign-in page. */
  signInOptions: linkProcedure.query(({ ctx }) => {
    const { env } = ctx.runtime.ctx;
    const { singleSignOn } = env;
    return {
      passkeys: canUsePasskeys(env),
      singleSignOn: singleSignOn === null ? null : { name: singleSignOn.name },
      passwords: singleSignOn?.passwords ?? 'on',
      command: env.command,
    };
  }),
  claimState: linkProcedure
    .input(ClaimToken)
    .query(({ ctx, input }) => getClaimState(ctx.runtime.ctx, input.token)),
  claim: linkProcedure
    .input(UseClaim)
    .mutation(({ ctx, input }) => useClaim(ctx.runtime.ctx, input)),
  resetPassword: linkProcedure
    .input(ResetPassword)
    .mutation(({ ctx, input }) => resetPassword(ctx.runtime.ctx, input)),
  changePassword: accountProcedure.input(ChangePassword).mutation(async ({ ctx, input }) => {
    const session = await ctx.runtime.sessions.findId(ctx.headers);
    if (session === null) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'sign in first' });
    await changePassword(ctx.runtime.ctx, ctx.user, session, input);
  }),
  /** How the own account signs in. */
  signInMethods: accountProcedure.query(async ({ ctx }) => {
    const runtimeCtx = ctx.runtime.ctx;
    const [hasCode, passkeys] = await Promise.all([
      hasSecondFactor(runtimeCtx, ctx.user.id),
      listPasskeys(runtimeCtx, ctx.user.id),
    ]);
    return { hasCode, passkeys, canUsePasskeys: canUsePasskeys(runtimeCtx.env) };
  }),
  me: accountProcedure.query(async ({ ctx }) => ({
    user: ctx.user,
    projects: await listProjects(ctx.runtime.ctx, ctx.user.id),
  })),
});
