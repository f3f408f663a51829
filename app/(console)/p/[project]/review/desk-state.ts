import type { ItemRuled, ReviewItem } from '@/app/_trpc/outputs';
import type { Problem } from '@/app/_trpc/problem';
import type { ReviewAnswer } from '@/server/labels/input';

/** What a person says of an item. */
export interface Said {
  readonly answer: ReviewAnswer;
  readonly reason: string | null;
  readonly grade: number | null;
}

/**
 * An item that this person ruled on here; `told` comes with the server's answer, and until then it
 * is not stored.
 */
export interface Ruled {
  readonly item: ReviewItem;
  readonly said: Said;
  readonly told: ItemRuled | null;
  /**
   * It is being taken back: its item is in hand again, and takes no ruling until that is stored.
   */
  readonly isUndoing: boolean;
  /** What was in hand when it was taken back. */
  readonly undoneFrom: string | null;
}

/** A ruling that was not stored; its item waits again. */
export interface Unstored {
  readonly item: string;
  readonly said: Said;
  readonly problem: Problem;
}

export interface DeskState {
  /** Something was handed out, be it nothing. */
  readonly isServed: boolean;
  /** Held for this person and not ruled on, in their order. */
  readonly items: readonly ReviewItem[];
  /** The item that is shown. */
  readonly at: string | null;
  /** Latest first. */
  readonly ruled: readonly Ruled[];
  readonly unstored: readonly Unstored[];
  /** What was kept of before a reload is here. */
  readonly isRecalled: boolean;
  /** Rulings that were stored or taken back so far. */
  readonly tick: number;
  /** The `tick` of the last one, by item. */
  readonly changed: ReadonlyMap<string, number>;
}

export type DeskEvent =
  /**
   * `asked`: the desk's `tick` when the server was asked; what changed since, the answer does not
   * know.
   */
  | { readonly type: 'reserved'; readonly items: readonly ReviewItem[]; readonly asked: number }
  | { readonly type: 'opened'; readonly item: string }
  | { readonly type: 'moved'; readonly step: 1 | -1 }
  | { readonly type: 'ruled'; readonly item: ReviewItem; readonly said: Said }
  | { readonly type: 'stored'; readonly told: ItemRuled }
  | {
      readonly type: 'refused';
      readonly item: ReviewItem;
      readonly said: Said;
      readonly problem: Problem;
    }
  | { readonly type: 'undoing'; readonly item: string; readonly on: boolean }
  | { readonly type: 'undone'; readonly item: ReviewItem }
  | { readonly type: 'recalled'; readonly ruled: readonly Ruled[] }
  | { readonly type: 'dismissed' };

/** So many are kept to be taken back. */
const keptRuled = 50;

