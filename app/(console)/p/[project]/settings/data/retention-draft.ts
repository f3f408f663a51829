import type { Retention } from '@/app/_trpc/outputs';

/** The form's state: days as typed, empty for no limit. */
export interface RetentionDraft {
  readonly content: string;
  readonly records: string;
  readonly keepLabelled: boolean;
}

export function draftOf({ contentDays, recordDays, keepLabelled }: Retention): RetentionDraft {
  return {
    content: contentDays?.toString() ?? '',
    records: recordDays?.toString() ?? '',
    keepLabelled,
  };
}

export interface RetentionFaults {
  readonly content: string | null;
  readonly records: string | null;
}

/** Days, null for no limit, or undefined when they cannot be read. */
function daysOf(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  const days = Number(typed);
  return Number.isInteger(days) && days >= 1 && days <= 36_500 ? days : undefined;
}

const unread = 'Whole days from 1 to 36,500, or nothing.';

/** The settings of the form, or their errors. */
export function readDraft(
  draft: RetentionDraft,
): { readonly retention: Retention } | { readonly faults: RetentionFaults } {
  const contentDays = daysOf(draft.content);
  const recordDays = daysOf(draft.records);
  if (contentDays === undefined || recordDays === undefined) {
    return {
      faults: {
        content: contentDays === undefined ? unread : null,
        records: recordDays === undefined ? unread : null,
      },
    };
  }
  if (recordDays !== null && (contentDays === null || recordDays < contentDays)) {
    return { faults: { content: null, records: 'Records are kept at least as long as content.' } };
  }
  return { retention: { contentDays, recordDays, keepLabelled: draft.keepLabelled } };
}

export function isSame(one: Retention, other: Retention): boolean {
  return (
    one.contentDays === other.contentDays &&
    one.recordDays === other.recordDays &&
    one.keepLabelled === other.keepLabelled
  );
}
