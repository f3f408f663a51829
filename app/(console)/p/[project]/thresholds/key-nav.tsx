import Link from 'next/link';
import type { Threshold } from '@/app/_trpc/outputs';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { type ThresholdAddress, thresholdHref, switchKey } from './addresses';
import { currentValueOf, type Scope } from './threshold-values';

interface KeyNavProps {
  project: string;
  address: ThresholdAddress;
  thresholds: readonly Threshold[];
  scope: Scope;
}

/**
 * The keys of the verifier with their values; a staged value is kept when moving to the next key.
 */
export function KeyNav({ project, address, thresholds, scope }: KeyNavProps) {
  if (thresholds.length < 2) return null;
  return (
    <nav aria-label="Thresholds of this verifier" className="flex flex-wrap gap-2">
      {thresholds.map((threshold) => {
        const { key } = threshold;
        const isHere = key === address.key;
        const now = currentValueOf(threshold, scope).value;
        const next = isHere
          ? address.value
          : (address.staged.find((each) => each.key === key)?.value ?? null);
        return (
          <Link
            key={key}
            href={thresholdHref(project, switchKey(address, key))}
            aria-current={isHere ? 'page' : undefined}
            className={`rounded-4 flex min-h-8 items-center gap-2 border px-3 ${isHere ? 'bg-accent-wash border-accent font-semibold' : 'border-line bg-surface text-ink-2 hover:bg-hover'}`}
          >
            <code className="text-12 font-mono">{key}</code>
            <span>
              {plainNumber(now)}
              {next === null || next === now ? null : (
                <>
                  <span aria-hidden="true"> → </span>
                  <span className="sr-only">, staged </span>
                  {plainNumber(next)}
                </>
              )}
            </span>
          </Link>
        );
      })}
    </nav>
  );
}