export function emptyDesk(at: string | null): DeskState {
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

/** Not stored yet, or not yet taken back. */
export const isUnsettled = ({ told, isUndoing }: Ruled): boolean => told === null || isUndoing;

/**
 * Something would be lost with the page: a ruling or an undo on its way, or one that did not
 * arrive.
 */
export const isUnsaved = ({ ruled, unstored }: DeskState): boolean =>
  ruled.some(isUnsettled) || unstored.length > 0;

/** The item in hand is being taken back. */
export const isTakingBack = ({ ruled, at }: DeskState): boolean =>
  ruled.some(({ item, isUndoing }) => isUndoing && item.id === at);

/**
 * The desk of one person. A ruling takes its item away at once, since the next one must be there
 * before the server has answered; a ruling that was refused brings it back, and says so. What the
 * server hands out wins over what is here, but for what is being ruled on meanwhile.
 */
export function deskReducer(state: DeskState, event: DeskEvent): DeskState {
  switch (event.type) {
    case 'reserved':
      return reserved(state, event.items, event.asked);
    case 'opened':
      return { ...state, at: event.item };
    case 'moved':
      return moved(state, event.step);
    case 'ruled':
      return {
        ...without(state, event.item.id),
        ruled: [
          { item: event.item, said: event.said, told: null, isUndoing: false, undoneFrom: null },
          ...state.ruled.filter(({ item }) => item.id !== event.item.id),
        ].filter((each, index) => index < keptRuled || isUnsettled(each)),
        unstored: state.unstored.filter(({ item }) => item !== event.item.id),
      };
    case 'stored':
      return {
        ...noted(state, event.told.item.id),
        ruled: state.ruled.map((each) =>
          each.item.id === event.told.item.id ? { ...each, told: event.told } : each,
        ),
      };
    case 'refused':
      return {
        ...broughtBack(state, event.item),
        at: state.at ?? event.item.id,
        unstored: [
          ...state.unstored,
          { item: event.item.id, said: event.said, problem: event.problem },
        ],
      };
    case 'undoing':
      return event.on ? takenBack(state, event.item) : leftRuled(state, event.item);
    case 'undone':
      return undone(noted(state, event.item.id), event.item);
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

const isRuled = ({ ruled }: DeskState, id: string): boolean =>
  ruled.some(({ item }) => item.id === id);

const noted = (state: DeskState, id: string): DeskState => ({
  ...state,
  tick: state.tick + 1,
  changed: new Map(state.changed).set(id, state.tick + 1),
});

function reserved(state: DeskState, handed: readonly ReviewItem[], asked: number): DeskState {
  const unsettled = new Set(
    state.ruled.flatMap((each) => (isUnsettled(each) ? [each.item.id] : [])),
  );
  // Of these the desk knows better than an answer that was on its way.
  const isKnown = (id: string): boolean =>
    unsettled.has(id) || (state.changed.get(id) ?? 0) > asked;
  const fresh = new Map(handed.filter(({ id }) => !isKnown(id)).map((item) => [item.id, item]));
  const kept = state.items.flatMap((item) =>
    isKnown(item.id) ? item : (fresh.get(item.id) ?? []),
  );
  const held = new Set(kept.map(({ id }) => id));
  const items = [...kept, ...[...fresh.values()].filter(({ id }) => !held.has(id))];
  // What was ruled on and is handed out again was taken back elsewhere.
  const ruled = state.ruled.filter(({ item }) => !fresh.has(item.id));
  return {
    ...state,
    isServed: true,
    items,
    ruled,
    at: items.some(({ id }) => id === state.at) ? state.at : (items[0]?.id ?? null),
  };
}

/**
 * The item is in hand at once: what is pressed next is meant for it, whenever the server answers.
 */
function takenBack(state: DeskState, id: string): DeskState {
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

/** The ruling stands after all: everything is as it was before it was to be taken back. */
function leftRuled(state: DeskState, id: string): DeskState {
  const entry = state.ruled.find(({ item, isUndoing }) => isUndoing && item.id === id);
  if (entry === undefined) return state;
  const ruled = state.ruled.map((each) =>
    each === entry ? { ...each, isUndoing: false, undoneFrom: null } : each,
  );
  return { ...backAt(without(state, id), state.at === id ? entry.undoneFrom : null), ruled };
}

/**
 * What came of it: the item, to be ruled on again, unless others have settled it or hold it
 * meanwhile.
 */
function undone(state: DeskState, item: ReviewItem): DeskState {
  const entry = state.ruled.find((each) => each.isUndoing && each.item.id === item.id);
  const isHere = entry !== undefined && state.items.some(({ id }) => id === item.id);
  const rest = {
    ...state,
    ruled: state.ruled.filter((each) => each.item.id !== item.id),
    unstored: state.unstored.filter((each) => each.item !== item.id),
  };
  if (!isForMe(item))
    return backAt(
      without(rest, item.id),
      state.at === item.id ? (entry?.undoneFrom ?? null) : null,
    );
  // Whoever went on to another item meanwhile stays there.
  if (isHere)
    return { ...rest, items: rest.items.map((each) => (each.id === item.id ? item : each)) };
  return { ...broughtBack(rest, item), at: item.id };
}

/** Open, and not reserved by another reviewer. */
export const isForMe = ({ state, reservedUntil }: ReviewItem): boolean =>
  state === 'open' && reservedUntil !== null;

const backAt = (state: DeskState, at: string | null): DeskState =>
  state.items.some(({ id }) => id === at) ? { ...state, at } : state;

function moved(state: DeskState, step: 1 | -1): DeskState {
  const from = state.items.findIndex(({ id }) => id === state.at);
  const to = state.items[from === -1 ? 0 : from + step];
  return to === undefined ? state : { ...state, at: to.id };
}

/** The item's successor stands in its place; after the last one, the one before. */
function without(state: DeskState, id: string): DeskState {
  const from = state.items.findIndex((item) => item.id === id);
  const items = state.items.filter((item) => item.id !== id);
  if (state.at !== id) return { ...state, items };
  return { ...state, items, at: (items[from] ?? items.at(-1))?.id ?? null };
}

function broughtBack(state: DeskState, item: ReviewItem): DeskState {
  return {
    ...state,
    items: [item, ...state.items.filter(({ id }) => id !== item.id)],
    ruled: state.ruled.filter((each) => each.item.id !== item.id),
  };
}
