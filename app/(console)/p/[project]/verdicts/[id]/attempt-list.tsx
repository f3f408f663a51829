import type { VerdictDetail } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block } from './block';

/** Each time that a worker claimed the subject, and how the attempt ended. */
export function AttemptList({ attempts }: { attempts: VerdictDetail['attempts'] }) {
  if (attempts.length === 0) return null;
  return (
    <Block title="Attempts">
      <ol className="grid gap-1">
        {attempts.map((attempt, index) => (
          <li key={index} className="text-12 flex flex-wrap gap-x-2">
            <span>{attempt.attempt}.</span>
            <span>{attempt.end}</span>
            <span className="text-ink-3 font-mono [overflow-wrap:anywhere]">
              <VisibleText text={attempt.worker} />
            </span>
            <span className="text-ink-2">
              <Moment at={attempt.endedAt} />
            </span>
            {attempt.reason === null ? null : (
              <span className="basis-full [overflow-wrap:anywhere]">
                <VisibleText text={attempt.reason} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </Block>
  );
}
