import { describe, expect, it } from 'vitest';
import { plainPrompt } from '../../testing/scripted-judge';
import { allParts, type Budget } from '../platform';
import { undecidedOverBudget } from './over-budget';
import { resolveThresholds } from '../thresholds';
import { kinds } from './registry';
import { decideFigures, IntegrityConfig, planFigures } from './integrity';
import type { RunSetting } from './kind';
import { walkPlan } from './walk';

// regardless of which part of a subject used up its processor time, no kind turns the rest
// into a pass or a fail.

const bodies: Readonly<Record<string, object>> = {
  task: {
    task_description: 't',
    task_output: 'A whole answer of several words.',
    success_criteria: [
      { check: 'min_length', value: 5 },
      { check: 'regex', value: 'answer', must_pass: true },
      { check: 'keywords', value: ['words'] },
    ],
  },
  code: {
    request: 'Write app.py with a function add.',
    files: [{ path: 'app.py', content: 'def add(a, b):\n    return a + b\n' }],
    force: true,
  },
  decomposition: {
    query: 'q',
    complexity: 'complex',
    agents: [{ name: 'a', capabilities: ['x'], tools: [], allowed_in: [] }],
    decomposition: {
      goal: 'g',
      subgoals: [{ id: 's1', description: 'd', agent: 'a', depends_on: [], requires: [] }],
      execution_order: [{ phase: 'sequential', subgoals: ['s1'] }],
    },
    scores: { completeness: 1, consistency: 1, groundedness: 1, routability: 1 },
  },
  'agent-output': {
    subgoal: { id: 's1', description: 'd', critical: true },
    output: {
      agent: 'a',
      summary: 'It is done, and here is why.',
      data: {},
      confidence: 0.9,
      tools_used: ['t'],
      metadata: {},
    },
    agents_available: ['a'],
  },
  synthesis: {
    query: 'q',
    answer: 'The service answered 12 requests.',
    agent_outputs: [
      { id: 'a1', agent: 'a', summary: 'The service answered 12 requests.', data: {} },
    ],
  },
  consistency: {
    outputs: [
      { task_id: 'a', task_description: 'x', output: 'one' },
      { task_id: 'b', task_description: 'y', output: 'two' },
    ],
  },
  turn: { messages: [{ role: 'user', content: 'q' }], completion: 'An answer.' },
};

function settingOf(name: string, config: unknown): RunSetting<unknown> {
  const prompt = plainPrompt('{{output}}');
  return {
    config,
    thresholds: resolveThresholds({ verifier: name, missionId: null, taskId: null }, []),
    retries: { used: 0, budget: 2 },
    prompts: {
      get: (slug: string) => ({ ...prompt, version: `${slug}@0` }),
    } as unknown as RunSetting<unknown>['prompts'],
    judges: [],
    fallbackJudges: [],
    whyNone: 'no provider configured',
    notJudged: null,
    cached: null,
    session: [],
    project: { neutralProof: 'literal', semanticJudge: false },
  };
}

const budgetOf = (spent: string): Budget => ({
  begin: () => undefined,
  enter: () => undefined,
  spent,
});

describe('R-104 over budget is neither a pass nor a fail', () => {
  it.each(Object.keys(bodies))('R-104 %s, whichever node used up the time', async (name) => {
    const kind = kinds.get(name);
    if (kind === undefined) throw new Error(`no kind ${name}`);
    const subject = kind.subject.parse(bodies[name]);
    const setting = settingOf(name, kind.config.parse({}));
    const plan = kind.plan(subject, setting);
    const parts = [allParts, ...plan.map((node) => (node.title ?? node.name).slice(0, 120))];
    for (const spent of parts) {
      const context = {
        now: () => 0,
        signal: new AbortController().signal,
        budget: budgetOf(spent),
      };
      const walk = await walkPlan(kind.plan(subject, setting), context);
      expect(walk.left).toEqual([]);
      // The result of the kind is irrelevant: it must only accept a walk with gaps.
      kind.decide(walk, subject, setting);
      expect(undecidedOverBudget(walk)).toMatchObject({
        verdict: null,
        score: null,
        action: 'escalate',
        needsHumanReview: true,
      });
    }
  });

  it('R-104 integrity, whichever node used up the time', async () => {
    const subject = {
      output: 'It is at 91.4%.',
      envelope: null,
      sources: [{ id: 'a', text: '{"v":91.4}' }],
      userText: '',
      repromptUsed: false,
    };
    const config = IntegrityConfig.parse({});
    const plan = planFigures(subject as never, config);
    for (const spent of [allParts, ...plan.map(({ title, name }) => title ?? name)]) {
      const walk = await walkPlan(planFigures(subject as never, config), {
        now: () => 0,
        signal: new AbortController().signal,
        budget: budgetOf(spent),
      });
      decideFigures(walk, subject as never, config);
      expect(undecidedOverBudget(walk)).toMatchObject({ verdict: null });
    }
  });
});
