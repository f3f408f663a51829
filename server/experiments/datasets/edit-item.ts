import type { ProjectCtx } from '../../access';
import { invalid, notFound } from '../../platform';
import { type ChangedItems, changeItems } from './change-items';
import { getDatasetItem } from './get-item';
import { readItem } from './read-items';

export interface EditItem {
  readonly slug: string;
  readonly id: string;
  /** JSON text of `{input, context, tools, reference, metadata}`. */
  readonly content: string;
  readonly split: string | null;
  readonly tags: readonly string[];
}

/**
 * Changes one item, in the next version of the dataset.
 * @throws AssayError not_found, also for an item that the caller may not read; invalid_request
 */
export async function editItem(ctx: ProjectCtx, input: EditItem): Promise<ChangedItems> {
  const { slug, id, split, tags } = input;
  const { item: stored } = await getDatasetItem(ctx, { slug, id });
  if (stored.toVersion !== null) throw notFound('item');
  const read = readItem(input.content);
  if ('code' in read) throw invalid(read.message, [{ path: 'content', message: read.message }]);
  const item = { ...read, id, split, tags: [...new Set(tags)] };
  return changeItems(ctx, slug, { items: [{ index: 0, item }], rejected: [], mode: 'append' });
}
