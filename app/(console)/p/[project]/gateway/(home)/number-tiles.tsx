import Link from 'next/link';
import type { GatewaySummary } from '@/app/_trpc/outputs';
import { rateText } from '@/app/_ui/rate';
import type { VerdictState } from '@/app/_ui/verdict-styles';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { durationText } from '../../traces/amounts';
import { filterQuery } from '../filters';

interface Tile {
  readonly name: string;
  readonly value: string;
  readonly isNone: boolean;
  /** n: a number without it is not shown. */
  readonly of: string;
  /** Rate and interval, if n allows them. */
  readonly rate?: string | null;
  readonly href: string;
  readonly mark: VerdictState | null;
}

function share(k: number, n: number, noun: string): Pick<Tile, 'value' | 'isNone' | 'of' | 'rate'> {
  const { rate, interval } = rateText(k, n);
  return {
    value: k.toLocaleString('en'),
    isNone: k === 0,
    of: `of ${n.toLocaleString('en')} ${noun}`,
    rate: rate === null ? null : `${rate} (${interval})`,
  };
}

function tilesOf(
  project: string,
  { verdicts, calls, dropped, deliveryDelay, from }: GatewaySummary,
): Tile[] {
  const rows = `/p/${project}/gateway/calls`;
  const verified = verdicts.passed + verdicts.steered + verdicts.flagged;
  return [
    {
      name: 'Flagged',
      ...share(verdicts.flagged, verified, 'verified'),
      mark: 'needs_review',
      href: rows + filterQuery({ verdict: ['flagged'], from }),
    },
    {
      name: 'Unavailable',
      ...share(verdicts.unavailable, calls, 'calls'),
      mark: 'inconclusive',
      href: rows + filterQuery({ verdict: ['unavailable'], from }),
    },
    {
      name: 'Steered',
      ...share(verdicts.steered, verified, 'verified'),
      mark: 'steered',
      href: rows + filterQuery({ verdict: ['steered'], from }),
    },
    {
      name: 'Verified',
      ...share(verified, calls, 'calls'),
      mark: null,
      href: rows + filterQuery({ verdict: ['passed', 'steered', 'flagged'], from }),
    },
    {
      name: 'Median delay',
      value: deliveryDelay.p50 === null ? 'none' : durationText(deliveryDelay.p50),
      isNone: deliveryDelay.p50 === null,
      of:
        deliveryDelay.p95 === null
          ? 'no answer was buffered'
          : `95% within ${durationText(deliveryDelay.p95)}`,
      rate:
        deliveryDelay.n === 0
          ? null
          : `of ${deliveryDelay.n.toLocaleString('en')} answers buffered`,
      mark: null,
      href: rows + filterQuery({ held: true, from }),
    },
    {
      name: 'Calls',
      value: calls.toLocaleString('en'),
      isNone: calls === 0,
      of:
        dropped > 0
          ? `${dropped.toLocaleString('en')} of them are counted only`
          : 'each is recorded',
      mark: null,
      href: rows + filterQuery({ from }),
    },
  ];
}

export function NumberTiles({ project, summary }: { project: string; summary: GatewaySummary }) {
  return (
    <ul
      aria-label="Numbers"
      className="border-line bg-line rounded-8 grid grid-cols-2 gap-px overflow-hidden border md:grid-cols-3 xl:grid-cols-6"
    >
      {tilesOf(project, summary).map((tile) => (
        <li key={tile.name} className="bg-surface flex">
          <Link
            href={tile.href}
            className="hover:bg-hover grid min-w-0 flex-1 content-start gap-0.5 px-4 py-3 focus-visible:outline-offset-[-2px]"
          >
            <span className="text-ink-2 flex items-center gap-2">
              {tile.mark ? <VerdictIcon state={tile.mark} /> : null}
              {tile.name}
            </span>
            <span className={`text-28 font-semibold ${tile.isNone ? 'text-ink-3' : ''}`}>
              {tile.value}
            </span>
            <span className="text-12 text-ink-3">{tile.of}</span>
            {tile.rate ? <span className="text-12 text-ink-3">{tile.rate}</span> : null}
          </Link>
        </li>
      ))}
    </ul>
  );
}
