'use client';

import { Select } from '../_ui/select';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { SavedViewPage } from '@/server/domain';
import { useTRPC } from '../_trpc/client';
import { Button } from '../_ui/button';
import { plainText } from '../_ui/visible-text';
import { viewHref } from './saved-view-pages';
import { SavedViewsDialog } from './saved-views-dialog';

interface SavedViewsProps {
  project: string;
  page: SavedViewPage;
  /** The list's current filters as a query string; empty without filters. */
  query: string;
}

/** The saved views of a list, with a button to save the current filters. */
export function SavedViews({ project, page, query }: SavedViewsProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const options = trpc.views.list.queryOptions({ project }, { staleTime: 60_000, retry: false });
  const { data } = useQuery(options);
  const views = (data?.views ?? []).filter((view) => view.page === page);
  const current = views.find((view) => view.query === query) ?? null;
  const groups = [
    ['Mine', views.filter(({ isMine }) => isMine)],
    ['Shared', views.filter(({ isMine }) => !isMine)],
  ] as const;
  return (
    <>
      <Select
        label="Saved view"
        value={current?.id ?? ''}
        options={[['', views.length === 0 ? 'No saved view' : 'Saved views']]}
        groups={groups
          .filter(([, group]) => group.length > 0)
          .map(([name, group]) => ({
            name,
            options: group.map((view) => [view.id, plainText(view.name)] as const),
          }))}
        onChange={(chosen) => {
          const view = views.find(({ id }) => id === chosen);
          if (view !== undefined) router.push(viewHref(project, view));
        }}
        className="md:w-44"
      />
      <Button onClick={() => setOpen(true)}>{query === '' ? 'Views' : 'Save view'}</Button>
      {isOpen ? (
        <SavedViewsDialog
          project={project}
          page={page}
          query={query}
          views={views}
          current={current}
          mayShare={data?.mayShare ?? false}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  );
}
