import type { CalibrationReport } from '@/app/_trpc/outputs';
import type { Days } from '@/server/measures/input';
import type { About } from '../addresses';
import { AgreementPanel } from './agreement-panel';
import { AlertPanel } from './alert-panel';
import { CorrectedPanel } from './corrected-panel';
import { CorrelationPanel } from './correlation-panel';
import { CurvePanels } from './curve-panels';
import { DriftPanel } from './drift-panel';
import { ReliabilityPanel } from './reliability-panel';
import { SlicePanel } from './slice-panel';
import { SummaryPanel } from './summary-panel';

interface ReportPanelsProps {
  about: About;
  days: Days;
  report: CalibrationReport;
}

/** Results about a verifier beyond its rates. */
export function ReportPanels({ about, days, report }: ReportPanelsProps) {
  return (
    <>
      <AlertPanel project={about.project} verifier={about.verifier} alerts={report.alerts} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        <CorrectedPanel corrected={report.corrected} />
        <AgreementPanel report={report} />
      </div>
      <CurvePanels curves={report.curves} from={report.from} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        <ReliabilityPanel reliability={report.reliability} from={report.from} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <CorrelationPanel correlation={report.correlation} />
          <SummaryPanel about={about} report={report} />
        </div>
      </div>
      <SlicePanel about={about} report={report} days={days} />
      <DriftPanel drift={report.drift} />
    </>
  );
}
