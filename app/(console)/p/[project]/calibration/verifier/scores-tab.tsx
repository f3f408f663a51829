'use client';

import type { CalibrationReport, ScoreHistogram } from '@/app/_trpc/outputs';
import { CorrelationPanel } from './correlation-panel';
import { CurvePanels } from './curve-panels';
import type { PanelKey } from './panels';
import { ReliabilityPanel } from './reliability-panel';
import { ScoreSpreadPanel } from './score-spread-panel';

interface ScoresTabProps {
  report: CalibrationReport;
  scores: ScoreHistogram | null;
  shown: ReadonlySet<PanelKey>;
}

/** The verifier's scores: their distribution, their thresholds, and whether they are right. */
export function ScoresTab({ report, scores, shown }: ScoresTabProps) {
  return (
    <>
      {shown.has('scores') && scores !== null ? <ScoreSpreadPanel histogram={scores} /> : null}
      {shown.has('curves') && report.curves !== null ? (
        <CurvePanels curves={report.curves} from={report.from} />
      ) : null}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        {shown.has('reliability') && report.reliability !== null ? (
          <ReliabilityPanel reliability={report.reliability} from={report.from} />
        ) : null}
        {shown.has('correlation') ? <CorrelationPanel correlation={report.correlation} /> : null}
      </div>
    </>
  );
}
