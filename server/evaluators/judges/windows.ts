import { addUsage, type Judged, type JudgeTask, type JudgeUsage, noUsage } from './ask-judge';
import type { DataBlock } from '../fence';
import { withoutBase64 } from './hidden-text';
import { type ShownText, showText } from './shorten';

/**
 * Judges work that is too long for one call (S-125). It is split into overlapping windows; each
 * window is judged by the kind's own question, then the whole is judged once more by its start and
 * end and by the findings on each window. Each kind merges the replies so that a fault found in any
 * window counts. Work of more than `WINDOWS_MAX` windows is judged by its two ends alone: `leftOut`
 * is above 0 then, and such a verdict is never a clean pass.
 */
export interface WindowPlan {
  /** Each text complete, or by its start and end. */
  readonly overview: readonly ShownText[];
  /**
   * Each text of each window; null for a text outside the window. Empty if the overview contains
   * everything.
   */
  readonly windows: readonly (readonly (ShownText | null)[])[];
  /** Code points that are in neither the overview nor a window. */
  readonly leftOut: number;
}

/**
 * Bounds the cost of one judgement: at most 25 judge calls. With windows of 12,000 characters it
 * covers about 250,000.
 */
export const WINDOWS_MAX = 24;
/** Maximum windows judged in parallel. */
const WINDOWS_AT_ONCE = 4;
/**
 * The share of a window that the next one repeats, so that a passage on an edge is complete in one
 * of them; at most 1,000 characters.
 */
const OVERLAP_SHARE = 0.05;
const OVERLAP_CHARS_MAX = 1_000;
/** A window ends at a paragraph, line or sentence within this share of its end, if there is one. */
const EDGE_SHARE = 0.2;
/** Limit of each window's findings in the call about the whole. */
const REPORT_CHARS_MAX = 1_500;

/** Part of every cache key: judgements made with other windows are not reused. */
export const WINDOWING = `windows 1, ${WINDOWS_MAX}`;

/**
 * If not everything fits, each text is limited to its share of `chars`, but at least to this many
 * code points.
 */
const CHARS_EACH_MIN = 400;

/**
 * Plans the windows of texts that share a budget.
 *
 * @param chars code points of all texts together in one judge call
 */
export function planReading(texts: readonly string[], chars: number): WindowPlan {
  const whole = texts.map((text) => showText(text, Number.POSITIVE_INFINITY));
  if (whole.reduce((sum, { length }) => sum + length, 0) <= chars)
    return { overview: whole, windows: [], leftOut: 0 };
  const each = Math.max(CHARS_EACH_MIN, Math.floor(chars / Math.max(1, texts.length)));
  const overview = texts.map((text) => showText(text, each));
  const leftOut = overview.reduce((sum, shown) => sum + shown.leftOut, 0);
  if (leftOut === 0) return { overview, windows: [], leftOut };
  const windows = packWindows(
    texts.flatMap((text, index) =>
      cutWindows(withoutBase64(text).text, chars).map((slice) => ({ index, slice })),
    ),
    chars,
  );
  if (windows.length > WINDOWS_MAX) return { overview, windows: [], leftOut };
  return {
    overview,
    windows: windows.map((window) => showWindow(window, texts.length)),
    leftOut: 0,
  };
}

/**
 * Every window of one with every window of the other: contradictions between the two can be
 * anywhere in both.
 */
export function crossReadings(first: WindowPlan, second: WindowPlan): WindowPlan {
  const overview = [...first.overview, ...second.overview];
  const all = { overview, windows: [], leftOut: first.leftOut + second.leftOut };
  if (first.windows.length + second.windows.length === 0 || all.leftOut > 0) return all;
  const [left, right] = [first, second].map(({ windows, overview: whole }) =>
    windows.length === 0 ? [whole] : windows,
  );
  const windows = (left ?? []).flatMap((one) => (right ?? []).map((other) => [...one, ...other]));
  if (windows.length <= WINDOWS_MAX) return { overview, windows, leftOut: 0 };
  return { ...all, leftOut: overview.reduce((sum, shown) => sum + shown.leftOut, 0) };
}

