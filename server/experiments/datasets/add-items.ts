import type { ProjectCtx } from '../../access';
import { type ChangedItems, changeItems } from './change-items';
import type { ItemsFormat, ItemsMode } from './dataset-input';
import { readItems } from './read-items';

/**
 * Adds items to a dataset, or changes those with a known id; `replace` also removes the items that
 * are not sent.
 *
 * @param input.mode unless the body names one
 * @throws AssayError not_found; invalid_request: an unreadable body; refused: too many items
 */
export async function addItems(
  ctx: ProjectCtx,
  slug: string,
  input: { readonly bytes: Buffer; readonly format: ItemsFormat; readonly mode: ItemsMode },
): Promise<ChangedItems> {
  const { items, rejected, mode } = readItems(input.bytes, input.format);
  return changeItems(ctx, slug, { items, rejected, mode: mode ?? input.mode });
}
