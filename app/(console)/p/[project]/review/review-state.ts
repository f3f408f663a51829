import type { ItemRuled, ReviewItem } from '@/app/_trpc/outputs';
import type { Problem } from '@/app/_trpc/problem';
import type { ReviewAnswer } from '@/server/labels/input';

/** A reviewer's ruling on an item. */
export interface RulingDraft {
  readonly answer: ReviewAnswer;
  readonly reason: string | null;
  readonly grade: number | null;
  /** The shown item and the number of items, if several were ruled on at once. */
  readonly bulk: { readonly of: string; readonly items: number } | null;
}

/**
 * An item that this person ruled on here; `stored` is the server's answer, null until the ruling is
 * stored.
 */
export interface Ruled {
  readonly item: ReviewItem;
  readonly said: RulingDraft;
  readonly stored: ItemRuled | null;
  /**
   * An undo is in flight: the item is shown again, and accepts no ruling until the undo is stored.
   */
  readonly isUndoing: boolean;
  /** The item that was shown when the undo began. */
  readonly undoneFrom: string | null;
}

/** A ruling that was not stored; its item is open again. */
export interface Unstored {
  readonly item: string;
  readonly said: RulingDraft;
  readonly problem: Problem;
}

export interface ReviewState {
  /** The server has answered a reservation, even with no items. */
  readonly isServed: boolean;
  /** Reserved for this person and not ruled on, in their order. */
  readonly items: readonly ReviewItem[];
  /** The item that is shown. */
  readonly at: string | null;
  /** Latest first. */
  readonly ruled: readonly Ruled[];
  readonly unstored: readonly Unstored[];
  /** The rulings stored before a reload have been restored. */
  readonly isRecalled: boolean;
  /** Number of rulings stored or undone so far. */
  readonly tick: number;
  /** The `tick` of the last one, by item. */
  readonly changed: ReadonlyMap<string, number>;
}

export type ReviewEvent =
  /**
   * `asked`: the `tick` at the time of the request; the response does not include later changes.
   */
  | { readonly type: 'reserved'; readonly items: readonly ReviewItem[]; readonly asked: number }
  | { readonly type: 'opened'; readonly item: string }
  | { readonly type: 'moved'; readonly step: 1 | -1 }
  | { readonly type: 'ruled'; readonly item: ReviewItem; readonly said: RulingDraft }
  | { readonly type: 'stored'; readonly stored: ItemRuled }
  | {
      readonly type: 'refused';
      readonly item: ReviewItem;
      readonly said: RulingDraft;
      readonly problem: Problem;
    }
  | { readonly type: 'undoing'; readonly item: string; readonly on: boolean }
  | { readonly type: 'undone'; readonly item: ReviewItem }
  | { readonly type: 'assigned'; readonly item: ReviewItem }
  | { readonly type: 'recalled'; readonly ruled: readonly Ruled[] }
  | { readonly type: 'dismissed' };

/** Maximum number of rulings that can be undone. */
const maxUndoable = 50;

export function emptyReview(at: string | null): ReviewState {
  return {
    isServed: false,
    items: [],
    at,
    ruled: [],
    unstored: [],
    isRecalled: false,
    tick: 0,
    changed: new Map(),
  };
}

/** The ruling or its undo is not stored yet. */
export const isUnsettled = ({ stored, isUndoing }: Ruled): boolean => stored === null || isUndoing;

/** Leaving the page would lose a ruling or an undo that is in flight or has failed. */
export const isUnsaved = ({ ruled, unstored }: ReviewState): boolean =>
  ruled.some(isUnsettled) || unstored.length > 0;

/** The shown item has an undo in flight. */
export const isUndoInFlight = ({ ruled, at }: ReviewState): boolean =>
  ruled.some(({ item, isUndoing }) => isUndoing && item.id === at);

/**
 * The review queue of one person. A ruling removes its item at once, since the next one must be
 * shown before the server has answered; a refused ruling brings it back, with a message. The
 * server's reservations replace the local list, except for items with a ruling in flight.
 */
export function reviewReducer(state: ReviewState, event: ReviewEvent): ReviewState {
  switch (event.type) {
    case 'reserved':
      return applyReservation(state, event.items, event.asked);
    case 'opened':
      return { ...state, at: event.item };
    case 'moved':
      return moveSelection(state, event.step);
    case 'ruled':
      return {
        ...removeItem(state, event.item.id),
        ruled: [
          { item: event.item, said: event.said, stored: null, isUndoing: false, undoneFrom: null },
          ...state.ruled.filter(({ item }) => item.id !== event.item.id),
        ].filter((each, index) => index < maxUndoable || isUnsettled(each)),
        unstored: state.unstored.filter(({ item }) => item !== event.item.id),
      };
    case 'stored':
      return {
        ...countChange(state, event.stored.item.id),
        ruled: state.ruled.map((each) =>
          each.item.id === event.stored.item.id ? { ...each, stored: event.stored } : each,
        ),
      };
    case 'refused':
      return {
        ...restoreItem(state, event.item),
        at: state.at ?? event.item.id,
        unstored: [
          ...state.unstored,
          { item: event.item.id, said: event.said, problem: event.problem },
        ],
      };
    case 'undoing':
      return event.on ? startUndo(state, event.item) : revertUndo(state, event.item);
    case 'undone':
      return applyUndo(countChange(state, event.item.id), event.item);
    case 'assigned':
      return applyAssignment(state, event.item);
    case 'recalled':
      return {
        ...state,
        isRecalled: true,
        ruled: [...state.ruled, ...event.ruled.filter((each) => !isRuled(state, each.item.id))],
      };
    case 'dismissed':
      return { ...state, unstored: [] };
  }
}

