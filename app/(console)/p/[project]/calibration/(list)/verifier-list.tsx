'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { Measures } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { minSampleSize } from '@/app/_ui/rate';
import type { Days } from '@/server/measures/input';
import { ImportedPanels } from '../imported-panels';
import { PeriodNav } from '../period-nav';
import { VerifierDots } from './verifier-dots';
import { VerifierTable } from './verifier-table';

interface VerifierListProps {
  project: string;
  days: Days;
  initial: Measures;
}

/** How often each verifier is right; updated by rulings while the page is open. */
export function VerifierList({ project, days, initial }: VerifierListProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.calibration.list.queryOptions(
    { project, days },
    { initialData: initial, placeholderData: keepPreviousData },
  );
  const { data, error, dataUpdatedAt, refetch } = useQuery(options);
  const live = useLive(
    project,
    () => void client.invalidateQueries({ queryKey: options.queryKey }),
  );
  const verifierRows = data.verifiers.filter(({ origin }) => origin === 'verifier');
  const imported = data.verifiers.filter(({ origin }) => origin === 'imported');
  return (
    <PageBody>
      <PageHead
        title="Calibration"
        sub="How often each verifier is right, measured by human rulings and reported outcomes."
      >
        <div className="flex flex-wrap items-center gap-4">
          <LiveMark state={live} readAt={dataUpdatedAt} />
          <PeriodNav days={days} hrefOf={(each) => `/p/${project}/calibration?days=${each}`} />
        </div>
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The measures could not be refreshed"
          works="The page shows the last loaded data; verification continues."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <VerifierDots project={project} days={days} verifiers={verifierRows} />
      <Panel
        title="Verifiers"
        aside={
          <span className="text-12 text-ink-3">
            95% intervals; under n = {minSampleSize} only counts, in grey
          </span>
        }
      >
        {verifierRows.length === 0 ? (
          <Empty title="No verifier yet." />
        ) : (
          <VerifierTable
            label="Verifiers"
            project={project}
            days={days}
            from={data.from}
            verifiers={verifierRows}
          />
        )}
      </Panel>
      {verifierRows.some(({ rates }) => rates.agreement.denominator > 0) ? null : (
        <p className="text-ink-2 max-w-[72ch]">
          No labels in this period. Rule on verdicts on their pages, report outcomes with{' '}
          <code className="text-12 font-mono">POST /v1/outcomes</code>, or import labelled rows.
        </p>
      )}
      {imported.length > 0 ? (
        <Panel
          title="Imported judges"
          aside={<span className="text-12 text-ink-3">Imported verdicts and second opinions</span>}
        >
          <VerifierTable
            label="Imported judges"
            project={project}
            days={days}
            from={data.from}
            verifiers={imported}
          />
        </Panel>
      ) : null}
      {imported.length > 0 ? <ImportedPanels project={project} judge={null} /> : null}
    </PageBody>
  );
}
