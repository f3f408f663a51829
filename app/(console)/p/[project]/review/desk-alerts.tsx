import { ErrorPanel } from '@/app/_ui/panel';
import { UnstoredPanel } from './unstored-panel';
import type { ReviewDesk } from './use-desk';

/** Failures, each with its way out; the items stay where they are. */
export function DeskAlerts({ desk }: { desk: ReviewDesk }) {
  const { state } = desk;
  return (
    <>
      {desk.problem === null ? null : (
        <ErrorPanel
          what="The desk could not be read"
          works="Items that are shown stay yours for a while, and what was stored is stored."
          problem={desk.problem}
          onRetry={desk.reserve}
        />
      )}
      {desk.undoProblem === null ? null : (
        <ErrorPanel
          what="It was not taken back"
          works="The ruling stands as it was."
          problem={desk.undoProblem}
          onRetry={() => desk.undo()}
        />
      )}
      <UnstoredPanel
        unstored={state.unstored}
        items={state.items}
        onAgain={({ item: id, said }) => {
          const item = state.items.find((each) => each.id === id);
          if (item !== undefined) desk.rule(item, said);
        }}
        onOpen={desk.open}
        onDismiss={desk.dismiss}
      />
    </>
  );
}
