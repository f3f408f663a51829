import { getClaimState, listProjects, useClaim } from '../access';
import { Claim, ClaimToken } from '../access/input';
import { accountProcedure, linkProcedure, router } from './builders';

export const accountRouter = router({
  claimState: linkProcedure.input(ClaimToken).query(({ ctx, input }) => getClaimState(ctx.runtime.ctx, input.token)),
  claim: linkProcedure.input(Claim).mutation(({ ctx, input }) => useClaim(ctx.runtime.ctx, input)),
  me: accountProcedure.query(async ({ ctx }) => ({ user: ctx.user, projects: await listProjects(ctx.runtime.ctx, ctx.user.id) })),
});
