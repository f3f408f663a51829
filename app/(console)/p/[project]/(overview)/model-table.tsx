import Link from 'next/link';
import type { Overview } from '@/app/_trpc/outputs';
import { Empty, Panel } from '@/app/_ui/panel';
import { minSampleSize, rateText } from '@/app/_ui/rate';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { type Filters, filterQuery } from '../verdicts/filters';
import { CountLink } from './count-link';

interface ModelTableProps {
  byModel: Overview['byModel'];
  project: string;
  from: Date;
}

/**
 * INT-23: how often a model's answer had to be scanned because it had no envelope, and how often a
 * re-prompt helped.
 */
export function ModelTable({ byModel, project, from }: ModelTableProps) {
  return (
    <Panel
      title="By model"
      aside={
        <span className="text-12 text-ink-3">
          Rates with 95% intervals; under n = {minSampleSize} only counts
        </span>
      }
    >
      {byModel.length === 0 ? (
        <Empty title="No verdict in this period." />
      ) : (
        <div className="scroll-sideways" tabIndex={0} role="region" aria-label="By model, table">
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
                const listHref = (part: Partial<Filters>): string =>
                  `/p/${project}/verdicts${filterQuery({ ...part, model: row.model ?? '', from })}`;
                const figuresHref = (figures: Filters['figures']): string =>
                  listHref({ verifier: 'integrity', figures });
                const name = row.model ?? 'no model named';
                return (
                  <tr key={row.model ?? ''} className="border-line h-8 border-b last:border-0">
                    <th
                      scope="row"
                      className="max-w-64 truncate px-4 font-normal whitespace-nowrap"
                    >
                      {row.model === null ? (
                        <span className="text-ink-3">No model named</span>
                      ) : (
                        <Link
                          href={listHref({})}
                          title={plainText(row.model)}
                          className="font-mono text-12 hover:underline"
                        >
                          <VisibleText text={row.model} />
                        </Link>
                      )}
                    </th>
                    <td className="px-4 text-right">
                      <CountLink count={verdicts} name={`verdicts, ${name}`} href={listHref({})} />
                    </td>
                    <RateCell
                      name={`failed, ${name}`}
                      k={row.outcomes.failed}
                      n={verdicts}
                      numeratorHref={listHref({ outcome: ['failed'] })}
                      denominatorHref={listHref({})}
                    />
                    <RateCell
                      name={`unsourced figures, ${name}`}
                      k={row.unsourced}
                      n={row.figures}
                      numeratorHref={figuresHref('unsourced')}
                      denominatorHref={figuresHref('figures')}
                      unit="figures"
                    />
                    <RateCell
                      name={`fallback scans, ${name}`}
                      k={row.fallbackScans}
                      n={row.answers}
                      numeratorHref={figuresHref('scanned')}
                      denominatorHref={figuresHref('looked_at')}
                    />
                    <RateCell
                      name={`re-prompt helped, ${name}`}
                      k={row.repromptsHelped}
                      n={row.reprompts}
                      numeratorHref={figuresHref('helped')}
                      denominatorHref={figuresHref('sent_back')}
                    />
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

interface RateCellProps {
  /** The counted thing, for screen readers. */
  name: string;
  k: number;
  n: number;
  numeratorHref: string;
  denominatorHref: string;
  unit?: 'figures';
}

function RateCell({ name, k, n, numeratorHref, denominatorHref, unit }: RateCellProps) {
  const { rate, interval, counts } = rateText(k, n);
  return (
    <td className="px-4 text-right whitespace-nowrap">
      {rate === null ? null : (
        <>
          {rate} <span className="text-12 text-ink-3">({interval})</span>{' '}
        </>
      )}
      {n === 0 ? (
        <span className="text-ink-3">{counts}</span>
      ) : (
        <span className="text-ink-2">
          <CountLink
            count={k}
            name={name}
            href={numeratorHref}
            {...(unit !== undefined && { unit })}
          />
          /
          <CountLink
            count={n}
            name={`all of ${name}`}
            href={denominatorHref}
            {...(unit !== undefined && { unit })}
          />
        </span>
      )}
    </td>
  );
}
