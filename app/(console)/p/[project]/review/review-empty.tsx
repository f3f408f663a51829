import Link from 'next/link';
import type { ReviewCounts } from '@/app/_trpc/outputs';
import { Button, buttonClass } from '@/app/_ui/button';
import { Moment } from '@/app/_ui/moment';
import { Empty } from '@/app/_ui/panel';

interface ReviewEmptyProps {
  project: string;
  reviewCounts: ReviewCounts;
  /** The project has no verdict yet. */
  isNew: boolean;
  isFiltered: boolean;
  onClear: () => void;
}

/**
 * Why there is no item: filtered out, reserved by others, done, not sampled yet, or no verdict at
 * all.
 */
export function ReviewEmpty(props: ReviewEmptyProps) {
  return <div className="bg-surface border-line rounded-8 border">{caseOf(props)}</div>;
}

function caseOf({ project, reviewCounts, isNew, isFiltered, onClear }: ReviewEmptyProps) {
  if (reviewCounts.open > 0) {
    return (
      <Empty
        title={`All ${reviewCounts.open.toLocaleString('en')} open items are with other reviewers.`}
      >
        <p>
          An item is released when its reviewer is idle for a while. New items appear automatically.
        </p>
      </Empty>
    );
  }
  if (isFiltered) {
    return (
      <Empty title="No open item passes these filters.">
        <div>
          <Button onClick={onClear}>Clear filters</Button>
        </div>
      </Empty>
    );
  }
  if (isNew || reviewCounts.drawnTo === null) {
    return (
      <Empty title="Nothing yet.">
        <p>
          Items appear here when verdicts are stored: some for a specific reason, some as a random
          sample.
        </p>
        <div>
          <Link href={`/p/${project}`} className={buttonClass()}>
            Show how to send a first turn
          </Link>
        </div>
      </Empty>
    );
  }
  return (
    <Empty title="No items to review.">
      <p>
        Verdicts were sampled up to <Moment at={reviewCounts.drawnTo} />. New items appear
        automatically; choose which verdicts are reviewed under{' '}
        <Link href={`/p/${project}/settings/review`} className="underline">
          Settings › Review
        </Link>
        .
      </p>
    </Empty>
  );
}
