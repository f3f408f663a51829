'use client';

import dynamic from 'next/dynamic';
import type { ReactNode } from 'react';
import type { ChangeMarks } from '@/app/_trpc/outputs';
import { Skeleton } from '@/app/_ui/panel';
import type { Days } from '@/server/measures/input';
import type { About, VerifierTab } from '../addresses';
import { MatrixPanel } from './matrix-panel';
import type { PageData, PanelKey } from './panels';
import { RatePanel } from './rate-panel';

// Loaded separately by the browser, because a page opens with one tab. Each has a skeleton: without
// one, the whole page would be hidden while a tab loads, and the focus lost.
const StepPanel = dynamic(() => import('./step-panel').then((module) => module.StepPanel), {
  loading: TabSkeleton,
});
const CorrectedPanel = dynamic(
  () => import('./corrected-panel').then((module) => module.CorrectedPanel),
  { loading: TabSkeleton },
);
const SummaryPanel = dynamic(
  () => import('./summary-panel').then((module) => module.SummaryPanel),
  { loading: TabSkeleton },
);
const ScoresTab = dynamic(() => import('./scores-tab').then((module) => module.ScoresTab), {
  loading: TabSkeleton,
  ssr: false,
});
const AgreementPanel = dynamic(
  () => import('./agreement-panel').then((module) => module.AgreementPanel),
  { loading: TabSkeleton, ssr: false },
);
const SlicePanel = dynamic(() => import('./slice-panel').then((module) => module.SlicePanel), {
  loading: TabSkeleton,
  ssr: false,
});
const StabilityTab = dynamic(
  () => import('./stability-tab').then((module) => module.StabilityTab),
  { loading: TabSkeleton, ssr: false },
);
const CaughtCostPanel = dynamic(
  () => import('./caught-cost-panel').then((module) => module.CaughtCostPanel),
  { loading: TabSkeleton, ssr: false },
);

interface TabPanelProps {
  about: About;
  days: Days;
  data: PageData;
  shown: ReadonlySet<PanelKey>;
  changes: ChangeMarks;
  /** Whether anything is still being loaded. */
  isLoading: boolean;
}

/** The panels of one tab that have data; a skeleton until they are loaded. */
export function TabPanels({ tab, ...props }: TabPanelProps & { tab: VerifierTab }): ReactNode {
  const { about, days, data, isLoading } = props;
  const { report, costs } = data;
  if (tab === 'rates') return <RatesTab {...props} />;
  if (tab === 'stability') return <StabilityTab about={about} drift={report?.drift ?? null} />;
  if (tab === 'cost')
    return costs === null ? (
      isLoading && <TabSkeleton />
    ) : (
      <CaughtCostPanel about={about} costs={costs} />
    );
  if (report === null) return isLoading && <TabSkeleton />;
  if (tab === 'people') return <AgreementPanel report={report} />;
  if (tab === 'slices') return <SlicePanel about={about} report={report} days={days} />;
  return <ScoresTab report={report} scores={data.scores} shown={props.shown} />;
}

const pair = 'grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2';
const column = 'grid grid-cols-[minmax(0,1fr)] gap-4';

function RatesTab({ about, data, shown, changes, isLoading }: TabPanelProps) {
  const { detail, report } = data;
  return (
    <>
      {data.shown === null ? (
        isLoading && <TabSkeleton />
      ) : (
        <div className={pair}>
          <div className={column}>
            {shown.has('matrix') ? <MatrixPanel about={about} data={data.shown} /> : null}
            {shown.has('steps') && detail !== null ? (
              <StepPanel about={about} data={detail} changes={changes} />
            ) : null}
          </div>
          {shown.has('measures') ? <RatePanel about={about} data={data.shown} /> : null}
        </div>
      )}
      {report === null ? null : (
        <div className={pair}>
          {shown.has('corrected') ? <CorrectedPanel corrected={report.corrected} /> : null}
          {shown.has('summary') ? <SummaryPanel about={about} report={report} /> : null}
        </div>
      )}
    </>
  );
}

function TabSkeleton() {
  return (
    <div className="late grid gap-4 xl:grid-cols-2" role="status" aria-label="Loading the report">
      <Skeleton className="h-72" />
      <Skeleton className="h-72" />
    </div>
  );
}
