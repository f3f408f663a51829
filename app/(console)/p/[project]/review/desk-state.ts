import type { ItemRuled, ReviewItem } from '@/app/_trpc/outputs';
import type { Problem } from '@/app/_trpc/problem';
import type { ReviewAnswer } from '@/server/calibration/input';

/** What a person says of an item. */
export interface Said {
  readonly answer: ReviewAnswer;
  readonly reason: string | null;
  readonly grade: number | null;
}

/** An item that this person ruled on here; `told` comes with the server's answer, and until then it is not stored. */
export interface Ruled {
  readonly item: ReviewItem;
  readonly said: Said;
  readonly told: ItemRuled | null;
  readonly isUndoing: boolean;
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
}

export type DeskEvent =
  | { readonly type: 'reserved'; readonly items: readonly ReviewItem[] }
  | { readonly type: 'opened'; readonly item: string }
  | { readonly type: 'moved'; readonly step: 1 | -1 }
  | { readonly type: 'ruled'; readonly item: ReviewItem; readonly said: Said }
  | { readonly type: 'stored'; readonly told: ItemRuled }
  | { readonly type: 'refused'; readonly item: ReviewItem; readonly said: Said; readonly problem: Problem }
  | { readonly type: 'undoing'; readonly item: string; readonly on: boolean }
  | { readonly type: 'undone'; readonly item: ReviewItem }
  | { readonly type: 'recalled'; readonly ruled: readonly Ruled[] }
  | { readonly type: 'dismissed' };

/** So many are kept to be taken back. */
const keptRuled = 50;

export function emptyDesk(at: string | null): DeskState {
  return { isServed: false, items: [], at, ruled: [], unstored: [] };
}

/**
 * The desk of one person. A ruling takes its item away at once, since the next one must be there before the server has answered; a ruling that
 * was refused brings it back, and says so. What the server hands out wins over what is here, but for what is being ruled on meanwhile.
 */
export function deskReducer(state: DeskState, event: DeskEvent): DeskState {
  switch (event.type) {
    case 'reserved':
      return reserved(state, event.items);
    case 'opened':
      return { ...state, at: event.item };
    case 'moved':
      return moved(state, event.step);
    case 'ruled':
      return {
        ...without(state, event.item.id),
        ruled: [{ item: event.item, said: event.said, told: null, isUndoing: false }, ...state.ruled].slice(0, keptRuled),
        unstored: state.unstored.filter(({ item }) => item !== event.item.id),
      };
    case 'stored':
      return {
        ...state,
        ruled: state.ruled.map((each) => (each.item.id === event.told.item.id ? { ...each, told: event.told } : each)),
      };
    case 'refused':
      return {
        ...broughtBack(state, event.item),
        at: state.at ?? event.item.id,
        unstored: [...state.unstored, { item: event.item.id, said: event.said, problem: event.problem }],
      };
    case 'undoing':
      return { ...state, ruled: state.ruled.map((each) => (each.item.id === event.item ? { ...each, isUndoing: event.on } : each)) };
    case 'undone':
      return { ...broughtBack(state, event.item), at: event.item.id };
    case 'recalled':
      return state.ruled.length > 0 ? state : { ...state, ruled: event.ruled };
    case 'dismissed':
      return { ...state, unstored: [] };
  }
}

function reserved(state: DeskState, handed: readonly ReviewItem[]): DeskState {
  const gone = new Set(state.ruled.flatMap(({ item, told }) => (told === null ? [item.id] : [])));
  const fresh = new Map(handed.filter(({ id }) => !gone.has(id)).map((item) => [item.id, item]));
  const kept = state.items.flatMap(({ id }) => fresh.get(id) ?? []);
  const held = new Set(kept.map(({ id }) => id));
  const items = [...kept, ...[...fresh.values()].filter(({ id }) => !held.has(id))];
  const back = new Set(items.map(({ id }) => id));
  // What was ruled on and is handed out again was taken back elsewhere.
  const ruled = state.ruled.filter(({ item }) => !back.has(item.id));
  return { ...state, isServed: true, items, ruled, at: items.some(({ id }) => id === state.at) ? state.at : (items[0]?.id ?? null) };
}

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
