'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { plainText } from '@/app/_ui/visible-text';

interface DeleteDatasetProps {
  project: string;
  slug: string;
  name: string;
}

/** Deletes the dataset permanently, and returns to the list. */
export function DeleteDataset({ project, slug, name }: DeleteDatasetProps) {
  const router = useRouter();
  const client = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const remove = useMutation(
    useTRPC().datasets.delete.mutationOptions({
      onSuccess: () => {
        announce('Dataset deleted');
        client.clear();
        router.push(`/p/${project}/datasets`);
      },
    }),
  );
  return (
    <>
      <Button variant="quiet" onClick={() => setConfirming(true)}>
        Delete
      </Button>
      {confirming ? (
        <Confirm
          title={`Delete ${plainText(name)}`}
          action="Delete dataset"
          busy={remove.isPending || remove.isSuccess}
          error={remove.error ? problemOf(remove.error).message : null}
          onConfirm={() => remove.mutate({ project, slug })}
          onClose={() => {
            remove.reset();
            setConfirming(false);
          }}
        >
          <p>
            All its versions and items are deleted. Experiments that have ended keep their results.
            This cannot be undone.
          </p>
        </Confirm>
      ) : null}
    </>
  );
}
