import { expect, test } from 'vitest';
import { resolveThresholds } from '../../thresholds';
import { walkPlan } from '../walk';
import { agentOutput } from './index';
import { AgentOutputSubject } from './subject';

/** A confidence that an output does not state is unscored, and never 1. */

const setting = {
  config: agentOutput.config.parse({}),
  thresholds: resolveThresholds(
    { verifier: 'agent-output', missionId: null, taskId: null },
    [],
    new Map(),
  ),
  retries: { used: 0, budget: 2 },
  prompts: new Map(),
  judges: [],
  fallbackJudges: [],
  whyNone: null,
  notJudged: null,
  cached: null,
  session: [],
  project: { neutralProof: 'literal' as const, semanticJudge: false },
};

const whole = {
  summary: 'The budget of the migration is one week.',
  data: { weeks: 1 },
  tools_used: ['ledger'],
  metadata: {},
};

test.each([
  [undefined],
  [null],
  [''],
  ['high'],
  ['0.9'],
  [-0.1],
  [1.01],
  [true],
  [[0.9]],
  [{ value: 0.9 }],
])(
  'SOAR-16 SOAR-18 a confidence of %j is unscored, and the output does not pass',
  async (confidence) => {
    const subject = AgentOutputSubject.parse({
      subgoal: { id: 'b', description: 'Estimate the budget' },
      output: { ...whole, confidence },
    });
    const walk = await walkPlan(agentOutput.plan(subject, setting), {
      now: () => 0,
      signal: new AbortController().signal,
    });
    const decided = agentOutput.decide(walk, subject, setting);
    const score = walk.scores.find(({ name }) => name === 'Confidence');
    expect(score).toMatchObject({ state: 'unscored', value: null, met: null });
    expect(decided).toMatchObject({
      verdict: 'RETRY',
      score: null,
      confidence: null,
      detail: { confidence: null },
    });
  },
);
