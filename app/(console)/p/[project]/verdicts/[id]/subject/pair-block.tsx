import type { VerdictSubject } from '@/app/_trpc/outputs';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block } from '../block';
import { plainNumber } from './words';

/** How well each two outputs fit together, the worst first. */
export function PairBlock({ pairs }: { pairs: VerdictSubject['detail']['pairs'] }) {
  if (pairs.length === 0) return null;
  const worstFirst = pairs.toSorted((a, b) => (a.score ?? -1) - (b.score ?? -1));
  return (
    <Block title="Pairs" aside={<span className="text-12 text-ink-3">{pairs.length}</span>}>
      <ul aria-label="Pairs" className="grid gap-2">
        {worstFirst.map((pair, at) => (
          <li key={at} className="grid gap-0.5">
            <p className="flex flex-wrap items-baseline justify-between gap-x-2">
              <span className="min-w-0 [overflow-wrap:anywhere]">
                <VisibleText text={pair.a} /> <span className="text-ink-3">and</span>{' '}
                <VisibleText text={pair.b} />
              </span>
              <span>{pair.score === null ? 'not measured' : plainNumber(pair.score)}</span>
            </p>
            {pair.issues.map((issue, number) => (
              <p key={number} className="text-ink-2 [overflow-wrap:anywhere]">
                <span className="text-12 text-ink-3">{issue.severity}</span>{' '}
                <VisibleText text={issue.description} />
              </p>
            ))}
          </li>
        ))}
      </ul>
    </Block>
  );
}
