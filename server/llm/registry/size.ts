import { familyOf } from './family';
import { takeApart } from './tokens';

/** QEL-23's tiers. */
export type SizeTier = 'tiny' | 'small' | 'medium' | 'large' | 'xlarge';

export interface ModelSize {
  /** Billions of parameters, of all experts together; null where the name does not tell. */
  readonly billions: number | null;
  readonly tier: SizeTier;
  /** The tier is a guess: the name tells neither a size nor a known class (QEL-25). */
  readonly assumed: boolean;
}

const stated = /(?:^|[^a-z0-9.])(?:(\d{1,3})x)?(\d{1,5}(?:\.\d{1,3})?)([bm])(?![a-z0-9])/;

/**
 * Makers who do not tell sizes, whose whole line is held to be of the largest tier: Claude, and
 * GPT-4 and what came after it.
 */
const largest =
  /^(?:chatgpt|gpt[-_]?[4-9]|o[1-9](?![a-z0-9])|gemini.*pro|grok|mistral[-_]large|deepseek[-_](?:chat|reasoner|v[3-9]|r\d))/;

/**
 * A model's size from its name alone. `8x7b` is 56, `q4` and `a22b` are no sizes (QEL-24, QEL-25).
 */
export function sizeOf(model: string): ModelSize {
  const { name } = takeApart(model);
  const [, experts = '1', number, unit] = stated.exec(name) ?? [];
  if (number !== undefined) {
    const billions = (Number(experts) * Number(number)) / (unit === 'm' ? 1000 : 1);
    return { billions, tier: tierOf(billions), assumed: false };
  }
  if (familyOf(model) === 'anthropic' || largest.test(name))
    return { billions: null, tier: 'xlarge', assumed: false };
  return { billions: null, tier: 'medium', assumed: true };
}

/** Lower bounds inclusive, but for the first: up to and with 3 is tiny. */
function tierOf(billions: number): SizeTier {
  if (billions <= 3) return 'tiny';
  if (billions < 13) return 'small';
  if (billions < 34) return 'medium';
  return billions < 70 ? 'large' : 'xlarge';
}
