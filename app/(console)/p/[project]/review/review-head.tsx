import { LiveMark } from '@/app/(console)/live-state';
import { SavedViews } from '@/app/(console)/saved-views';
import type { LiveState } from '@/app/(console)/use-live';
import type { ReviewCounts } from '@/app/_trpc/outputs';
import { FilterBar, ToggleGroup } from '@/app/_ui/filter-bar';
import { Choice, Toggle } from '@/app/_ui/filter-fields';
import { PageHead } from '@/app/_ui/page-head';
import { plainText } from '@/app/_ui/visible-text';
import { type AssignmentFilter, assignmentFilters, reviewQueues } from '@/server/labels/input';
import { AddRuledTurns } from './add-ruled-turns';
import { agreementText, paceText, progressText, queueWords } from './review-words';
import { type ReviewFilters, reviewQuery, isFiltered } from './filters';

const assignmentWords: Record<AssignmentFilter, string> = {
  mine: 'Assigned to me',
  none: 'Unassigned',
};

interface ReviewHeadProps {
  project: string;
  /** All verifiers with verdicts. */
  verifiers: readonly string[];
  reviewCounts: ReviewCounts;
  filters: ReviewFilters;
  live: LiveState;
  readAt: number;
  onChange: (change: Partial<ReviewFilters>) => void;
  onClear: () => void;
}

/** The day's progress, the reviewer's agreement, and the filters. */
export function ReviewHead({
  project,
  verifiers,
  reviewCounts,
  filters,
  live,
  readAt,
  onChange,
  onClear,
}: ReviewHeadProps) {
  const { open, mineToday, doneToday, agreement, paceSeconds, byAssignment } = reviewCounts;
  const isPart = isFiltered(filters);
  return (
    <div className="grid gap-2">
      <PageHead
        title="Review"
        sub="Verdicts that need a person. Your rulings measure the verifiers."
      >
        <div className="flex items-center gap-3">
          <LiveMark state={live} readAt={readAt} />
          <AddRuledTurns
            key={filters.verifier}
            project={project}
            verifiers={verifiers}
            shown={filters.verifier}
          />
        </div>
      </PageHead>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="flex items-center gap-2">
          {isPart ? null : (
            <progress
              aria-label="Ruled on today"
              max={Math.max(1, mineToday + open)}
              value={mineToday}
              className="[&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent [&::-moz-progress-bar]:bg-accent bg-sunken rounded-4 h-2 w-32 appearance-none overflow-hidden"
            />
          )}
          <span className="font-semibold">{progressText(mineToday, open, isPart)}</span>
        </span>
        {paceSeconds === null ? null : (
          <span className="text-ink-2">{paceText(paceSeconds, open)}</span>
        )}
        <span className="text-ink-2">{doneToday.toLocaleString('en')} done by all</span>
        <span className="text-ink-2">With the verifier: {agreementText(agreement.machine)}</span>
        <span className="text-ink-2">With others: {agreementText(agreement.others)}</span>
      </div>
      <FilterBar
        isFiltered={isPart}
        onClear={onClear}
        toggles={
          <>
            <ToggleGroup label="Assignment">
              {assignmentFilters.map((each) => (
                <Toggle
                  key={each}
                  on={filters.assigned === each}
                  onChange={(on) => onChange({ assigned: on ? each : null })}
                >
                  {assignmentWords[each]}{' '}
                  <span className="text-12 text-ink-3">
                    {byAssignment[each].toLocaleString('en')}
                  </span>
                </Toggle>
              ))}
            </ToggleGroup>
            <ToggleGroup label="Queue">
              {reviewQueues.map((queue) => (
                <Toggle
                  key={queue}
                  on={filters.queue === queue}
                  onChange={(on) => onChange({ queue: on ? queue : null })}
                >
                  {queueWords[queue].name}{' '}
                  <span className="text-12 text-ink-3">
                    {reviewCounts.byQueue[queue].toLocaleString('en')}
                  </span>
                </Toggle>
              ))}
            </ToggleGroup>
          </>
        }
        views={<SavedViews project={project} page="review" query={reviewQuery(filters)} />}
      >
        <Choice
          name="Verifier"
          value={filters.verifier}
          values={reviewCounts.byVerifier.map(({ verifier }) => verifier)}
          onChange={(verifier) => onChange({ verifier })}
        />
      </FilterBar>
      {reviewCounts.full.length === 0 ? null : (
        <p className="text-ink-2">
          The review queue is full for {reviewCounts.full.map(plainText).join(', ')}: less urgent
          items are skipped until some are ruled on, except for the random sample.
        </p>
      )}
    </div>
  );
}
