'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { ErrorPanel } from '@/app/_ui/panel';
import { LongText } from './block';

/**
 * The bytes as they came, read as Latin-1 so that each byte shows, none is lost and controls are
 * marked.
 */
export function OriginalPanel({ project, turnId }: { project: string; turnId: string }) {
  const [open, setOpen] = useState(false);
  const trpc = useTRPC();
  const { data, error, refetch, isFetching } = useQuery(
    trpc.turns.original.queryOptions({ project, id: turnId }, { enabled: open }),
  );
  return (
    <div className="grid gap-2 pt-2">
      <div>
        <Button busy={isFetching} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide the original' : 'Show the original'}
        </Button>
      </div>
      {open && error ? (
        <ErrorPanel
          what="The original could not be read"
          works="The cleaned text is complete."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {open && data ? <LongText mono text={atob(data.base64)} /> : null}
    </div>
  );
}