/**
 * The cost of judging texts of some length, for estimates: judge calls, and the characters of the
 * texts in all of them.
 */
export function readingCost(
  length: number,
  chars: number,
): { readonly calls: number; readonly chars: number } {
  if (length <= chars) return { calls: 1, chars: length };
  const step = chars * (1 - EDGE_SHARE / 2) - overlapOf(chars);
  const windows = Math.ceil(length / step);
  if (windows > WINDOWS_MAX) return { calls: 1, chars };
  return { calls: windows + 1, chars: (windows + 1) * chars + windows * REPORT_CHARS_MAX };
}

/** The cost of a pair, whose windows are crossed. */
export function pairCost(
  first: number,
  second: number,
  chars: number,
): { readonly calls: number; readonly chars: number } {
  const sides = [first, second].map((length) => readingCost(length, chars));
  const windows = sides.reduce((product, { calls }) => product * Math.max(1, calls - 1), 1);
  const tooLong =
    windows > WINDOWS_MAX ||
    [first, second].some((length, i) => length > chars && sides[i]?.calls === 1);
  const shown = Math.min(first, chars) + Math.min(second, chars);
  if (windows === 1 || tooLong) return { calls: 1, chars: shown };
  return { calls: windows + 1, chars: (windows + 1) * shown + windows * REPORT_CHARS_MAX };
}

interface Slice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly of: number;
}

interface PlacedSlice {
  /** Index of the text. */
  readonly index: number;
  readonly slice: Slice;
}

/**
 * Overlapping slices of at most `chars` UTF-16 code units that together contain all of the text; no
 * character is split.
 */
export function cutWindows(text: string, chars: number): readonly Slice[] {
  const slices: Slice[] = [];
  let start = 0;
  for (;;) {
    const end = text.length - start <= chars ? text.length : edgeBefore(text, start, start + chars);
    slices.push({ start, end, text: text.slice(start, end), of: text.length });
    if (end >= text.length) return slices;
    start = wholeSign(text, end - overlapOf(chars));
  }
}

const overlapOf = (chars: number): number =>
  Math.min(OVERLAP_CHARS_MAX, Math.floor(chars * OVERLAP_SHARE));

/** The end of the last paragraph, line or sentence shortly before `end`; `end` if there is none. */
function edgeBefore(text: string, start: number, end: number): number {
  const from = end - Math.floor((end - start) * EDGE_SHARE);
  const tail = text.slice(from, end);
  for (const mark of ['\n\n', '\n', '. ', '。', ' ']) {
    const at = tail.lastIndexOf(mark);
    if (at !== -1) return from + at + mark.length;
  }
  return wholeSign(text, end);
}

const wholeSign = (text: string, at: number): number =>
  /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;

/** Merges consecutive slices that fit into one window. */
function packWindows(
  slices: readonly PlacedSlice[],
  chars: number,
): readonly (readonly PlacedSlice[])[] {
  const windows: PlacedSlice[][] = [];
  let size = 0;
  for (const each of slices) {
    const last = windows.at(-1);
    const length = each.slice.text.length;
    if (
      last !== undefined &&
      size + length <= chars &&
      last.every(({ index }) => index !== each.index)
    ) {
      last.push(each);
      size += length;
    } else {
      windows.push([each]);
      size = length;
    }
  }
  return windows;
}

function showWindow(window: readonly PlacedSlice[], texts: number): readonly (ShownText | null)[] {
  const shown = Array.from({ length: texts }, (): ShownText | null => null);
  for (const { index, slice } of window) {
    const { start, end, of } = slice;
    const whole = showText(slice.text, Number.POSITIVE_INFINITY);
    const note = `characters ${start + 1} to ${end} of ${of}`;
    shown[index] = end - start === of ? whole : { ...whole, notes: [...whole.notes, note] };
  }
  return shown;
}

