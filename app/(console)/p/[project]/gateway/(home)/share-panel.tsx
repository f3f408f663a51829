import Link from 'next/link';
import type { GatewaySummary } from '@/app/_trpc/outputs';
import { Empty, Panel } from '@/app/_ui/panel';
import { verdictStyles } from '@/app/_ui/verdict-styles';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { GatewayReason } from '@/server/domain';
import { filterQuery } from '../filters';
import { reasonWords, verdictOrder, verdictWords } from '../gateway-words';

/**
 * The outcomes of calls, as shares of one bar; the list below has the same numbers, each linking to
 * its rows.
 */
export function SharePanel({ project, summary }: { project: string; summary: GatewaySummary }) {
  const { calls, verdicts, reasons, from } = summary;
  const rows = `/p/${project}/gateway/calls`;
  const why = GatewayReason.options
    .filter((reason) => reasons[reason] > 0)
    .toSorted((a, b) => reasons[b] - reasons[a]);
  return (
    <Panel title="Outcomes">
      {calls === 0 ? (
        <Empty title="No call in this period." />
      ) : (
        <div className="grid gap-3 p-4">
          <ShareBar verdicts={verdicts} calls={calls} />
          <ul aria-label="Verdicts" className="flex flex-wrap gap-x-5 gap-y-1">
            {verdictOrder.map((verdict) => (
              <li key={verdict}>
                <Link
                  href={rows + filterQuery({ verdict: [verdict], from })}
                  prefetch={false}
                  className="group inline-flex items-center gap-2 whitespace-nowrap"
                >
                  <VerdictIcon state={verdictWords[verdict].state} />
                  <span className="group-hover:underline">{verdictWords[verdict].word}</span>
                  <span className="text-ink-2">{verdicts[verdict].toLocaleString('en')}</span>
                </Link>
              </li>
            ))}
          </ul>
          {why.length === 0 ? null : (
            <div className="text-12 text-ink-2 flex flex-wrap gap-x-4 gap-y-1">
              <span id="why-not" className="text-ink-3">
                Why not verified
              </span>
              <ul aria-labelledby="why-not" className="flex flex-wrap gap-x-4 gap-y-1">
                {why.map((reason) => (
                  <li key={reason} className="whitespace-nowrap">
                    <Link
                      href={rows + filterQuery({ reason, from })}
                      prefetch={false}
                      className="underline"
                    >
                      {reasonWords[reason]}
                    </Link>{' '}
                    {reasons[reason].toLocaleString('en')}
                  </li>
                ))}
              </ul>
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}

function ShareBar({ verdicts, calls }: { verdicts: GatewaySummary['verdicts']; calls: number }) {
  const shares = verdictOrder
    .filter((verdict) => verdicts[verdict] > 0)
    .map((verdict) => ({
      style: verdictStyles[verdictWords[verdict].state],
      width: (verdicts[verdict] / calls) * 100,
      at: verdictOrder
        .slice(0, verdictOrder.indexOf(verdict))
        .reduce((sum, each) => sum + (verdicts[each] / calls) * 100, 0),
    }));
  return (
    <svg
      role="img"
      aria-label="Shares of outcomes"
      width="100%"
      height="12"
      className="rounded-4 overflow-hidden"
    >
      <defs>
        <pattern
          id="share-hatch"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="2.5" height="6" className="fill-surface" />
        </pattern>
      </defs>
      {shares.map(({ style, at, width }) => {
        const place = { x: `${at}%`, width: `${width}%`, height: 12 };
        return (
          <g key={style.word} className={style.textClass}>
            <rect {...place} fill="currentColor" className="stroke-surface" strokeWidth="1" />
            {style.hatched ? <rect {...place} fill="url(#share-hatch)" /> : null}
          </g>
        );
      })}
    </svg>
  );
}
