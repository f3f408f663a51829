import type { ReviewItem } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import type { ReviewState } from './review-state';
import { answerWords, itemTitle, queueWords } from './review-words';

interface QueueColumnProps {
  state: ReviewState;
  /** The number of open items, here and with others. */
  open: number;
  onOpen: (item: string) => void;
  onUndo: (item: string, at: number) => void;
}

const shownRuled = 5;

/** The items reserved for this person, each with its reason; below, their latest rulings. */
export function QueueColumn({ state, open, onOpen, onUndo }: QueueColumnProps) {
  const { items, at, ruled, unstored } = state;
  const more = countMore(open, state);
  const failed = new Set(unstored.map(({ item }) => item));
  const returning = new Set(ruled.flatMap(({ item, isUndoing }) => (isUndoing ? [item.id] : [])));
  const noteOf = (id: string) =>
    returning.has(id) ? 'Being undone' : failed.has(id) ? 'Not stored' : null;
  const applied = ruled.filter(({ isUndoing }) => !isUndoing);
  return (
    <div
      role="region"
      aria-label="Queue"
      tabIndex={0}
      className="grid min-w-0 content-start gap-4 xl:col-start-1 xl:row-span-2 xl:row-start-1 xl:-mx-1 xl:overflow-y-auto xl:px-1 xl:pb-4"
    >
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
            Recent rulings
          </h2>
          <ol aria-label="Recent rulings" className="grid gap-px p-1">
            {applied.slice(0, shownRuled).map(({ item, said, stored }) => (
              <li key={item.id} className="flex min-h-8 items-center gap-2 px-2">
                <VerdictIcon state={stored === null ? 'pending' : answerWords[said.answer].state} />
                <span className="min-w-0 flex-1 truncate" title={plainText(itemTitle(item))}>
                  <span className="sr-only">{stored === null ? 'being stored, ' : ''}</span>
                  {answerWords[said.answer].name}{' '}
                  <span className="text-12 text-ink-2">
                    <VisibleText text={itemTitle(item)} />
                  </span>
                </span>
                <button
                  type="button"
                  aria-label={`Undo ${plainText(itemTitle(item))}`}
                  onClick={(event) => onUndo(item.id, event.timeStamp)}
                  className="text-12 text-ink-2 hover:text-ink min-h-11 shrink-0 underline md:min-h-6"
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

/** Open items that are not on the page. */
function countMore(open: number, { items, ruled }: ReviewState): number {
  const unstored = ruled.filter(({ stored, isUndoing }) => stored === null && !isUndoing).length;
  return Math.max(0, open - items.length - unstored);
}

interface ItemButtonProps {
  item: ReviewItem;
  isHere: boolean;
  /** A note on an unusual state. */
  note: string | null;
  onOpen: () => void;
}

function ItemButton({ item, isHere, note, onOpen }: ItemButtonProps) {
  const { verifier, queues, blind, verdictAt, id, assignedTo } = item;
  const title = itemTitle(item);
  const why = queues.map((queue) => queueWords[queue].name).join(', ');
  return (
    <button
      type="button"
      data-item={id}
      aria-current={isHere ? 'true' : undefined}
      onClick={onOpen}
      className={`rounded-4 grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-2 px-2 py-1.5 text-left ${isHere ? 'bg-accent-wash' : 'hover:bg-hover'}`}
    >
      <span className={`truncate ${isHere ? 'font-semibold' : ''}`} title={plainText(title)}>
        <VisibleText text={title} />
      </span>
      <span className="text-12 text-ink-3">
        <Age at={verdictAt} />
      </span>
      <span className="text-12 text-ink-2 col-span-2 truncate">
        {note === null ? '' : `${note} · `}
        {why === '' ? '' : `${why} · `}
        {verifier}
        {blind ? ' · blind' : ''}
        {assignedTo === null ? null : <VisibleText text={` · assigned to ${assignedTo}`} />}
      </span>
    </button>
  );
}
