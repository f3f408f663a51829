import { sameModel } from '../../llm';
import { dialectOf } from '../dialects/dialects';
import { namesInPath } from '../dialects/paths';
import type { ExchangeRequest } from '../exchange';

/** Bytes at the start of an answer that are searched for the model. */
const SEARCHED_BYTES = 65_536;

/**
 * Finds an answer's model by a byte search: unescaped quotes around the member's name cannot occur
 * within a JSON string. Null if not found.
 */
function modelIn(bytes: Buffer, member: string): string | null {
  const key = `"${member}"`;
  const searched = bytes.length > SEARCHED_BYTES ? bytes.subarray(0, SEARCHED_BYTES) : bytes;
  const at = searched.indexOf(key);
  if (at < 0) return null;
  const value = /^\s*:\s*"([^"\\]{1,200})"/.exec(
    searched.toString('latin1', at + key.length, at + key.length + 240),
  );
  return value?.[1] ?? null;
}

/**
 * Whether a model other than the requested one answered (QV-4), by the first bytes of the answer. An
 * unnamed model counts as the same, and so does any model behind a deployment or `…-latest`.
 */
export function isSubstituted(
  { model, path, dialect }: Pick<ExchangeRequest, 'model' | 'path' | 'dialect'>,
  first: Buffer,
): boolean {
  if (model === null || model.endsWith('-latest') || namesInPath(path).isDeployment) return false;
  return isOther(model, modelIn(first, dialectOf(dialect).modelMember));
}

/** Cache: few pairs of models occur. */
const judged = new Map<string, boolean>();
const JUDGED_MAX = 1000;

function isOther(requested: string, answered: string | null): boolean {
  if (answered === null || requested === answered) return false;
  const pair = `${requested}\n${answered}`;
  const before = judged.get(pair);
  if (before !== undefined) return before;
  const substituted = !sameModel(requested, answered);
  if (judged.size < JUDGED_MAX) judged.set(pair, substituted);
  return substituted;
}
