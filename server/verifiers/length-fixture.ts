import { z } from 'zod';
import type { Score } from '../domain';
import type { Kind } from './kind';
import { outputText } from './subjects/reading';

/**
 * A verifier kind for tests only: an answer passes up to a number of characters. It calls no model.
 */

const Config = z.strictObject({ max_chars: z.number().int().min(1).default(20) });
const Subject = z.strictObject({ text: z.string() });
const Detail = z.strictObject({ chars: z.number() });
type Config = z.infer<typeof Config>;
type Subject = z.infer<typeof Subject>;
type Detail = z.infer<typeof Detail>;

function scoreOf(chars: number, max: number): Score {
  const met = chars <= max;
  return {
    state: 'scored',
    value: met ? 1 : 0,
    met,
    name: 'Length',
    evaluator: 'length@1',
    must_pass: true,
    weight: 1,
    reasoning: `${chars} characters`,
    evidence: [],
    model: null,
    prompt_version: null,
    cost_usd: 0,
    latency_ms: 0,
    cached: false,
  };
}

export const lengthKind: Kind<Subject, Config, Detail> = {
  name: 'length',
  label: 'Length',
  judges: 'Whether an answer is short enough',
  rule: 'An answer of at most max_chars characters passes',
  targets: ['turn', 'trace'],
  verdicts: ['pass', 'fail'],
  scoreMax: 1,
  readsTurns: false,
  retries: 0,
  config: Config,
  fields: [
    {
      type: 'number',
      key: 'max_chars',
      name: 'Longest answer',
      meaning: 'Characters',
      min: 1,
      max: 1_000,
      whole: true,
    },
  ],
  subject: Subject,
  readings: {
    turn: ({ subject }) => ({ subject: { text: outputText(subject) } }),
    trace: ({ subject }) => ({ subject: { text: outputText(subject) } }),
  },
  excerptOf: ({ text }) => text.slice(0, 80),
  promptSlugs: () => [],
  estimate: () => ({ inputTokens: 0, outputTokens: 0 }),
  cacheKey: () => null,
  plan: ({ text }, { config }) => [
    {
      name: 'chars',
      evaluator: 'length@1',
      needs: [],
      mustPass: true,
      weight: 1,
      cost: 0,
      timeoutMs: 1_000,
      run: () => ({
        score: scoreOf(text.length, config.max_chars),
        detail: { chars: text.length },
      }),
    },
  ],
  decide: ({ scores }, { text }) => {
    const isShort = scores.every(({ met }) => met === true);
    return {
      verdict: isShort ? 'pass' : 'fail',
      action: 'none',
      score: isShort ? 1 : 0,
      confidence: null,
      needsHumanReview: false,
      issues: [],
      feedback: null,
      detail: { chars: text.length },
      judgeCost: {
        calls: 0,
        tokens: 0,
        costUsd: 0,
        priceUnknown: false,
        model: null,
        retryAfterMs: null,
      },
      toCache: null,
    };
  },
};
