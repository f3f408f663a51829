import type { FileMention } from './mentions';

/** How far around a file its sentence reaches at most. */
const SENTENCE_CHARS = 300;

interface Sentence {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Tells which file a place of the request speaks of: the only one that its sentence names; null where several are meant as well, or none.
 */
export function fileOfPlace(
  request: string,
  mentions: readonly FileMention[],
  deliverables: readonly string[],
): (at: number) => string | null {
  if (deliverables.length < 2) return () => null;
  const owed = new Set(deliverables);
  const sentences = mentions.filter(({ path, program }) => program && owed.has(path)).map((mention) => sentenceOf(request, mention));
  return (at) => {
    let path: string | null = null;
    for (const sentence of sentences) {
      if (at < sentence.from || at >= sentence.to) continue;
      if (path !== null && path !== sentence.path) return null;
      path = sentence.path;
    }
    return path;
  };
}

function sentenceOf(request: string, { path, at, end }: FileMention): Sentence {
  const least = Math.max(0, at - SENTENCE_CHARS);
  const most = Math.min(request.length, end + SENTENCE_CHARS);
  let from = at;
  while (from > least && !isEnd(request, from - 1)) from--;
  let to = end;
  while (to < most && !isEnd(request, to)) to++;
  return { path, from, to };
}

function isEnd(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 10 || code === 0x3002) return true;
  const next = text.charCodeAt(at + 1);
  return (code === 46 || code === 33 || code === 63 || code === 59) && (next === 32 || next === 10 || Number.isNaN(next));
}
