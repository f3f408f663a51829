import { ErrorPanel } from '@/app/_ui/panel';
import { UnstoredPanel } from './unstored-panel';
import type { ReviewControl } from './use-review';

/** Failures, each with a way to resolve it; the items do not move. */
export function ReviewAlerts({ review }: { review: ReviewControl }) {
  const { state } = review;
  return (
    <>
      {review.problem === null ? null : (
        <ErrorPanel
          what="The review queue could not be read"
          works="Shown items stay reserved for you for a while; stored rulings are kept."
          problem={review.problem}
          onRetry={review.reserve}
        />
      )}
      {review.undoProblem === null ? null : (
        <ErrorPanel
          what="The ruling could not be undone"
          works="The ruling is unchanged."
          problem={review.undoProblem}
          onRetry={() => review.undo()}
        />
      )}
      <UnstoredPanel
        unstored={state.unstored}
        items={state.items}
        onAgain={({ item: id, said }) => {
          const item = state.items.find((each) => each.id === id);
          if (item !== undefined) review.rule([item], said);
        }}
        onOpen={review.open}
        onDismiss={review.dismiss}
      />
    </>
  );
}
