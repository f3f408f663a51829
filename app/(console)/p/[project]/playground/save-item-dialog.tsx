'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button, buttonClass } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { FieldError, SelectField } from '@/app/_ui/field';
import { plainText } from '@/app/_ui/visible-text';
import { CheckField } from '../reports/(list)/check-field';
import { type Draft, newItemText } from './draft';

interface SaveItemDialogProps {
  project: string;
  draft: Draft;
  answer: string;
  onClose: () => void;
}

/** Makes the draft an item of a dataset, with the answer as its expected output if wanted. */
export function SaveItemDialog({ project, draft, answer, onClose }: SaveItemDialogProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const datasets = useQuery(trpc.datasets.list.queryOptions({ project, limit: 200 }));
  const [chosen, setChosen] = useState<string | null>(null);
  const [isExpected, setExpected] = useState(false);
  const add = useMutation(
    trpc.datasets.addItems.mutationOptions({
      onSettled: () => client.invalidateQueries({ queryKey: trpc.datasets.pathKey() }),
    }),
  );
  const known = datasets.data?.items ?? [];
  const slug = chosen ?? known[0]?.slug ?? '';
  const error = datasets.error ?? add.error;
  const [refused] = add.data?.rejected ?? [];
  const isDone = add.data !== undefined && refused === undefined;
  return (
    <Dialog title="Save as item" onClose={onClose}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const text = newItemText(draft, isExpected ? answer : null);
          if (slug !== '') add.mutate({ project, slug, text, format: 'json', mode: 'append' });
        }}
      >
        {isDone ? (
          <p role="status">The draft is an item of version {add.data.version} now.</p>
        ) : (
          <>
            <SelectField
              label="Dataset"
              value={slug}
              options={known.map((dataset) => [dataset.slug, plainText(dataset.name)])}
              error={
                datasets.data !== undefined && known.length === 0
                  ? 'There is no dataset yet. Create one under Datasets.'
                  : undefined
              }
              onChange={setChosen}
            />
            <CheckField
              label="Expect this answer"
              hint="The answer becomes the item’s reference."
              checked={isExpected}
              onChange={setExpected}
            />
          </>
        )}
        <FieldError text={error ? problemOf(error).message : refused?.message} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{isDone ? 'Close' : 'Cancel'}</Button>
          {isDone ? (
            <Link
              href={`/p/${project}/datasets/${slug}`}
              prefetch={false}
              className={buttonClass('primary')}
            >
              Open dataset
            </Link>
          ) : (
            <Button
              type="submit"
              variant="primary"
              busy={add.isPending}
              disabled={datasets.isPending}
            >
              Save
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
