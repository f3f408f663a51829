import type { ProjectCtx } from '../../access';
import { conflict } from '../../platform';
import { moveLabelIn, type PromptDefaults } from '../../prompts';
import { updateSettingsIn } from '../../verdicts';
import { readJudgeList } from '../trials/judge-list';
import { lockRunning } from './approve-promotion';
import {
  endPromotion,
  findCurrent,
  getStored,
  lockPromotion,
  type StoredPromotion,
} from './promotion-rows';

/**
 * Restores the state before a current promotion. The rollback is recorded and never gated;
 * repeating it has no effect.
 * @throws AssayError not_found, conflict (something else is current now), refused (the previous
 * version or judge is no longer usable)
 */
export async function rollBackPromotion(
  ctx: ProjectCtx,
  defaults: PromptDefaults,
  { id }: { readonly id: string },
): Promise<StoredPromotion> {
  const { slug } = await getStored(ctx, id);
  return ctx.db.transaction(async (tx) => {
    const running = await lockRunning(ctx, tx, slug);
    const current = await findCurrent(ctx, tx, { slug, running });
    if (current?.id !== id) {
      const promotion = await lockPromotion(ctx, tx, id);
      if (promotion.state === 'rolled_back') return promotion;
      throw conflict('the promotion is not in production, so that it cannot be rolled back');
    }
    const { before } = current;
    if (slug === '')
      await updateSettingsIn(ctx, tx, {
        ...readJudgeList(before),
        jury: [...readJudgeList(before).jury],
      });
    else
      await moveLabelIn(ctx, tx, defaults, {
        slug,
        label: 'production',
        version: Number(before),
        detail: { promotion: id },
      });
    return endPromotion(ctx, tx, current, { state: 'rolled_back' });
  });
}
