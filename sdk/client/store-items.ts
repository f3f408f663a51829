import type { HttpApi } from './http-api';
import { messageOf } from './post';
import { parseObject } from './read-reply';

/** Items that become the latest version of a dataset. */
export interface ItemsSource {
  readonly text: string;
  readonly contentType: string;
  /** For messages. */
  readonly label: string;
  readonly count: number;
  /** Where an item is, for messages: `line 2`. */
  readonly place: (index: number) => string;
}

interface Storing {
  readonly api: HttpApi;
  readonly fail: (message: string) => Error;
}

const namedItems = 3;

/**
 * Replaces the items of a dataset, which is created if it is new.
 *
 * @returns the slug with the version
 * @throws errors of the API; the error of `fail` if an item was rejected
 */
export async function storeItems(
  slug: string,
  items: ItemsSource,
  { api, fail }: Storing,
): Promise<string> {
  const path = `/v1/datasets/${encodeURIComponent(slug)}`;
  const { status } = await api.callRaw(path);
  const isCreated = status === 404;
  if (isCreated)
    await api.call(path, { method: 'PUT', body: JSON.stringify({ name: slug, description: '' }) });
  const { contentType, text: body } = items;
  const stored = await api
    .call(`${path}/items`, { query: { mode: 'replace' }, body, contentType })
    .catch(async (error: unknown) => {
      if (isCreated) await deleteEmpty(api, path).catch(() => undefined);
      throw atItem(error, items, fail);
    });
  const named = rejectedText(stored.rejected, items.place);
  if (named === null) return `${slug}@${String(stored.version)}`;
  const isStored = Number(stored.added) + Number(stored.changed) + Number(stored.removed) > 0;
  if (isCreated && !isStored) await deleteEmpty(api, path);
  throw fail(
    `${items.label}: ${named}. ${
      isStored
        ? `The other items were stored as version ${String(stored.version)} of ${slug}`
        : 'Nothing was stored'
    }`,
  );
}

/** `2 rejected: line 2, id "a": …; line 4: …`, with the first three; null if none were rejected. */
export function rejectedText(rejected: unknown, place: (index: number) => string): string | null {
  if (!Array.isArray(rejected) || rejected.length === 0) return null;
  const named = rejected.slice(0, namedItems).map((each) => {
    const { index, id, message } = each as { index?: unknown; id?: unknown; message?: unknown };
    const withId = typeof id === 'string' ? `, id "${id}"` : '';
    return `${place(Number(index))}${withId}: ${String(message).replace(/\.$/, '')}`;
  });
  const more = rejected.length - named.length;
  return `${rejected.length} rejected: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Another process may have stored items in the meantime. */
async function deleteEmpty(api: HttpApi, path: string): Promise<void> {
  const { text } = await api.callRaw(path);
  if (parseObject(text)?.version === 0) await api.callRaw(path, { method: 'DELETE' });
}

/** The server names the place in its request; the message names the one in the file. */
function atItem(error: unknown, { label, place }: ItemsSource, fail: Storing['fail']): unknown {
  const found = /`items\[(\d+)\]` (.*?)(?: Correct it, or send .*)?$/s.exec(messageOf(error));
  return found === null ? error : fail(`${label}: ${place(Number(found[1]))} ${found[2]}`);
}
