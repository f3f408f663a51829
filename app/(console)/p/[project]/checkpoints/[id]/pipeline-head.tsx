import Link from 'next/link';
import type { ReactNode } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import type { PipelineData } from '@/app/_trpc/outputs';
import { EntityTitle } from '@/app/_ui/entity-title';
import { titleLine } from '@/server/domain';
import { Age } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText } from '../../traces/amounts';
import { OutcomeBadge } from '../outcome-badge';

interface PipelineHeadProps {
  project: string;
  pipeline: PipelineData;
  children: ReactNode;
}

export function PipelineHead({ project, pipeline, children }: PipelineHeadProps) {
  const { id, complexity, origin, sessionId, traceId, isTraced, reported, cost, lastAt } = pipeline;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-80 gap-1">
        <Crumbs
          trail={[
            {
              name: 'Checkpoints',
              href: `/p/${project}/checkpoints`,
              list: `${project}/checkpoints`,
            },
          ]}
          pageName="Pipeline"
        />
        <EntityTitle text={titleLine(pipeline.query)} noun="Pipeline" id={id} />
        <div className="text-ink-2 flex flex-wrap items-center gap-x-4 gap-y-1">
          <span className="flex items-center gap-2">
            Reported outcome <OutcomeBadge succeeded={reported?.succeeded ?? null} />
            {reported === null ? null : (
              <span className="text-ink-3 min-w-0 [overflow-wrap:anywhere]">
                by{' '}
                <VisibleText
                  text={[reported.by, reported.value, reported.note]
                    .filter((text) => text !== null && text !== '')
                    .join(', ')}
                />
              </span>
            )}
          </span>
          {complexity === null ? null : <span>Complexity {complexity}</span>}
          {cost.attempts === 0 ? null : <span>{costSentence(cost)}</span>}
          {origin === 'import' ? <span>imported</span> : null}
          <span>
            last received <Age at={lastAt} /> ago
          </span>
        </div>
      </div>
      <nav aria-label="Pipeline" className="text-ink-2 flex items-center gap-3">
        {children}
        {traceId === null || !isTraced ? null : (
          <Link
            href={`/p/${project}/traces/${encodeURIComponent(traceId)}`}
            prefetch={false}
            className="hover:text-ink underline"
          >
            Trace
          </Link>
        )}
        {sessionId === null ? null : (
          <Link
            href={`/p/${project}/sessions/${encodeURIComponent(sessionId)}`}
            prefetch={false}
            className="hover:text-ink underline"
          >
            Session
          </Link>
        )}
      </nav>
    </div>
  );
}

/** Both total costs, and their ratio if the cost of every attempt is known. */
function costSentence({
  verifyingUsd,
  priceUnknown,
  workUsd,
  costed,
  attempts,
}: PipelineData['cost']): string {
  const verifying = `Verifying ${priceUnknown ? 'at least ' : ''}${costText(verifyingUsd)}`;
  if (workUsd === null) return `${verifying}, the work’s cost is not known`;
  if (costed < attempts)
    return `${verifying}, the work ${costText(workUsd)} (known of ${costed} of ${attempts} attempts)`;
  return `${verifying}, the work ${costText(workUsd)}${workUsd > 0 && !priceUnknown ? ` (${((verifyingUsd / workUsd) * 100).toFixed(1)}%)` : ''}`;
}
