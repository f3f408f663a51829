import type { ProjectCtx } from '../../access';
import { loadCountedRulings } from '../../verdicts';

interface Marked {
  readonly marks: readonly { readonly verdictId: string }[];
}

/** Turns whose marks also carry the ruling of a person that counts, or null. */
export async function withRulings<Turn extends Marked>(ctx: ProjectCtx, turns: readonly Turn[]) {
  const ids = turns.flatMap(({ marks }) => marks.map(({ verdictId }) => verdictId));
  const ruled = await loadCountedRulings(ctx, ids);
  return turns.map((turn) => ({
    ...turn,
    marks: turn.marks.map((mark: Turn['marks'][number]) => ({
      ...mark,
      ruled: ruled.get(mark.verdictId) ?? null,
    })),
  }));
}