const isRuled = ({ ruled }: ReviewState, id: string): boolean =>
  ruled.some(({ item }) => item.id === id);

const countChange = (state: ReviewState, id: string): ReviewState => ({
  ...state,
  tick: state.tick + 1,
  changed: new Map(state.changed).set(id, state.tick + 1),
});

function applyReservation(
  state: ReviewState,
  reservedItems: readonly ReviewItem[],
  requestTick: number,
): ReviewState {
  const unsettled = new Set(
    state.ruled.flatMap((each) => (isUnsettled(each) ? [each.item.id] : [])),
  );
  // For these the page has newer information than the response.
  const isKnown = (id: string): boolean =>
    unsettled.has(id) || (state.changed.get(id) ?? 0) > requestTick;
  const fresh = new Map(
    reservedItems.filter(({ id }) => !isKnown(id)).map((item) => [item.id, item]),
  );
  const remaining = state.items.flatMap((item) =>
    isKnown(item.id) ? item : (fresh.get(item.id) ?? []),
  );
  const remainingIds = new Set(remaining.map(({ id }) => id));
  const items = [...remaining, ...[...fresh.values()].filter(({ id }) => !remainingIds.has(id))];
  // An item that was ruled on here and is reserved again was undone in another tab.
  const ruled = state.ruled.filter(({ item }) => !fresh.has(item.id));
  return {
    ...state,
    isServed: true,
    items,
    ruled,
    at: items.some(({ id }) => id === state.at) ? state.at : (items[0]?.id ?? null),
  };
}

/** Shows the item before the server has answered: the next key is meant for it. */
function startUndo(state: ReviewState, id: string): ReviewState {
  const entry = state.ruled.find(({ item }) => item.id === id);
  if (entry === undefined) return state;
  return {
    ...state,
    items: [entry.item, ...state.items.filter((item) => item.id !== id)],
    at: id,
    ruled: state.ruled.map((each) =>
      each === entry ? { ...each, isUndoing: true, undoneFrom: state.at } : each,
    ),
  };
}

/** The undo failed: everything is as it was before. */
function revertUndo(state: ReviewState, id: string): ReviewState {
  const entry = state.ruled.find(({ item, isUndoing }) => isUndoing && item.id === id);
  if (entry === undefined) return state;
  const ruled = state.ruled.map((each) =>
    each === entry ? { ...each, isUndoing: false, undoneFrom: null } : each,
  );
  return {
    ...selectIfPresent(removeItem(state, id), state.at === id ? entry.undoneFrom : null),
    ruled,
  };
}

/**
 * The result of the undo: the item, to be ruled on again, unless others have settled or reserved it
 * in the meantime.
 */
function applyUndo(state: ReviewState, item: ReviewItem): ReviewState {
  const entry = state.ruled.find((each) => each.isUndoing && each.item.id === item.id);
  const isHere = entry !== undefined && state.items.some(({ id }) => id === item.id);
  const cleared = {
    ...state,
    ruled: state.ruled.filter((each) => each.item.id !== item.id),
    unstored: state.unstored.filter((each) => each.item !== item.id),
  };
  if (!isForMe(item))
    return selectIfPresent(
      removeItem(cleared, item.id),
      state.at === item.id ? (entry?.undoneFrom ?? null) : null,
    );
  // A reviewer who has moved to another item stays there.
  if (isHere)
    return { ...cleared, items: cleared.items.map((each) => (each.id === item.id ? item : each)) };
  return { ...restoreItem(cleared, item), at: item.id };
}

/** Open, and not reserved by another reviewer. */
export const isForMe = ({ state, reservedUntil }: ReviewItem): boolean =>
  state === 'open' && reservedUntil !== null;

/** An item that is assigned to another person is no longer reserved for this one. */
function applyAssignment(state: ReviewState, item: ReviewItem): ReviewState {
  const next = countChange(state, item.id);
  if (!isForMe(item)) return removeItem(next, item.id);
  return { ...next, items: next.items.map((each) => (each.id === item.id ? item : each)) };
}

/** Rulings to undo together: those of the same action as the given one, the first one last. */
export function findRulingBatch({ ruled }: ReviewState, { item, said }: Ruled): readonly Ruled[] {
  return ruled
    .filter(
      (each) =>
        !each.isUndoing &&
        (each.item.id === item.id || (said.bulk !== null && each.said.bulk?.of === said.bulk.of)),
    )
    .toReversed();
}

const selectIfPresent = (state: ReviewState, at: string | null): ReviewState =>
  state.items.some(({ id }) => id === at) ? { ...state, at } : state;

function moveSelection(state: ReviewState, step: 1 | -1): ReviewState {
  const from = state.items.findIndex(({ id }) => id === state.at);
  const to = state.items[from === -1 ? 0 : from + step];
  return to === undefined ? state : { ...state, at: to.id };
}

/** The next item takes its place; after the last one, the previous one. */
function removeItem(state: ReviewState, id: string): ReviewState {
  const from = state.items.findIndex((item) => item.id === id);
  const items = state.items.filter((item) => item.id !== id);
  if (state.at !== id) return { ...state, items };
  return { ...state, items, at: (items[from] ?? items.at(-1))?.id ?? null };
}

function restoreItem(state: ReviewState, item: ReviewItem): ReviewState {
  return {
    ...state,
    items: [item, ...state.items.filter(({ id }) => id !== item.id)],
    ruled: state.ruled.filter((each) => each.item.id !== item.id),
  };
}
