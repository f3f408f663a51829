import type { NewItem } from './item';
import type { RejectedItem, SentItem } from './read-items';

/** An item of the latest version, compared with the one that was sent under its id. */
export interface KnownItem {
  readonly ordinal: number;
  readonly isSame: boolean;
  readonly turnId: string | null;
  /** Kept if the reference is the same. */
  readonly label: Pick<NewItem, 'selection' | 'probability'> | null;
}

export interface DuplicateItem {
  readonly index: number;
  readonly id: string;
  /** The item with equal input, context and tools. */
  readonly sameAs: string;
}

export interface PlacedItem {
  readonly item: NewItem;
  /** Null means at the end. */
  readonly ordinal: number | null;
}

export interface PlannedChanges {
  readonly added: readonly PlacedItem[];
  readonly changed: readonly PlacedItem[];
  readonly unchanged: number;
  readonly duplicates: readonly DuplicateItem[];
  readonly rejected: readonly RejectedItem[];
}

export interface ChangesInput {
  readonly items: readonly SentItem[];
  /** The items of the latest version by id, if the request contains them. */
  readonly known: ReadonlyMap<string, KnownItem>;
  /** Ids of other items of the latest version by the hash of their content, in order. */
  readonly others: ReadonlyMap<string, readonly string[]>;
  readonly isSame: (one: NewItem, other: NewItem) => boolean;
  /** Known items stay unchanged. */
  readonly keepKnown: boolean;
}

/** The changes of a request. Pure. Of two items with one id, the first counts. */
export function planChanges(input: ChangesInput): PlannedChanges {
  const first = new Map<string, NewItem>();
  const byHash = new Map<string, string>();
  const added: PlacedItem[] = [];
  const changed: PlacedItem[] = [];
  const duplicates: DuplicateItem[] = [];
  const rejected: RejectedItem[] = [];
  let unchanged = 0;
  for (const { index, item } of input.items) {
    const { id, contentHash } = item;
    const earlier = first.get(id);
    if (earlier !== undefined) {
      if (input.isSame(earlier, item)) {
        unchanged++;
        duplicates.push({ index, id, sameAs: id });
      } else rejected.push({ index, id, code: 'duplicate_id', message: repeated(id) });
      continue;
    }
    first.set(id, item);
    const sameAs = input.others.get(contentHash)?.find((other) => other !== id);
    const twin = sameAs ?? byHash.get(contentHash);
    if (twin === undefined) byHash.set(contentHash, id);
    else duplicates.push({ index, id, sameAs: twin });
    const known = input.known.get(id);
    if (known === undefined) added.push({ item, ordinal: null });
    else if (known.isSame || input.keepKnown) unchanged++;
    else changed.push({ item: keepOrigin(item, known), ordinal: known.ordinal });
  }
  return { added, changed, unchanged, duplicates, rejected };
}

const repeated = (id: string): string =>
  `\`id\` "${id}" is used by an earlier item of the request with other content; the first one counts.`;

/** A changed item stays with its turn: a deletion of the turn deletes the item too. */
const keepOrigin = (item: NewItem, { turnId, label }: KnownItem): NewItem => ({
  ...item,
  turnId: item.turnId ?? turnId,
  selection: item.selection ?? label?.selection ?? null,
  probability: item.probability ?? label?.probability ?? null,
});
