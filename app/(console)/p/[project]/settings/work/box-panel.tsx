import type { Waiting } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { boxWords, levelWords } from './box-words';

/** Whether proof gates can be run; without a box they are neither pass nor fail. */
export function BoxPanel({
  box: { state, reason, fix, level, checkedAt },
}: {
  box: Waiting['box'];
}) {
  return (
    <Panel title="Box for proof gates">
      <div className="grid max-w-[72ch] gap-2 p-4">
        <p role={state === 'missing' || state === 'failing' ? 'alert' : undefined}>
          {boxWords[state]}
        </p>
        {[reason, fix].map((text) =>
          text === null ? null : (
            <p key={text} className="text-ink-2 [overflow-wrap:anywhere]">
              <VisibleText text={text} />
            </p>
          ),
        )}
        {level === undefined ? null : <p className="text-ink-2">{levelWords(level).join(' ')}</p>}
        {checkedAt === null ? null : (
          <p className="text-ink-2">
            Last self-test <Moment at={checkedAt} />.
          </p>
        )}
      </div>
    </Panel>
  );
}
