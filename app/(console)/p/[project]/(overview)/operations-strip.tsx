import Link from 'next/link';
import type { Overview } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { filterQuery as receivedQuery } from '../received/filters';
import { boxWords } from '../settings/work/sandbox-words';
import { filterQuery } from '../verdicts/filters';
import { CountLink } from './count-link';

/** Ingestion, backlog and sandbox in one strip: how much of the work the numbers above cover. */
export function OperationsStrip({ project, overview }: { project: string; overview: Overview }) {
  const { waiting, quarantined, turns, rejected, from, outcomes, box } = overview;
  const judged = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const work = `/p/${project}/settings/work`;
  const received = (what: 'turns' | 'refused'): string =>
    `/p/${project}/received${receivedQuery({ what, from })}`;
  const turnsName = turns === 1 ? 'turn received' : 'turns received';
  return (
    <section
      aria-label="Operations"
      className="border-line bg-surface rounded-8 text-ink-2 flex flex-wrap items-center gap-x-4 gap-y-1 border px-4 py-2"
    >
      <h2 className="sr-only">Operations</h2>
      <span>
        <CountLink
          count={judged}
          name="judged"
          href={`/p/${project}/verdicts${filterQuery({ from })}`}
        />{' '}
        of {(judged + waiting).toLocaleString('en')} judged
      </span>
      <span>
        <CountLink count={waiting} name="waiting" href={work} /> waiting
      </span>
      <span>
        <CountLink count={quarantined} name="quarantined" href={work} /> quarantined
      </span>
      <span>
        <CountLink count={turns} name={turnsName} href={received('turns')} /> {turnsName}
      </span>
      <span>
        <CountLink count={rejected} name="rejected" href={received('refused')} /> rejected
      </span>
      <SandboxState project={project} box={box} />
    </section>
  );
}

/**
 * Whether compilers and tests can run. Without a sandbox no code is checked, which must not go
 * unnoticed.
 */
function SandboxState({
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
        isBroken
          ? 'bg-loud border-loud-line text-ink rounded-4 border px-2 xl:ml-auto'
          : 'xl:ml-auto'
      }
    >
      {boxWords[state]}{' '}
      {checkedAt === null || isBroken ? null : (
        <>
          Self-test <Age at={checkedAt} /> ago.{' '}
        </>
      )}
      <Link href={`/p/${project}/settings/work`} className="hover:text-ink underline">
        {isBroken ? 'Reason and fix' : 'Backlog'}
      </Link>
    </p>
  );
}
