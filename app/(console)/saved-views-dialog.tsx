'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedViewPage } from '@/server/domain';
import { useTRPC } from '../_trpc/client';
import type { SavedView } from '../_trpc/outputs';
import { problemOf } from '../_trpc/problem';
import { announce } from '../_ui/announcer';
import { Button } from '../_ui/button';
import { Dialog } from '../_ui/dialog';
import { Field, FieldError } from '../_ui/field';
import { VisibleText } from '../_ui/visible-text';
import { savedViewLists, viewHref } from './saved-view-pages';

interface SavedViewsDialogProps {
  project: string;
  page: SavedViewPage;
  query: string;
  /** Views of this page. */
  views: readonly SavedView[];
  /** The view whose filters are set. */
  current: SavedView | null;
  mayShare: boolean;
  onClose: () => void;
}

/** Saves the current filters under a name, and edits saved views. */
export function SavedViewsDialog({
  project,
  page,
  query,
  views,
  current,
  mayShare,
  onClose,
}: SavedViewsDialogProps) {
  const list = savedViewLists[page].name;
  return (
    <Dialog title={`Saved views of ${list.toLowerCase()}`} onClose={onClose}>
      <div className="grid gap-4">
        {query === '' ? (
          <p className="text-ink-2">
            No filter is set. Set a filter first, then save it under a name.
          </p>
        ) : (
          <SaveForm {...{ project, page, query, current, mayShare, onClose }} />
        )}
        {views.length === 0 ? null : (
          <ul aria-label="Saved views" className="border-line grid gap-1 border-t pt-3">
            {views.map((view) => (
              <ViewLine key={view.id} project={project} view={view} />
            ))}
          </ul>
        )}
        <div className="flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
}

type SaveFormProps = Omit<SavedViewsDialogProps, 'views'>;

function SaveForm({ project, page, query, current, mayShare, onClose }: SaveFormProps) {
  const ownView = current?.isMine === true ? current : null;
  const [name, setName] = useState(ownView?.name ?? '');
  const [shared, setShared] = useState(ownView?.shared ?? false);
  const refresh = useRefresh();
  const save = useMutation(
    useTRPC().views.save.mutationOptions({
      onSuccess: () => {
        announce('View saved');
        refresh();
        onClose();
      },
    }),
  );
  return (
    <form
      className="grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ project, page, name, query, shared });
      }}
    >
      <Field
        label="Name"
        value={name}
        maxLength={80}
        required
        autoComplete="off"
        hint="If you enter an existing name, its filters are replaced."
        error={save.error ? problemOf(save.error).message : null}
        onChange={(event) => setName(event.target.value)}
      />
      {mayShare ? (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={shared}
            onChange={(event) => setShared(event.target.checked)}
          />
          Share with the project
        </label>
      ) : (
        <p className="text-12 text-ink-3">
          Only you see it: reviewers, admins and owners can share views.
        </p>
      )}
      <div>
        <Button type="submit" variant="primary" busy={save.isPending}>
          Save view
        </Button>
      </div>
    </form>
  );
}

function ViewLine({ project, view }: { project: string; view: SavedView }) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [name, setName] = useState<string | null>(null);
  const remove = useMutation(
    trpc.views.remove.mutationOptions({
      onSuccess: () => {
        announce('View removed');
        refresh();
      },
    }),
  );
  const rename = useMutation(
    trpc.views.rename.mutationOptions({
      onSuccess: () => {
        announce('View renamed');
        setName(null);
        refresh();
      },
    }),
  );
  const problem = remove.error ?? rename.error;
  return (
    <li className="grid gap-1">
      {name === null ? (
        <div className="flex flex-wrap items-center gap-2">
          <a
            href={viewHref(project, view)}
            className="mr-auto min-w-0 [overflow-wrap:anywhere] underline"
          >
            <VisibleText text={view.name} />
          </a>
          <span className="text-12 text-ink-3">
            {view.isMine ? (
              view.shared ? (
                'yours, shared'
              ) : (
                'yours'
              )
            ) : (
              <VisibleText text={`by ${view.by ?? 'a former member'}`} />
            )}
          </span>
          {view.mayChange ? (
            <>
              <Button
                variant="quiet"
                aria-label={`Rename ${view.name}`}
                onClick={() => setName(view.name)}
              >
                Rename
              </Button>
              <Button
                variant="quiet"
                aria-label={`Remove ${view.name}`}
                busy={remove.isPending}
                onClick={() => remove.mutate({ project, id: view.id })}
              >
                Remove
              </Button>
            </>
          ) : null}
        </div>
      ) : (
        <form
          ref={focusField}
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            rename.mutate({ project, id: view.id, name });
          }}
        >
          <Field
            label="New name"
            value={name}
            maxLength={80}
            required
            onChange={(event) => setName(event.target.value)}
          />
          <div className="flex gap-2">
            <Button type="submit" busy={rename.isPending}>
              Rename
            </Button>
            <Button variant="quiet" onClick={() => setName(null)}>
              Cancel
            </Button>
          </div>
        </form>
      )}
      <FieldError text={problem ? problemOf(problem).message : null} />
    </li>
  );
}

/** The button that opened the form has disappeared with its line: the focus moves to the field. */
function focusField(form: HTMLFormElement | null): void {
  form?.querySelector('input')?.focus();
}

function useRefresh(): () => void {
  const client = useQueryClient();
  const queryKey = useTRPC().views.list.queryKey();
  return () => void client.invalidateQueries({ queryKey });
}
