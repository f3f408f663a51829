import type { ReviewItem } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import type { ReviewState } from './review-state';
import { answerWords, queueWords } from './review-words';

interface QueueColumnProps {
  state: ReviewState;
  /** Open items beyond the reserved ones. */
  more: number;
  onOpen: (item: string) => void;
  onUndo: (item: string, at: number) => void;
}

const shownRuled = 5;

/** The items reserved for this person, each with its reason; below, their latest rulings. */
export function QueueColumn({
  state: { items, at, ruled, unstored },
  more,
  onOpen,
  onUndo,
}: QueueColumnProps) {
  const failed = new Set(unstored.map(({ item }) => item));
  const returning = new Set(ruled.flatMap(({ item, isUndoing }) => (isUndoing ? [item.id] : [])));
  const noteOf = (id: string) =>
    returning.has(id) ? 'Being taken back' : failed.has(id) ? 'Not stored' : null;
  const applied = ruled.filter(({ isUndoing }) => !isUndoing);
  return (
    <div className="grid content-start gap-4">
      <section className="bg-surface border-line rounded-8 min-w-0 border">
        <h2 className="border-line text-13 flex min-h-9 items-center justify-between gap-x-3 border-b px-3">
          Reserved for you <span className="text-12 text-ink-3 font-normal">{items.length}</span>
        </h2>
        <ol aria-label="Items reserved for you" className="grid gap-px p-1">
          {items.map((item) => (
            <li key={item.id}>
              <ItemButton
                item={item}
                isHere={item.id === at}
                note={noteOf(item.id)}
                onOpen={() => onOpen(item.id)}
              />
            </li>
          ))}
        </ol>
        <p className="text-12 text-ink-3 px-3 pb-2">
          {more > 0
            ? `${more.toLocaleString('en')} more open, here or with others`
            : 'No more are open'}
        </p>
      </section>
      {applied.length === 0 ? null : (
        <section className="bg-surface border-line rounded-8 min-w-0 border">
          <h2 className="border-line text-13 flex min-h-9 items-center border-b px-3">
            Ruled on just now
          </h2>
          <ol aria-label="Ruled on just now" className="grid gap-px p-1">
            {applied.slice(0, shownRuled).map(({ item, said, stored }) => (
              <li key={item.id} className="flex min-h-8 items-center gap-2 px-2">
                <VerdictIcon state={stored === null ? 'pending' : answerWords[said.answer].state} />
                <span className="min-w-0 flex-1 truncate" title={plainText(item.subjectId)}>
                  <span className="sr-only">{stored === null ? 'being stored, ' : ''}</span>
                  {answerWords[said.answer].name}{' '}
                  <span className="text-12 text-ink-3 font-mono">
                    <VisibleText text={item.subjectId} />
                  </span>
                </span>
                <button
                  type="button"
                  aria-label={`Undo ${plainText(item.subjectId)}`}
                  onClick={(event) => onUndo(item.id, event.timeStamp)}
                  className="text-12 text-ink-2 hover:text-ink shrink-0 underline"
                >
                  Undo
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

interface ItemButtonProps {
  item: ReviewItem;
  isHere: boolean;
  /** A note on an unusual state. */
  note: string | null;
  onOpen: () => void;
}

function ItemButton({
  item: { verifier, subjectId, queues, blind, verdictAt, id },
  isHere,
  note,
  onOpen,
}: ItemButtonProps) {
  const why = queues.map((queue) => queueWords[queue].name).join(', ');
  return (
    <button
      type="button"
      data-item={id}
      aria-current={isHere ? 'true' : undefined}
      onClick={onOpen}
      className={`rounded-4 grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-2 px-2 py-1.5 text-left ${isHere ? 'bg-accent-wash' : 'hover:bg-hover'}`}
    >
      <span className={`truncate ${isHere ? 'font-semibold' : ''}`} title={plainText(subjectId)}>
        <VisibleText text={subjectId} />
      </span>
      <span className="text-12 text-ink-3">
        <Age at={verdictAt} />
      </span>
      <span className="text-12 text-ink-2 col-span-2 truncate">
        {note === null ? '' : `${note} · `}
        {why === '' ? '' : `${why} · `}
        {verifier}
        {blind ? ' · blind' : ''}
      </span>
    </button>
  );
}
