import Link from 'next/link';
import type { ReviewCounts, Overview } from '@/app/_trpc/outputs';
import { rateText } from '@/app/_ui/rate';
import type { VerdictState } from '@/app/_ui/verdict-styles';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { filterQuery } from '../verdicts/filters';

interface Tile {
  readonly name: string;
  /** Null if unknown, which is not zero; undefined while loading. */
  readonly value: number | null | undefined;
  /** The total that the value is part of, in words: no number is shown without one. */
  readonly of: string;
  /** Rate and interval, if n allows them. */
  readonly rate?: string | null;
  readonly href: string;
  readonly mark: VerdictState | null;
}

function ratio(k: number, n: number, noun: string): Pick<Tile, 'of' | 'rate'> {
  const { rate, interval } = rateText(k, n);
  return {
    of: `of ${n.toLocaleString('en')} ${noun}`,
    rate: rate === null ? null : `${rate} (${interval})`,
  };
}

/** Six numbers; those that need a person come first. */
function tilesOf(
  project: string,
  overview: Overview,
  reviewCounts: ReviewCounts | null | undefined,
): Tile[] {
  const { outcomes, from } = overview;
  const verdicts = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const rows = `/p/${project}/verdicts`;
  const work = `/p/${project}/settings/work`;
  const review = `/p/${project}/review`;
  const open = outcomes.needs_review + outcomes.inconclusive;
  return [
    {
      name: 'To review',
      value: reviewCounts === null ? null : reviewCounts?.open,
      of: 'open items for you',
      mark: 'needs_review',
      href: review,
    },
    {
      name: 'Contested',
      value: reviewCounts === null ? null : reviewCounts?.byQueue.contested,
      of: 'items on which people disagree',
      mark: null,
      href: `${review}?queue=contested`,
    },
    {
      name: 'Not decided',
      value: open,
      ...ratio(open, verdicts, 'verdicts'),
      mark: 'inconclusive',
      href: rows + filterQuery({ outcome: ['needs_review', 'inconclusive'], from }),
    },
    {
      name: 'Failed',
      value: outcomes.failed,
      ...ratio(outcomes.failed, verdicts, 'verdicts'),
      mark: 'failed',
      href: rows + filterQuery({ outcome: ['failed'], from }),
    },
    {
      name: 'Quarantined',
      value: overview.quarantined,
      of: 'subjects, now',
      mark: null,
      href: work,
    },
    { name: 'Waiting', value: overview.waiting, of: 'subjects, now', mark: 'pending', href: work },
  ];
}

interface NumberTilesProps {
  project: string;
  overview: Overview;
  /** Null when it could not be loaded, undefined while loading. */
  reviewCounts: ReviewCounts | null | undefined;
}

export function NumberTiles({ project, overview, reviewCounts }: NumberTilesProps) {
  return (
    <ul
      aria-label="Numbers"
      className="border-line bg-line rounded-8 grid grid-cols-2 gap-px overflow-hidden border md:grid-cols-3 xl:grid-cols-6"
    >
      {tilesOf(project, overview, reviewCounts).map((tile) => (
        <li key={tile.name} className="bg-surface flex">
          <Link
            href={tile.href}
            data-counts={tile.value ?? undefined}
            className="hover:bg-hover grid flex-1 content-start gap-0.5 px-4 py-3 focus-visible:outline-offset-[-2px]"
          >
            <span className="text-ink-2 flex items-center gap-2">
              {tile.mark ? <VerdictIcon state={tile.mark} /> : null}
              {tile.name}
            </span>
            <TileValue value={tile.value} />
            <span className="text-12 text-ink-3">{tile.of}</span>
            {tile.rate ? <span className="text-12 text-ink-3">{tile.rate}</span> : null}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function TileValue({ value }: Pick<Tile, 'value'>) {
  if (value === undefined) {
    return (
      <span className="text-28 font-semibold">
        <span className="sr-only">loading</span>&nbsp;
      </span>
    );
  }
  if (value === null) {
    return (
      <span className="text-28 text-ink-3 font-semibold" title="Currently unknown">
        <span aria-hidden="true">?</span>
        <span className="sr-only">currently unknown</span>
      </span>
    );
  }
  return (
    <span className={`text-28 font-semibold ${value === 0 ? 'text-ink-3' : ''}`}>
      {value.toLocaleString('en')}
    </span>
  );
}
