import type { FileMention } from './mentions';

/** Maximum extent of a sentence around a position. */
const SENTENCE_CHARS = 300;

/** After a file: introduces its content. "models.py with a Task class", "models.py: class Task". */
const holds =
  /^[`"'*)\]]{0,3}\s{0,3}(?:with|where|which|that|has|have|having|holds?|holding|contains?|containing|defin\w{1,4}|export\w{0,3}|expos\w{1,3}|provid\w{1,3}|implement\w{0,3}|includ\w{1,3}|serv\w{1,3}|should|must|gets?|needs?|[:(=–—-])/i;
/** Before a file: follows its content. "a Task class in models.py". */
const isInside =
  /\b(?:in|into|inside|within|to|at|of)\s{1,3}(?:(?:a|an|the|file|module|new)\s{1,3}){0,3}[`"'*(]{0,3}$/i;
const joint = /[,;]|\s(?:and|plus|und|et|y)\s/i;
/** A sentence that continues about the file before it. */
const refersBack = /^[\s\-*•]{0,6}(?:it|its|this|that|there|inside|the\s(?:file|module|script))\b/i;
const ordinal = /^[\s\-*•]{0,6}the\s(first|former|second|latter|third|fourth)\b/i;
const ordinals: ReadonlyMap<string, number> = new Map([
  ['first', 0],
  ['former', 0],
  ['second', 1],
  ['latter', 1],
  ['third', 2],
  ['fourth', 3],
]);

/**
 * Finds the file that a position of the request refers to. If its sentence names several, the
 * result is the one whose content is described there; null if that is ambiguous, or no file is
 * meant.
 */
export function fileOfPlace(
  request: string,
  mentions: readonly FileMention[],
  deliverables: readonly string[],
): (at: number) => string | null {
  if (deliverables.length < 2) return () => null;
  const planned = new Set(deliverables);
  const files = mentions.filter(({ path, program }) => program && planned.has(path));
  const programs = [...new Set(files.map(({ path }) => path))];
  return (at) => {
    const [from, to] = sentenceAt(request, at);
    const here = files.filter((file) => file.at >= from && file.end <= to);
    if (new Set(here.map(({ path }) => path)).size === 1) return here[0]?.path ?? null;
    if (here.length > 0) return holderOf(request, at, here);
    const sentence = request.slice(from, to);
    const nth = ordinals.get(ordinal.exec(sentence)?.[1]?.toLowerCase() ?? '');
    if (nth !== undefined) return programs[nth] ?? null;
    return refersBack.test(sentence)
      ? (files.findLast(({ end }) => end <= from)?.path ?? null)
      : null;
  };
}

/**
 * Of the files next to a position in its sentence: the one after it, if nothing else begins between
 * them, else the one before it.
 */
function holderOf(request: string, at: number, here: readonly FileMention[]): string | null {
  const before = here.findLast(({ end }) => end <= at);
  const after = here.find((file) => file.at > at);
  const isBefore = before !== undefined && holds.test(request.slice(before.end, before.end + 24));
  const isAfter =
    after !== undefined && isInside.test(request.slice(Math.max(at, after.at - 40), after.at));
  if (isAfter && !(isBefore && joint.test(request.slice(at, after.at)))) return after.path;
  return isBefore ? before.path : null;
}

function sentenceAt(request: string, at: number): readonly [number, number] {
  let from = at;
  while (from > Math.max(0, at - SENTENCE_CHARS) && !isEnd(request, from - 1)) from--;
  let to = at;
  while (to < Math.min(request.length, at + SENTENCE_CHARS) && !isEnd(request, to)) to++;
  return [from, to];
}

function isEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 10 || code === 0x3002) return true;
  const next = text.charCodeAt(at + 1);
  return (
    (code === 46 || code === 33 || code === 63 || code === 59) &&
    (next === 32 || next === 10 || Number.isNaN(next))
  );
}
