import type { CalibrationReport } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';

const names: Record<CalibrationReport['alerts'][number]['measure'], string> = {
  catchRate: 'Catch rate',
  falsePositiveRate: 'False rejections of all',
  retrySuccess: 'Retry success',
};

/** SOAR-31: measures beyond their limit, with what is to be done. Nothing where none is. */
export function AlertPanel({ alerts }: Pick<CalibrationReport, 'alerts'>) {
  if (alerts.length === 0) return null;
  return (
    <Panel title="To be done">
      <ul aria-label="Alerts" className="grid gap-2 p-4">
        {alerts.map(({ measure, action }) => (
          <li key={measure} className="max-w-[72ch]">
            <strong className="font-semibold">{names[measure]}:</strong> {action}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
