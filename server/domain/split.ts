/**
 * Labels for tuning must be disjoint from those for testing (calibration.md 5.10). Every key
 * belongs permanently to one split: 15% to `train` (shown in prompts), 42.5% to `development`
 * (used while tuning) and 42.5% to `test` (held out). The hash is FNV-1a over the key's UTF-16
 * units with the finalizer of MurmurHash3, which distributes even similar keys evenly.
 */
const splits = ['train', 'development', 'test'] as const;
export type Split = (typeof splits)[number];

const trainShare = 0.15;
const developmentShare = 0.425;

/**
 * @param key the session of a subject, otherwise its id, so that related subjects are in the same
 * split
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
