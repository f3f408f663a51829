import type { VerdictLabels } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';

type Report = VerdictLabels['reports'][number];

function saidOf({ success, score, value }: Report): string {
  if (success !== null) return success ? 'good' : 'not good';
  if (value !== null) return value;
  return score === null ? '' : `score ${score}`;
}

/** Ground truth about the subject that callers reported and imports brought. */
export function ReportList({ reports }: { reports: readonly Report[] }) {
  if (reports.length === 0) return null;
  return (
    <ul aria-label="Reported about this answer" className="border-line grid gap-1 border-t pt-2">
      {reports.map((report) => (
        <li key={report.id} className="text-12 flex flex-wrap gap-x-2 [overflow-wrap:anywhere]">
          <span>{report.kind === 'import' ? 'Imported' : 'Outcome'}</span>
          <VisibleText text={saidOf(report)} />
          <span className="text-ink-3">
            <VisibleText text={report.by} />
          </span>
          <span className="text-ink-2">
            <Moment at={report.createdAt} />
          </span>
          {report.note ? (
            <span className="basis-full">
              <VisibleText text={report.note} />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
