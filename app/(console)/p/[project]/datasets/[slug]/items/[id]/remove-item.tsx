'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';

export function RemoveItem({ project, slug, id }: { project: string; slug: string; id: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const client = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const remove = useMutation(
    trpc.datasets.removeItems.mutationOptions({
      onSuccess: async ({ version }) => {
        announce(`Item removed in version ${version}`);
        await client.invalidateQueries({ queryKey: trpc.datasets.pathKey() });
        router.push(`/p/${project}/datasets/${slug}`);
      },
    }),
  );
  return (
    <>
      <Button variant="quiet" onClick={() => setConfirming(true)}>
        Remove item
      </Button>
      {confirming ? (
        <Confirm
          title="Remove this item"
          action="Remove item"
          busy={remove.isPending || remove.isSuccess}
          error={remove.error ? problemOf(remove.error).message : null}
          onConfirm={() => remove.mutate({ project, slug, ids: [id] })}
          onClose={() => {
            remove.reset();
            setConfirming(false);
          }}
        >
          <p>The next version of the dataset is without it. Earlier versions keep it.</p>
        </Confirm>
      ) : null}
    </>
  );
}
