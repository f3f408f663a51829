import Link from 'next/link';
import type { Overview } from '@/app/_trpc/outputs';
import { Empty, Panel } from '@/app/_ui/panel';
import { leastForRate, rateText } from '@/app/_ui/rate';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { filterQuery } from '../verdicts/filters';

interface ModelTableProps {
  byModel: Overview['byModel'];
  project: string;
  from: Date;
}

/** INT-23: how often a model's answer had to be scanned for want of an envelope, and how often a re-prompt helped. */
export function ModelTable({ byModel, project, from }: ModelTableProps) {
  return (
    <Panel
      title="By model"
      aside={<span className="text-12 text-ink-3">Rates with 95 % intervals; under n = {leastForRate} counts only</span>}
    >
      {byModel.length === 0 ? (
        <Empty title="No verdict in this period." />
      ) : (
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="By model, table">
          <table className="w-full border-collapse">
            <thead className="text-12 text-ink-2">
              <tr className="border-line h-8 border-b whitespace-nowrap">
                <th scope="col" className="px-4">
                  Model
                </th>
                <th scope="col" className="px-4 text-right">
                  Verdicts
                </th>
                <th scope="col" className="px-4 text-right">
                  Failed
                </th>
                <th scope="col" className="px-4 text-right">
                  Unsourced figures
                </th>
                <th scope="col" className="px-4 text-right">
                  Fallback scans
                </th>
                <th scope="col" className="px-4 text-right">
                  Re-prompt helped
                </th>
              </tr>
            </thead>
            <tbody>
              {byModel.map((row) => {
                const verdicts = Object.values(row.outcomes).reduce((sum, count) => sum + count, 0);
                const rows = `/p/${project}/verdicts`;
                return (
                  <tr key={row.model ?? ''} className="border-line h-8 border-b last:border-0">
                    <th scope="row" className="max-w-64 truncate px-4 font-normal whitespace-nowrap">
                      {row.model === null ? (
                        <span className="text-ink-3">No model named</span>
                      ) : (
                        <Link
                          href={rows + filterQuery({ model: row.model, from })}
                          title={plainText(row.model)}
                          className="font-mono text-12 hover:underline"
                        >
                          <VisibleText text={row.model} />
                        </Link>
                      )}
                    </th>
                    <td className="px-4 text-right">{verdicts.toLocaleString('en')}</td>
                    <RateCell k={row.outcomes.failed} n={verdicts} />
                    <RateCell k={row.unsourced} n={row.figures} />
                    <RateCell k={row.fallbackScans} n={row.answers} />
                    <RateCell k={row.repromptsHelped} n={row.reprompts} />
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function RateCell({ k, n }: { k: number; n: number }) {
  const { counts, rate, interval } = rateText(k, n);
  return (
    <td className="px-4 text-right whitespace-nowrap">
      {rate === null ? null : (
        <>
          {rate} <span className="text-12 text-ink-3">({interval})</span>{' '}
        </>
      )}
      <span className={rate === null && n === 0 ? 'text-ink-3' : 'text-ink-2'}>{counts}</span>
    </td>
  );
}
