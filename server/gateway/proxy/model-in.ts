import { sameModel } from '../../llm';

/** Bytes at the start of an answer that are searched for the model. */
const SEARCHED_BYTES = 65_536;
const key = Buffer.from('"model"');

/**
 * Finds an answer's model by a byte search: unescaped quotes around `"model"` cannot occur within a
 * JSON string. Null: not found.
 */
export function modelIn(bytes: Buffer): string | null {
  const searched = bytes.length > SEARCHED_BYTES ? bytes.subarray(0, SEARCHED_BYTES) : bytes;
  const at = searched.indexOf(key);
  if (at < 0) return null;
  const value = /^\s*:\s*"([^"\\]{1,200})"/.exec(
    searched.toString('latin1', at + key.length, at + key.length + 240),
  );
  return value?.[1] ?? null;
}

/** Cache: few pairs of models occur. */
const judged = new Map<string, boolean>();
const JUDGED_MAX = 1000;

/**
 * Whether a model other than the requested one answered (QV-4). An unnamed model counts as the
 * same.
 */
export function isSubstituted(asked: string | null, answered: string | null): boolean {
  if (asked === null || answered === null || asked === answered) return false;
  const pair = `${asked}\n${answered}`;
  const before = judged.get(pair);
  if (before !== undefined) return before;
  const substituted = !sameModel(asked, answered);
  if (judged.size < JUDGED_MAX) judged.set(pair, substituted);
  return substituted;
}
