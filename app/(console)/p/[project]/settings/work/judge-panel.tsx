import type { Waiting } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';

/** What waits for a model, and whether anybody takes it up. */
export function JudgePanel({ judging }: { judging: Waiting['judging'] }) {
  const { backend, state, waiting, inHand, later } = judging;
  return (
    <Panel title="Waiting for a judge">
      <div className="grid max-w-[72ch] gap-2 p-4">
        <p>
          {waiting + inHand + later === 0
            ? 'Nothing waits for a judge.'
            : `${waiting.toLocaleString('en')} due, ${inHand.toLocaleString('en')} being judged, ${later.toLocaleString('en')} put off for a while.`}
        </p>
        {state === 'away' ? (
          <p role="alert">
            Nothing has been taken up for 10 seconds: no worker runs, or none reaches the queue.
            What waits is kept and goes on by itself.
          </p>
        ) : null}
        <p className="text-ink-2">
          The queue stands in {backend === 'redis' ? 'Redis' : 'PostgreSQL'}.
        </p>
      </div>
    </Panel>
  );
}
