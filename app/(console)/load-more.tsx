import { Button } from '../_ui/button';

interface LoadMoreProps {
  shown: number;
  hasMore: boolean;
  busy: boolean;
  onMore: () => void;
}

/** The footer of a list: the number of loaded rows, and a button that loads more. */
export function LoadMore({ shown, hasMore, busy, onMore }: LoadMoreProps) {
  return (
    <div className="flex items-center gap-4">
      {hasMore ? (
        <Button busy={busy} onClick={onMore}>
          Load more
        </Button>
      ) : null}
      {shown > 0 ? (
        <p className="text-12 text-ink-3">
          {shown.toLocaleString('en')} shown{hasMore ? '' : ', no more'}
        </p>
      ) : null}
    </div>
  );
}
