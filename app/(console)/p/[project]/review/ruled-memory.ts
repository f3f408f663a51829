import superjson from 'superjson';
import type { ReviewItem } from '@/app/_trpc/outputs';
import type { Ruled, RulingDraft } from './review-state';

/**
 * This person's rulings in this tab: those that can be undone after a reload, and those that the
 * server does not have yet, to be resent. Stored in session storage.
 */
const maxRemembered = 25;
const keyOf = (project: string, reader: string): string => `assay-reviewed-2-${project}-${reader}`;
const unsentKeyOf = (project: string, reader: string): string =>
  `assay-review-unsent-2-${project}-${reader}`;

/** A ruling without the server's answer. */
export interface Unsent {
  readonly item: ReviewItem;
  readonly said: RulingDraft;
}

export function rememberRuled(project: string, reader: string, ruled: readonly Ruled[]): void {
  write(
    keyOf(project, reader),
    ruled.filter(({ stored }) => stored !== null).slice(0, maxRemembered),
  );
}

export function recallRuled(project: string, reader: string): readonly Ruled[] {
  // If the server stored an undo that a reload interrupted, the item is reserved again; if not, the
  // ruling remains.
  return read<Ruled>(keyOf(project, reader)).map((each) => ({
    ...each,
    isUndoing: false,
    undoneFrom: null,
  }));
}

/**
 * Written when the ruling is made instead of after the next render: a reload may happen in between.
 */
export function storeUnsent(project: string, reader: string, unsent: Unsent): void {
  const others = recallUnsent(project, reader).filter(({ item }) => item.id !== unsent.item.id);
  write(unsentKeyOf(project, reader), [...others, unsent]);
}

/** Drops only the answered ruling: a newer one of the same item may be pending by now. */
export function dropUnsent(
  project: string,
  reader: string,
  item: string,
  said?: RulingDraft,
): void {
  const left = recallUnsent(project, reader).filter(
    (each) => each.item.id !== item || (said !== undefined && !isSame(each.said, said)),
  );
  write(unsentKeyOf(project, reader), left);
}

/** In the order in which they were made. */
export function recallUnsent(project: string, reader: string): readonly Unsent[] {
  return read<Unsent>(unsentKeyOf(project, reader));
}

const isSame = (one: RulingDraft, other: RulingDraft): boolean =>
  one.answer === other.answer && one.reason === other.reason && one.grade === other.grade;

function write(key: string, list: readonly unknown[]): void {
  try {
    sessionStorage.setItem(key, superjson.stringify(list));
  } catch {
    // With full or blocked storage, only the restore after a reload is lost; leaving the page asks
    // for confirmation.
  }
}

function read<T>(key: string): readonly T[] {
  try {
    const text = sessionStorage.getItem(key);
    if (text === null) return [];
    const list: readonly T[] = superjson.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
