'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { ErrorPanel } from '@/app/_ui/panel';
import { WhyList } from './why-list';

/** The decisions about a turn, loaded on request. */
export function Why({
  project,
  turnId,
  verified,
}: {
  project: string;
  turnId: string;
  verified: boolean;
}) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.decisions.list.queryOptions({ project, subject: turnId, limit: 50 }),
  );
  if (error) {
    return (
      <ErrorPanel
        what="The decisions could not be read"
        works="The turn itself is complete."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return data === undefined ? (
    <p className="late text-ink-3">Reading the decisions</p>
  ) : (
    <WhyList project={project} decisions={data.items} verified={verified} />
  );
}
