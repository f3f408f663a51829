'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';

interface DeleteButtonProps {
  project: string;
  kind: 'session' | 'trace' | 'turn';
  id: string;
}

const texts: Record<DeleteButtonProps['kind'], string> = {
  session:
    'This deletes the session with its turns, traces and calls, and the verdicts and labels on them.',
  trace: 'This deletes the trace with its spans and turns, and the verdicts and labels on them.',
  turn: 'This deletes the turn with the verdicts and labels on it.',
};
const lists: Record<DeleteButtonProps['kind'], string> = {
  session: 'sessions',
  trace: 'traces',
  turn: 'verdicts',
};

/** Deletes the page's subject permanently, and returns to the list. */
export function DeleteButton({ project, kind, id }: DeleteButtonProps) {
  const router = useRouter();
  const client = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const remove = useMutation(
    useTRPC().data.delete.mutationOptions({
      onSuccess: ({ state }) => {
        announce(state === 'done' ? 'Deleted' : 'Being deleted');
        client.clear();
        router.push(`/p/${project}/${lists[kind]}`);
      },
    }),
  );
  return (
    <>
      <Button variant="quiet" onClick={() => setConfirming(true)}>
        {`Delete ${kind}`}
      </Button>
      {confirming ? (
        <Confirm
          title={`Delete this ${kind}`}
          action={`Delete ${kind}`}
          busy={remove.isPending || remove.isSuccess}
          error={remove.error ? problemOf(remove.error).message : null}
          onConfirm={() => remove.mutate({ project, kind, id })}
          onClose={() => setConfirming(false)}
        >
          <p>
            {texts[kind]} The same id is not accepted again, and all export files of the project are
            deleted too. This cannot be undone.
          </p>
        </Confirm>
      ) : null}
    </>
  );
}
