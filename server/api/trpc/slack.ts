import { linkSlackUser, listOwnLinks, readLinkOffer, unlinkSlackUser } from '../../deliveries';
import { LinkCodeIn, SlackLinksIn, UnlinkIn } from '../../deliveries/input';
import { projectProcedure, router } from './builders';

/** A member's own Slack users. */
export const slackRouter = router({
  /** With a code, also the Slack user that it would link; null if it is no longer valid. */
  links: projectProcedure('labels.write')
    .input(SlackLinksIn)
    .query(async ({ ctx, input: { code } }) => {
      const [links, offer] = await Promise.all([
        listOwnLinks(ctx.project),
        code === undefined ? null : readLinkOffer(ctx.project, code),
      ]);
      return { links, offer };
    }),
  link: projectProcedure('labels.write')
    .input(LinkCodeIn)
    .mutation(({ ctx, input }) => linkSlackUser(ctx.project, input.code)),
  unlink: projectProcedure('labels.write')
    .input(UnlinkIn)
    .mutation(({ ctx, input: { project: _project, ...link } }) =>
      unlinkSlackUser(ctx.project, link),
    ),
});
