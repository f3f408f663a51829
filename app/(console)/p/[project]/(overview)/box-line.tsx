import Link from 'next/link';
import type { Overview } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { boxWords } from '../settings/work/box-words';

/**
 * Whether compilers and tests are run: without a box they say nothing of any code, which must not
 * go unnoticed.
 */
export function BoxLine({
  project,
  box: { state, checkedAt },
}: {
  project: string;
  box: Overview['box'];
}) {
  const isBroken = state === 'missing' || state === 'failing';
  return (
    <p
      role={isBroken ? 'alert' : undefined}
      className={
        isBroken ? 'bg-loud border-loud-line text-ink rounded-4 border px-3 py-2' : 'text-ink-2'
      }
    >
      {boxWords[state]}{' '}
      {checkedAt === null || isBroken ? null : (
        <>
          Self-test <Age at={checkedAt} /> ago.{' '}
        </>
      )}
      <Link href={`/p/${project}/settings/work`} className="hover:text-ink underline">
        {isBroken ? 'Why, and what to do' : 'Waiting work'}
      </Link>
    </p>
  );
}
