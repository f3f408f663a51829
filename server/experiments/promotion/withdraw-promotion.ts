import type { ProjectCtx } from '../../access';
import { conflict } from '../../platform';
import { endPromotion, lockPromotion, type StoredPromotion } from './promotion-rows';

/**
 * Takes back a wish that waits; one that was taken back stays so. @throws AssayError not_found,
 * conflict (it waits no more)
 */
export function withdrawPromotion(
  ctx: ProjectCtx,
  { id }: { readonly id: string },
): Promise<StoredPromotion> {
  return ctx.db.transaction(async (tx) => {
    const wish = await lockPromotion(ctx, tx, id);
    if (wish.state === 'withdrawn') return wish;
    if (wish.state !== 'waiting')
      throw conflict(`the promotion is no longer pending: it is ${wish.state.replace('_', ' ')}`);
    return endPromotion(ctx, tx, wish, { state: 'withdrawn' });
  });
}
