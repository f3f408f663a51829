'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { PipelineData } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { useKeys } from '@/app/_ui/keyboard';
import { PageBody } from '@/app/_ui/page-head';
import { ErrorPanel } from '@/app/_ui/panel';
import { LongText } from '../../verdicts/[id]/block';
import { recallList } from '@/app/(console)/list-memory';
import { DecompositionStep } from './decomposition-step';
import { OutputStep } from './output-step';
import { PipelineHead } from './pipeline-head';
import { RecordedOutputs, RecordedSynthesis } from './recorded-turns';
import { Step } from './step';
import { SynthesisStep } from './synthesis-step';

/**
 * One request along its pipeline: the query, the decomposition, the agents' outputs, the synthesis.
 */
export function PipelineView({ project, initial }: { project: string; initial: PipelineData }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const router = useRouter();
  const options = trpc.checkpoints.pipeline.queryOptions(
    { project, id: initial.id },
    { initialData: initial },
  );
  const { data, error, dataUpdatedAt, refetch } = useQuery(options);
  const live = useLive(
    project,
    () => void client.invalidateQueries({ queryKey: options.queryKey }),
  );
  useKeys({
    Escape: () =>
      router.push(`/p/${project}/checkpoints${recallList(`${project}/checkpoints`)?.search ?? ''}`),
  });
  const isRecorded = data.turns.length > 0;
  return (
    <PageBody>
      <PipelineHead project={project} pipeline={data}>
        <LiveMark state={live} readAt={dataUpdatedAt} />
      </PipelineHead>
      {error ? (
        <ErrorPanel
          what="The pipeline could not be refreshed"
          works="The page shows the last loaded data."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {data.isCut ? <p className="text-ink-2">Only a part is shown here.</p> : null}
      <ol aria-label="Pipeline" className="grid min-w-0">
        <Step name="Query">
          {data.query === null ? (
            <p className="text-ink-3">No call has reported the request.</p>
          ) : (
            <div className="bg-surface border-line rounded-8 border p-3">
              <LongText text={data.query} />
            </div>
          )}
        </Step>
        <DecompositionStep
          project={project}
          attempts={data.decompositions}
          isRecorded={isRecorded}
        />
        {isRecorded ? (
          <RecordedOutputs project={project} turns={data.turns} />
        ) : (
          <OutputStep project={project} subgoals={data.outputs} />
        )}
        {isRecorded ? (
          <RecordedSynthesis turns={data.turns} />
        ) : (
          <SynthesisStep project={project} attempts={data.syntheses} />
        )}
      </ol>
    </PageBody>
  );
}
