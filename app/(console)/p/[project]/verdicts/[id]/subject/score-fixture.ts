import { Score } from '@/server/domain';

/** A score for tests; by default its value is 1 and it is met. */
export function measuredScore(part: Partial<Score> = {}): Score {
  return Score.parse({
    name: 'criterion',
    evaluator: 'judges.rubric@1',
    must_pass: false,
    weight: 1,
    reasoning: null,
    evidence: [],
    model: null,
    prompt_version: null,
    cost_usd: 0,
    latency_ms: 0,
    cached: false,
    state: 'scored',
    value: 1,
    met: true,
    ...part,
  });
}
