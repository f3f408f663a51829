import type { ProjectCtx } from '../../access';
import { conflict } from '../../platform';
import { endPromotion, lockPromotion, type StoredPromotion } from './promotion-rows';

/**
 * Withdraws a waiting request; repeating it has no effect.
 * @throws AssayError not_found, conflict (the request no longer waits)
 */
export function withdrawPromotion(
  ctx: ProjectCtx,
  { id }: { readonly id: string },
): Promise<StoredPromotion> {
  return ctx.db.transaction(async (tx) => {
    const promotion = await lockPromotion(ctx, tx, id);
    if (promotion.state === 'withdrawn') return promotion;
    if (promotion.state !== 'waiting')
      throw conflict(
        `the promotion is no longer pending: it is ${promotion.state.replace('_', ' ')}`,
      );
    return endPromotion(ctx, tx, promotion, { state: 'withdrawn' });
  });
}
