import type { DatasetRow, ItemsChanged } from '@/app/_trpc/outputs';

/** The number of items of each split, largest first; items without a split come last. */
export function splitCounts({
  items,
  splits,
}: Pick<DatasetRow, 'items' | 'splits'>): readonly (readonly [string | null, number])[] {
  const named = Object.entries(splits).sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const withoutSplit = items - named.reduce((sum, [, count]) => sum + count, 0);
  return withoutSplit > 0 ? [...named, [null, withoutSplit]] : named;
}

export function splitsText(dataset: Pick<DatasetRow, 'items' | 'splits'>): string {
  if (Object.keys(dataset.splits).length === 0) return '–';
  return splitCounts(dataset)
    .map(([name, count]) => `${name ?? 'no split'} ${count.toLocaleString('en')}`)
    .join(', ');
}

type Counts = Pick<ItemsChanged, 'added' | 'changed' | 'removed'> & { readonly unchanged?: number };

/** As in "3 added, 1 changed"; parts that are zero are omitted. */
export function changesText({ added, changed, removed, unchanged = 0 }: Counts): string {
  const parts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
    [unchanged, 'unchanged'],
  ] as const;
  const text = parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString('en')} ${word}`)
    .join(', ');
  return text === '' ? 'no change' : text;
}

export function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
