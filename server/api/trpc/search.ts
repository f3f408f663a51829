import { findAnywhere } from '../../verdicts';
import { FindIn } from '../../verdicts/input';
import { projectProcedure, router } from './builders';

export const searchRouter = router({
  find: projectProcedure('verdicts.read')
    .input(FindIn)
    .query(({ ctx, input: { q } }) => findAnywhere(ctx.project, ctx.runtime.subjects, { q })),
});
