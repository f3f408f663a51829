import { IdIn } from '../../access/input';
import { answerInPlayground, getPlaygroundTurn, verifyOutput } from '../../experiments';
import { AnswerIn, VerifyOutputIn } from '../../experiments/input';
import { projectProcedure, router } from './builders';

export const playgroundRouter = router({
  /** The question of a turn. */
  turn: projectProcedure('verdicts.read')
    .input(IdIn)
    .query(({ ctx, input }) => getPlaygroundTurn(ctx.project, input.id)),
  /** One model's answer, in parts as it streams. */
  answer: projectProcedure('prompts.write')
    .input(AnswerIn)
    .mutation(async function* ({ ctx, input: { project: _project, ...wanted }, signal }) {
      yield* answerInPlayground(
        ctx.project,
        ctx.runtime.connections,
        wanted,
        signal ?? new AbortController().signal,
      );
    }),
  /** Has an output verified outside of the live numbers. */
  verify: projectProcedure('prompts.write')
    .input(VerifyOutputIn)
    .mutation(({ ctx, input: { project: _project, ...wanted } }) =>
      verifyOutput(ctx.project, ctx.runtime, wanted),
    ),
});
