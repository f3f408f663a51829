'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { VerifierMeasures } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Choice } from '@/app/_ui/filter-fields';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ErrorPanel } from '@/app/_ui/panel';
import { plainText } from '@/app/_ui/visible-text';
import type { Days } from '@/server/calibration/input';
import { type About, verifierHref } from '../addresses';
import { PeriodNav } from '../period-nav';
import { MatrixPanel } from './matrix-panel';
import { OutweighingPanel } from './outweighing-panel';
import { RatePanel } from './rate-panel';
import { StepPanel } from './step-panel';

interface VerifierViewProps {
  about: About;
  days: Days;
  initial: VerifierMeasures;
}

export function VerifierView({ about, days, initial }: VerifierViewProps) {
  const { project, verifier, origin, judge = null } = about;
  const router = useRouter();
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.calibration.get.queryOptions(
    { project, verifier, origin, days, ...(judge !== null && { judge }) },
    { initialData: initial, placeholderData: keepPreviousData },
  );
  const { data, error, dataUpdatedAt, refetch } = useQuery(options);
  const live = useLive(project, () => void client.invalidateQueries({ queryKey: options.queryKey }));
  const labelled = data.rates.agreement.denominator;
  const known = `The truth is known of ${labelled.toLocaleString('en')}${origin === 'imported' ? '' : ` of ${data.counts.decided.toLocaleString('en')} decided`} verdicts`;
  return (
    <PageBody>
      <p>
        <Link href={`/p/${project}/calibration?days=${days}`} className="underline">
          Calibration
        </Link>
      </p>
      <PageHead title={plainText(verifier)} sub={origin === 'imported' ? `Imported judge. ${known}.` : `${known}.`}>
        <div className="flex flex-wrap items-center gap-4">
          <LiveMark state={live} readAt={dataUpdatedAt} />
          {data.judges.length === 0 && judge === null ? null : (
            <Choice
              name="Judge"
              value={judge}
              values={data.judges}
              onChange={(each) => router.push(verifierHref({ ...about, judge: each }, days))}
            />
          )}
          <PeriodNav days={days} hrefOf={(each) => verifierHref(about, each)} />
        </div>
      </PageHead>
      {error ? (
        <ErrorPanel
          what="The measures could not be refreshed"
          works="What you see is the last reading; verdicts are still being made."
          problem={problemOf(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      <OutweighingPanel outweighing={data.outweighing} />
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <MatrixPanel about={about} data={data} />
        <RatePanel about={about} data={data} />
      </div>
      <StepPanel about={about} data={data} />
    </PageBody>
  );
}
