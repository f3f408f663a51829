'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { Crumbs } from '@/app/(console)/crumbs';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { VerifierTrust } from '@/app/(console)/verifier-trust';
import { useTRPC } from '@/app/_trpc/client';
import type { CalibrationReport, VerifierDetail } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel, Skeleton } from '@/app/_ui/panel';
import { plainText } from '@/app/_ui/visible-text';
import type { Days } from '@/server/measures/input';
import { readVerifierName, seriesOf } from '@/server/domain';
import {
  type About,
  measureInput,
  reportInput,
  sliceOf,
  verifierHref,
  viewParsers,
} from '../addresses';
import { PeriodNav } from '../period-nav';
import { MatrixPanel } from './matrix-panel';
import { OutweighingPanel } from './outweighing-panel';
import { RatePanel } from './rate-panel';
import { Selectors } from './selectors';

// Panels below the first screen, loaded separately by the browser.
const AnchorPanel = dynamic(() => import('./anchor-panel').then((module) => module.AnchorPanel), {
  loading: ReportSkeleton,
  ssr: false,
});
const ChartPanels = dynamic(() => import('./chart-panels').then((module) => module.ChartPanels), {
  loading: ReportSkeleton,
  ssr: false,
});
const ImportedPanels = dynamic(() =>
  import('../imported-panels').then((module) => module.ImportedPanels),
);
const StepPanel = dynamic(() => import('./step-panel').then((module) => module.StepPanel));
const ProbePanel = dynamic(() => import('./probe-panel').then((module) => module.ProbePanel), {
  loading: ReportSkeleton,
  ssr: false,
});
const ReportPanels = dynamic(
  () => import('./report-panels').then((module) => module.ReportPanels),
  {
    loading: ReportSkeleton,
    ssr: false,
  },
);

interface VerifierViewProps {
  /** The subject that `initial` was loaded for. */
  first: About;
  firstDays: Days;
  initial: VerifierDetail;
}