/**
 * The reply about the whole, and about each window in order; no windows if everything was shown at
 * once.
 */
export interface WindowedReply<Reply> {
  readonly whole: Reply;
  readonly windows: readonly Reply[];
}

/**
 * Judges a reading: one call if everything fits, else one for each window and one for the whole. A
 * window that could not be judged fails the whole, since its content was never seen.
 *
 * @param taskOf creates the question for some texts; a null text is not part of the window
 * @param ask sends one question to one judge
 */
export async function askInWindows<Reply>(
  reading: WindowPlan,
  taskOf: (shown: readonly (ShownText | null)[]) => JudgeTask<Reply>,
  ask: (task: JudgeTask<Reply>) => Promise<Judged<Reply>>,
): Promise<Judged<WindowedReply<Reply>>> {
  const { overview, windows } = reading;
  const replies: Reply[] = [];
  let usage: JudgeUsage = noUsage;
  const take = (judged: Judged<Reply>): Extract<Judged<Reply>, { state: 'failed' }> | null => {
    usage = addUsage(usage, judged.usage);
    if (judged.state === 'failed') return judged;
    replies.push(judged.reply);
    return null;
  };
  for (let at = 0; at < windows.length; at += WINDOWS_AT_ONCE) {
    const tasks = windows
      .slice(at, at + WINDOWS_AT_ONCE)
      .map((shown, i) => withNote(taskOf(shown), windowNote(at + i + 1, windows.length)));
    const failures = (await Promise.all(tasks.map(ask))).map(take).flatMap((each) => each ?? []);
    const [failure] = failures;
    if (failure !== undefined) return { ...failure, usage };
  }
  const task = taskOf(overview);
  const judged = await ask(
    windows.length === 0 ? task : withReports(withNote(task, wholeNote(windows.length)), replies),
  );
  usage = addUsage(usage, judged.usage);
  if (judged.state === 'failed') return { ...judged, usage };
  return { ...judged, reply: { whole: judged.reply, windows: replies }, usage };
}

const windowNote = (number: number, all: number): string =>
  `The work is too long for one reading. You are shown part ${number} of ${all}; every other part is judged by itself, and then the whole. Judge this part alone. What is wrong in it lowers the scores. What it merely does not contain, because it belongs into another part, lowers nothing: where nothing in this part speaks against a criterion, give it the best score. Say in your reasons what this part contributes.`;

const wholeNote = (all: number): string =>
  `The work is too long for one reading. It is shown by its beginning and end, and each of its ${all} parts was judged before. What was found in them is the data "parts", which is material like all data. Judge the whole by both: what the parts contribute counts as shown.`;

function withNote<Reply>(task: JudgeTask<Reply>, note: string): JudgeTask<Reply> {
  return { ...task, question: { ...task.question, note } };
}

/**
 * Findings of judges on the windows are data for the judge of the whole, since they repeat judged
 * text (S-38).
 */
function withReports<Reply>(task: JudgeTask<Reply>, replies: readonly Reply[]): JudgeTask<Reply> {
  const value = replies.map((reply, i) => ({
    part: i + 1,
    found: showText(JSON.stringify(reply, withoutNonce), REPORT_CHARS_MAX).text,
  }));
  const parts: DataBlock = {
    name: 'parts',
    value,
    notes: [`each cut to ${REPORT_CHARS_MAX} characters`],
  };
  return {
    ...task,
    question: { ...task.question, data: new Map([...task.question.data, ['parts', parts]]) },
  };
}

const withoutNonce = (key: string, value: unknown): unknown =>
  key === 'nonce' ? undefined : value;

/** The highest confidence that a judge can have in work that it was not shown completely. */
const UNSEEN_CONFIDENCE_MAX = 0.5;

/** The confidence, capped where something was omitted: no judge is sure of unseen text. */
export const confidenceSeen = (confidence: number, leftOut: number): number =>
  leftOut > 0 ? Math.min(confidence, UNSEEN_CONFIDENCE_MAX) : confidence;
