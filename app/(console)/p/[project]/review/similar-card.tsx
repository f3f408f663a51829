'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ReviewItem, SimilarItems } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block } from '../verdicts/[id]/block';
import { itemTitle } from './review-words';

interface SimilarControl {
  readonly similar: SimilarItems['items'];
  /** Those that the next ruling also applies to. */
  readonly selected: readonly ReviewItem[];
  readonly select: (ids: readonly string[]) => void;
  /** All, or none if all are selected. */
  readonly toggle: () => void;
}

const none: readonly string[] = [];

/** Open items to which the same ruling may apply; none while the shown item is loading. */
export function useSimilar(
  project: string,
  item: ReviewItem | null,
  isShown: boolean,
  ruled: readonly { readonly item: ReviewItem }[],
): SimilarControl {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.review.similar.queryOptions(
      { project, item: item?.id ?? '' },
      { enabled: item !== null && isShown },
    ),
  );
  // A selection belongs to the item that was shown when it was made.
  const [chosen, setChosen] = useState<{ of: string; ids: readonly string[] } | null>(null);
  const done = new Set(ruled.map((each) => each.item.id));
  const similar = isShown ? (data?.items.filter((each) => !done.has(each.item.id)) ?? []) : [];
  const ids = chosen !== null && chosen.of === item?.id ? chosen.ids : none;
  const selected = similar.flatMap((each) => (ids.includes(each.item.id) ? [each.item] : []));
  const select = (to: readonly string[]) => item !== null && setChosen({ of: item.id, ids: to });
  return {
    similar,
    selected,
    select,
    toggle: () =>
      select(selected.length === similar.length ? none : similar.map((each) => each.item.id)),
  };
}

interface SimilarCardProps {
  project: string;
  isBlind: boolean;
  control: SimilarControl;
}

/** Similar items with their texts, of which some can be ruled on together with the shown one. */
export function SimilarCard({ project, isBlind, control }: SimilarCardProps) {
  const { similar, select, toggle } = control;
  if (similar.length === 0) return null;
  const selected = new Set(control.selected.map(({ id }) => id));
  const choose = (of: string, on: boolean) =>
    select(similar.map(({ item }) => item.id).filter((id) => (id === of ? on : selected.has(id))));
  return (
    <Block
      title={`Similar items (${similar.length})`}
      aside={
        <Button variant="quiet" onClick={toggle}>
          {selected.size === similar.length ? 'Select none' : 'Select all'}{' '}
          <kbd className="text-12 text-ink-3 hidden font-mono md:inline">s</kbd>
        </Button>
      }
    >
      <p className="text-12 text-ink-2 pb-2">
        {isBlind
          ? 'The same text. Your ruling also applies to the selected items, one label each.'
          : 'The same finding or text. Your ruling also applies to the selected items, one label each.'}
      </p>
      <ul aria-label="Similar items" className="grid gap-1">
        {similar.map(({ item, finding }) => (
          <li key={item.id} className="flex min-h-11 items-start gap-2 md:min-h-8">
            <label className="flex min-w-0 flex-1 items-start gap-2 py-1">
              <input
                type="checkbox"
                checked={selected.has(item.id)}
                onChange={({ target: { checked } }) => choose(item.id, checked)}
                className="mt-0.5 size-4 shrink-0"
              />
              <span className="grid min-w-0 [overflow-wrap:anywhere]">
                <span className="line-clamp-2">
                  <VisibleText text={itemTitle(item)} />
                </span>
                {finding === null ? null : (
                  <span className="text-12 text-ink-2 line-clamp-2">
                    <VisibleText text={finding} />
                  </span>
                )}
              </span>
            </label>
            {isBlind ? null : (
              <Link
                href={`/p/${project}/verdicts/${encodeURIComponent(item.verdictId)}`}
                prefetch={false}
                target="_blank"
                aria-label={`Open in a new tab: ${itemTitle(item)}`}
                className="text-12 text-ink-2 hover:text-ink py-1.5 underline"
              >
                Open
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Block>
  );
}