export function VerifierView({ first, firstDays, initial }: VerifierViewProps) {
  const { project } = first;
  const trpc = useTRPC();
  const client = useQueryClient();
  const [{ days, verifier: named, ...chosen }, setAddress] = useQueryStates(viewParsers, {
    history: 'push',
  });
  const about: About = { project, ...chosen, verifier: named ?? first.verifier };
  const { verifier, origin } = about;
  const isOwn = origin === 'verifier';
  const sameAsFirst =
    verifierHref(about, days) ===
    verifierHref(
      { ...first, policy: about.policy ?? null, by: about.by ?? null, of: about.of ?? null },
      firstDays,
    );
  const options = trpc.calibration.get.queryOptions(measureInput(about, days), {
    ...(sameAsFirst && { initialData: initial }),
    placeholderData: keepPreviousData,
  });
  const measures = useQuery(options);
  const reportOptions = trpc.calibration.report.queryOptions(reportInput(about, days), {
    enabled: isOwn,
    placeholderData: keepPreviousData,
  });
  const reported = useQuery(reportOptions);
  const marks = useQuery(
    trpc.charts.marks.queryOptions(
      { project, verifier, days },
      { enabled: isOwn, placeholderData: keepPreviousData },
    ),
  );
  const live = useLive(project, () => {
    void client.invalidateQueries({ queryKey: trpc.charts.pathKey() });
    void client.invalidateQueries({ queryKey: options.queryKey });
    void client.invalidateQueries({ queryKey: reportOptions.queryKey });
  });
  // Keep only the selectors of the previous selection: its numbers would appear under the wrong
  // name.
  const data = measures.isPlaceholderData ? null : (measures.data ?? null);
  const report = reported.isPlaceholderData ? null : (reported.data ?? null);
  // For one policy or slice, only the report applies: the other numbers cover all of them.
  const isPart = about.policy != null || sliceOf(about) !== null;
  const shown = isPart ? report : data;
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[{ name: 'Calibration', href: `/p/${project}/calibration?days=${days}` }]}
            here={verifier}
          />
        }
        title={plainText(verifier)}
        sub={`${isOwn ? '' : 'Imported judge. '}${!isOwn && shown !== null && saysNothing(shown.counts) ? '' : knownText(shown, isOwn && !isPart)}${pendingText(report)}`}
      >
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <LiveMark state={live} readAt={measures.dataUpdatedAt} />
          {isOwn ? (
            <VerifierTrust
              project={project}
              verifier={seriesOf(readVerifierName(verifier))}
              at="end"
            />
          ) : null}
          {isOwn ? (
            <Selectors
              about={about}
              judges={(measures.data ?? initial).judges}
              report={reported.data ?? null}
              onChange={(change) => void setAddress(change)}
            />
          ) : null}
          <PeriodNav days={days} hrefOf={(each) => verifierHref(about, each)} />
        </div>
      </PageHead>
      {measures.error ? (
        <ErrorPanel
          what="The measures could not be refreshed"
          works="The page shows the last loaded data; verification continues."
          problem={problemOf(measures.error)}
          onRetry={() => void measures.refetch()}
        />
      ) : null}
      <OutweighingPanel outweighing={(shown ?? initial).outweighing} />
      {shown === null ? (
        (isPart ? reported : measures).isFetching ? (
          <ReportSkeleton />
        ) : null
      ) : !isOwn && saysNothing(shown.counts) ? (
        <Panel title="Pass and fail">
          <Empty title="This judge gave no pass or fail in this period.">
            <p>Its judgements in other words or in grades are below.</p>
          </Empty>
        </Panel>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <MatrixPanel about={about} data={shown} />
            {isPart || data === null ? null : (
              <StepPanel about={about} data={data} changes={marks.data ?? noMarks} />
            )}
          </div>
          <RatePanel about={about} data={shown} />
        </div>
      )}
      {isOwn && !isPart && about.judge == null && readVerifierName(verifier).version === null ? (
        <ChartPanels project={project} verifier={verifier} days={days} />
      ) : null}
      {isOwn ? null : <ImportedPanels project={project} judge={verifier} />}
      {!isOwn ? null : reported.error ? (
        <ErrorPanel
          what="The report could not be read"
          works="The measures and their rows are still valid; verification continues."
          problem={problemOf(reported.error)}
          onRetry={() => void reported.refetch()}
        />
      ) : null}
      {report === null ? (
        isOwn && !isPart && reported.isFetching ? (
          <ReportSkeleton />
        ) : null
      ) : (
        <ReportPanels about={about} days={days} report={report} />
      )}
      {isOwn ? <AnchorPanel project={project} verifier={verifier} /> : null}
      {isOwn ? <ProbePanel project={project} verifier={verifier} /> : null}
    </PageBody>
  );
}

const noMarks = { marks: [], isCut: false };

/**
 * Judges of pairs, classes or grades never pass or fail: a matrix of zeros would be meaningless for
 * them.
 */
function saysNothing({
  caught,
  missed,
  rejected,
  passed,
  undecided,
  unparseable,
  decided,
}: VerifierDetail['counts']): boolean {
  return caught + missed + rejected + passed + undecided + unparseable + decided === 0;
}

function knownText(shown: VerifierDetail | CalibrationReport | null, withDecided: boolean): string {
  if (shown === null) return '';
  const decided = withDecided ? ` of ${shown.counts.decided.toLocaleString('en')} decided` : '';
  return `The truth is known of ${shown.rates.agreement.denominator.toLocaleString('en')}${decided} verdicts.`;
}

function pendingText(report: { readonly pending: number } | null): string {
  if (report === null || report.pending === 0) return '';
  return ` ${report.pending.toLocaleString('en')} ${report.pending === 1 ? 'label is' : 'labels are'} not counted in yet.`;
}

function ReportSkeleton() {
  return (
    <div className="late grid gap-4 xl:grid-cols-2" role="status" aria-label="Loading the report">
      <Skeleton className="h-72" />
      <Skeleton className="h-72" />
    </div>
  );
}
