import { Button } from '@/app/_ui/button';
import { VisibleText } from '@/app/_ui/visible-text';
import type { ReviewItem } from '@/app/_trpc/outputs';
import type { Unstored } from './review-state';
import { answerWords, itemTitle } from './review-words';

interface UnstoredPanelProps {
  unstored: readonly Unstored[];
  items: readonly ReviewItem[];
  onAgain: (unstored: Unstored) => void;
  onOpen: (item: string) => void;
  onDismiss: () => void;
}

/** Rulings that are not stored: which, why, and how to store them after all. */
export function UnstoredPanel({ unstored, items, onAgain, onOpen, onDismiss }: UnstoredPanelProps) {
  if (unstored.length === 0) return null;
  return (
    <div role="alert" className="bg-surface border-loud-line rounded-8 grid gap-2 border p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="font-semibold">
          {unstored.length === 1
            ? 'A ruling was not stored'
            : `${unstored.length} rulings were not stored`}
          ; the items wait.
        </p>
        <Button variant="quiet" onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
      <ul className="grid gap-1">
        {unstored.map((each) => {
          const item = items.find(({ id }) => id === each.item);
          return (
            <li
              key={each.item}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 [overflow-wrap:anywhere]"
            >
              <span>
                {answerWords[each.said.answer].name}{' '}
                <span className="font-semibold">
                  <VisibleText text={item === undefined ? each.item : itemTitle(item)} />
                </span>
                : {each.problem.message}
                {each.problem.requestId === null ? null : (
                  <span className="text-12 text-ink-3"> Request id {each.problem.requestId}</span>
                )}
              </span>
              {item === undefined ? (
                <span className="text-ink-3">It is no longer reserved for you.</span>
              ) : (
                <span className="flex gap-2">
                  <Button onClick={() => onAgain(each)}>Store it again</Button>
                  <Button variant="quiet" onClick={() => onOpen(each.item)}>
                    Open the item
                  </Button>
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
