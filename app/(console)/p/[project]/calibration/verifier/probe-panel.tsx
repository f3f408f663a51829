'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { may } from '@/app/(console)/pages';
import { useTRPC } from '@/app/_trpc/client';
import { problemOf } from '@/app/_trpc/problem';
import { FieldError } from '@/app/_ui/field';
import { Panel, Skeleton } from '@/app/_ui/panel';
import { readVerifierName } from '@/server/domain';
import { ProbeView } from './probe-view';

interface ProbePanelProps {
  project: string;
  /** Probes cover all its versions and series. */
  verifier: string;
}

/**
 * Tests the influences on a verifier's judge: whether it repeats itself, and whether it reacts to
 * content that it should ignore.
 */
export function ProbePanel({ project, verifier }: ProbePanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { slug } = readVerifierName(verifier);
  const options = trpc.probes.list.queryOptions({ project, verifier: slug });
  const probes = useQuery(options);
  const opened = useQuery(trpc.projects.get.queryOptions({ project }));
  const mayWrite = opened.data !== undefined && may(opened.data, 'settings.write');
  const reread = () => void client.invalidateQueries({ queryKey: options.queryKey });
  return (
    <Panel
      title="Probes"
      aside={
        <span className="text-12 text-ink-3">
          {mayWrite ? 'They count in no measure' : 'Running a probe requires the role admin'}
        </span>
      }
    >
      {probes.error ? (
        <div className="p-4">
          <FieldError text={problemOf(probes.error).message} />
        </div>
      ) : probes.data === undefined ? (
        <Skeleton className="m-4 h-24" />
      ) : (
        <ul className="divide-line grid grid-cols-[minmax(0,1fr)] divide-y">
          {probes.data.map((each) => (
            <li key={each.probe}>
              <ProbeView
                state={each}
                project={project}
                verifier={slug}
                mayWrite={mayWrite}
                onChange={reread}
              />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
