import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';

export function ArchiveButton({ project, slug }: { project: string; slug: string }) {
  const router = useRouter();
  const [isAsking, setAsking] = useState(false);
  const archive = useMutation(
    useTRPC().verifiers.archive.mutationOptions({
      onSuccess: () => {
        announce('Verifier archived');
        router.push(`/p/${project}/verifiers`);
        router.refresh();
      },
    }),
  );
  return (
    <>
      <Button onClick={() => setAsking(true)}>Archive</Button>
      {isAsking ? (
        <Confirm
          title={`Archive ${slug}`}
          action="Archive verifier"
          busy={archive.isPending}
          error={archive.error ? problemOf(archive.error).message : null}
          onConfirm={() => archive.mutate({ project, slug })}
          onClose={() => {
            archive.reset();
            setAsking(false);
          }}
        >
          <p>
            Rules and calls no longer reach it. Its verdicts stay, and saving its definition again
            restores it.
          </p>
        </Confirm>
      ) : null}
    </>
  );
}
