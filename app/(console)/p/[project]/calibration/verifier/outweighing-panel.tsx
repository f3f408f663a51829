import type { VerifierDetail } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';

/** Reviewers whose rulings do not count, and why. Renders nothing when all count. */
export function OutweighingPanel({ outweighing }: { outweighing: VerifierDetail['outweighing'] }) {
  if (outweighing.length === 0) return null;
  return (
    <Panel title="One person outvotes all others">
      <ul aria-label="Rulings not counted" className="grid gap-2 p-4">
        {outweighing.map(({ account, rulings, overruled, counted, others, othersOverruled }) => (
          <li key={account} className="max-w-[72ch] [overflow-wrap:anywhere]">
            <strong className="font-semibold">
              <VisibleText text={account} />
            </strong>{' '}
            made {rulings.toLocaleString('en')} rulings and overruled the verifier in{' '}
            {overruled.toLocaleString('en')}; all others made {others.toLocaleString('en')} and
            overruled it in {othersOverruled.toLocaleString('en')}. That is unlikely to be chance.
            The first {counted.toLocaleString('en')} count here, as many as all others made; the
            rest are stored, and count again once they are not the majority. Check them before you
            trust the measures.
          </li>
        ))}
      </ul>
    </Panel>
  );
}
