/**
 * Labels that tune something must not be those that test it (calibration.md 5.10): every key
 * belongs to one part for good, 15 % of them to `train` (what prompts may show), 42.5 % to
 * `development` (what people look at while they tune) and 42.5 % to `test` (held out). FNV-1a of
 * the key's UTF-16 units, mixed by the last steps of MurmurHash3, whose bits are spread evenly
 * however alike the keys are.
 */
const splits = ['train', 'development', 'test'] as const;
export type Split = (typeof splits)[number];

const trainShare = 0.15;
const developmentShare = 0.425;

/**
 * @param key the session of a subject, else its id, so that what belongs together stays together
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
