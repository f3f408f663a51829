/**
 * Labels for tuning must be disjoint from those for testing (calibration.md 5.10): every key
 * belongs permanently to one part, 15 % of them to `train` (shown in prompts), 42.5 % to
 * `development` (used while tuning) and 42.5 % to `test` (held out). FNV-1a of the key's UTF-16
 * units, mixed by the last steps of MurmurHash3, which spreads the bits evenly even for similar
 * keys.
 */
const splits = ['train', 'development', 'test'] as const;
export type Split = (typeof splits)[number];

const trainShare = 0.15;
const developmentShare = 0.425;

/**
 * @param key the session of a subject, else its id, so that related subjects are in the same part
 */
export function splitOf(key: string): Split {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  const place = ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
  if (place < trainShare) return 'train';
  return place < trainShare + developmentShare ? 'development' : 'test';
}
