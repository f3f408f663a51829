import type { ModelTier } from '../../domain';

/** The size class of a model, read from its name. */
export interface TierReading {
  readonly tier: ModelTier;
  /**
   * Parameters in billions; null if neither the name nor the table of known models contains the
   * size.
   */
  readonly billions: number | null;
  /** True if the name does not contain the class, and the middle one is used (QEL-25). */
  readonly assumed: boolean;
}

/**
 * A size inside a name: `70b`, `6.7B`, `135m`, `8x7b`. Neither letters nor digits may touch it, so
 * `q4`, `4bit`, `4.0bpw`, `32k` and the active share of `30b-a3b` do not count.
 */
const size = /(?<![a-z0-9.])(?:(\d{1,3})\s?x\s?)?(\d{1,4}(?:\.\d{1,3})?)\s?([bm])(?![a-z0-9])/i;

/** Maximum characters of a name that are read. */
const NAME_CHARS = 300;

type Published = readonly (readonly [RegExp, number])[];

/**
 * Models whose names have a number other than their size: 17 is the number of active parameters, of
 * 16 or 128 experts.
 */
const misleading: Published = [
  [/llama-?4-?scout/, 109],
  [/llama-?4-?maverick/, 400],
];

/**
 * Models without a size in their name, in billions of parameters as published by their makers. The
 * first match counts: the longer name precedes its own prefix.
 */
const published: Published = [
  [/kimi-?k2/, 1000],
  [/deepseek-?(?:chat|reasoner|v3|v2\.5|r1|coder-?v2)(?!.*(?:distill|lite))/, 671],
  [/mistral-?large|pixtral-?large/, 123],
  [/command-?r-?(?:plus|\+)/, 104],
  [/command-?a\b/, 111],
  [/command-?r\b/, 35],
  [/mistral-?nemo/, 12],
  [/mistral-?small|devstral/, 24],
  [/codestral/, 22],
  [/phi-?4-?mini|phi-?3(?:\.5)?-?mini/, 3.8],
  [/phi-?3-?medium|phi-?4\b/, 14],
  [/phi-?2\b/, 2.7],
];

/**
 * Claude and the class of GPT-4 or above, taken literally: small siblings (Haiku, gpt-4o-mini)
 * belong to it (QEL-25).
 */
const largest = /\bclaude|\bgpt-?(?:[4-9]|\d\d)|\bchatgpt-4|\bo[1-9](?:-|\b)|\bgemini|\bgrok/;
/** Small siblings that run on a phone. */
const notLargest = /\bgemini-(?:\d(?:\.\d)?-)?nano/;

/**
 * Reads the size class from a model's name (QEL-23 to QEL-25): a size in the name, else a published
 * one, else Claude and the class of GPT-4, else medium by assumption.
 */
export function readTier(model: string | null): TierReading {
  const name = (model ?? '').slice(0, NAME_CHARS).toLowerCase();
  const billions = publishedIn(misleading, name) ?? sizeIn(name) ?? publishedIn(published, name);
  if (billions !== null) return { tier: tierOf(billions), billions, assumed: false };
  if (largest.test(name) && !notLargest.test(name))
    return { tier: 'xlarge', billions: null, assumed: false };
  return { tier: 'medium', billions: null, assumed: true };
}

/**
 * A size on a bound belongs to the larger class, except 3, the upper end of the smallest (QEL-24).
 */
function tierOf(billions: number): ModelTier {
  if (billions <= 3) return 'tiny';
  if (billions < 13) return 'small';
  if (billions < 34) return 'medium';
  return billions < 70 ? 'large' : 'xlarge';
}

function sizeIn(name: string): number | null {
  const [, experts, number, unit] = size.exec(name) ?? [];
  if (number === undefined) return null;
  const one = Number(number) * (unit === 'm' ? 0.001 : 1);
  // Experts times the size of one: the parameters to load, slightly more than published (shared
  // layers count once).
  return one * (experts === undefined ? 1 : Number(experts));
}

function publishedIn(list: Published, name: string): number | null {
  return list.find(([form]) => form.test(name))?.[1] ?? null;
}
