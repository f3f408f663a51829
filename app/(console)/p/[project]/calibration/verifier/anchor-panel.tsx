'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { may } from '@/app/(console)/pages';
import { useTRPC } from '@/app/_trpc/client';
import type { AnchorSet } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { Empty, Panel, Skeleton } from '@/app/_ui/panel';
import { readVerifierName } from '@/server/domain';
import { AnchorSetView } from './anchor-set-view';
import { FreezeDialog } from './freeze-dialog';

interface AnchorPanelProps {
  project: string;
  /** Sets cover all its versions and series. */
  verifier: string;
}

/**
 * Labelled subjects of a verifier that are frozen and judged repeatedly: a change in their results
 * comes from the judge, not from the traffic.
 */
export function AnchorPanel({ project, verifier }: AnchorPanelProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const [freezing, setFreezing] = useState(false);
  const { slug } = readVerifierName(verifier);
  const options = trpc.calibration.anchors.queryOptions({ project, verifier: slug });
  const sets = useQuery(options);
  const opened = useQuery(trpc.projects.get.queryOptions({ project }));
  const mayWrite = opened.data !== undefined && may(opened.data, 'settings.write');
  const reread = () => void client.invalidateQueries({ queryKey: options.queryKey });
  const current = sets.data?.filter(({ retired }) => !retired) ?? [];
  const retired = sets.data?.filter((set) => set.retired) ?? [];
  return (
    <Panel
      title="Anchor sets"
      aside={mayWrite ? <Button onClick={() => setFreezing(true)}>Freeze a set</Button> : null}
    >
      {sets.error ? (
        <div className="p-4">
          <FieldError text={problemOf(sets.error).message} />
        </div>
      ) : sets.data === undefined ? (
        <Skeleton className="m-4 h-24" />
      ) : current.length === 0 ? (
        <Empty title={retired.length === 0 ? 'No anchor set yet.' : 'No anchor set in use.'}>
          <p>
            An anchor set is frozen, labelled work of this verifier: half bad and half good if
            possible. The verifier judges it again manually or on schedule, which separates changes
            of the judge from changes of the traffic. It affects no measure and no verdict.
          </p>
          {mayWrite ? null : <p>Freezing a set requires the role admin.</p>}
        </Empty>
      ) : (
        <SetList sets={current} {...{ project, mayWrite }} onChange={reread} />
      )}
      {retired.length === 0 ? null : (
        <details className="border-line border-t">
          <summary className="text-ink-2 cursor-pointer px-4 py-3">
            {retired.length === 1
              ? '1 retired set'
              : `${retired.length.toLocaleString('en')} retired sets`}
          </summary>
          <SetList sets={retired} project={project} mayWrite={false} onChange={reread} />
        </details>
      )}
      {freezing ? (
        <FreezeDialog
          project={project}
          verifier={slug}
          onFrozen={reread}
          onClose={() => setFreezing(false)}
        />
      ) : null}
    </Panel>
  );
}

interface SetListProps {
  sets: readonly AnchorSet[];
  project: string;
  mayWrite: boolean;
  onChange: () => void;
}

function SetList({ sets, ...rest }: SetListProps) {
  return (
    <ul className="divide-line grid grid-cols-[minmax(0,1fr)] divide-y">
      {sets.map((set) => (
        <li key={set.id}>
          <AnchorSetView set={set} {...rest} />
        </li>
      ))}
    </ul>
  );
}
