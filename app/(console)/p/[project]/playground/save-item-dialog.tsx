'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button, buttonClass } from '@/app/_ui/button';
import { Dialog } from '@/app/_ui/dialog';
import { FieldError } from '@/app/_ui/field';
import { DatasetFields, useDatasetChoice } from '../datasets/dataset-choice';
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
  const trpcClient = useTRPCClient();
  const choice = useDatasetChoice(project);
  const [isExpected, setExpected] = useState(false);
  const add = useMutation({
    mutationFn: async (text: string) => {
      const slug = await choice.slug();
      const items = { project, slug, text, format: 'json', mode: 'append' } as const;
      return { slug, ...(await trpcClient.datasets.addItems.mutate(items)) };
    },
    onSettled: () => client.invalidateQueries({ queryKey: trpc.datasets.pathKey() }),
  });
  const [refused] = add.data?.rejected ?? [];
  const isDone = add.data !== undefined && refused === undefined;
  return (
    <Dialog title="Save as item" onClose={onClose}>
      <form
        className="grid gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate(newItemText(draft, isExpected ? answer : null));
        }}
      >
        {isDone ? (
          <p role="status">Added to version {add.data.version}.</p>
        ) : (
          <>
            <DatasetFields choice={choice} />
            <CheckField
              label="Expect this answer"
              hint="The answer becomes the item’s reference."
              checked={isExpected}
              onChange={setExpected}
            />
          </>
        )}
        <FieldError
          text={choice.error ?? (add.error ? problemOf(add.error).message : refused?.message)}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{isDone ? 'Close' : 'Cancel'}</Button>
          {isDone ? (
            <Link
              href={`/p/${project}/datasets/${add.data.slug}`}
              prefetch={false}
              className={buttonClass('primary')}
            >
              Open dataset
            </Link>
          ) : (
            <Button type="submit" variant="primary" busy={add.isPending} disabled={!choice.isReady}>
              Save
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
