import { sameModel } from '../../llm';

/** Bytes of an answer's beginning in which its model is looked for. */
const LOOKED_AT = 65_536;
const key = Buffer.from('"model"');

/**
 * The model that an answer names, by a byte search: `"model"` with raw quotes is no text within a
 * JSON string, where quotes are escaped. Null: it is not said in these bytes.
 */
export function modelIn(bytes: Buffer): string | null {
  const looked = bytes.length > LOOKED_AT ? bytes.subarray(0, LOOKED_AT) : bytes;
  const at = looked.indexOf(key);
  if (at < 0) return null;
  const value = /^\s*:\s*"([^"\\]{1,200})"/.exec(
    looked.toString('latin1', at + key.length, at + key.length + 240),
  );
  return value?.[1] ?? null;
}

/** Few names are asked for, and each is mostly answered by one other. */
const judged = new Map<string, boolean>();
const JUDGED_MAX = 1000;

/**
 * Another model answered than was asked for (QV-4). What either does not say is not held against
 * the call.
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
