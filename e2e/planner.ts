import type { ScriptedCall, ScriptedReply } from '../testing/scripted-llm';
import { textOf } from '../testing/scripted-llm';

/** A scripted planner and its scripted judge: their replies, and the prompts of the planner. */

const planQuery = 'Move the nightly backup to the new disk, and tell the team.';

const agents = [
  { name: 'shell', capabilities: ['files'], tools: ['rsync'] },
  { name: 'writer', capabilities: ['text'], tools: [] },
];

/**
 * The beginning of the planner's prompt, which distinguishes its calls from those of the judge.
 */
const task = 'Cut this request into subgoals';

export const planPrompt = `${task}, as JSON: ${planQuery}`;

/**
 * A sound decomposition; each contains its attempt and run, since equal work is not judged again.
 */
function planOf(run: string, attempt: number) {
  return {
    goal: `Move the backup, ${run}, attempt ${attempt} <b>of three</b>`,
    subgoals: [
      {
        id: 'copy',
        description: 'Copy the backup to the new disk',
        agent: 'shell',
        depends_on: [],
        requires: ['files'],
      },
      {
        id: 'tell',
        description: 'Tell the team',
        agent: 'writer',
        depends_on: ['copy'],
        requires: ['text'],
      },
    ],
    execution_order: [{ phase: 'sequential', subgoals: ['copy', 'tell'] }],
  };
}

export interface PlannerScript {
  /** Prompts of the planner, oldest first. */
  readonly prompts: readonly string[];
  answer(call: ScriptedCall): ScriptedReply;
}

/** @param overall the judge's score of each attempt in all four dimensions */
export function scriptPlanner(run: string, overall: readonly number[]): PlannerScript {
  const prompts: string[] = [];
  const left = [...overall];
  return {
    prompts,
    answer(call) {
      const prompt = textOf(call.body);
      if (prompt.includes('<data nonce='))
        return {
          text: JSON.stringify(judgedAs(prompt, left.shift() ?? 0)),
          usage: { input: 900, output: 90 },
        };
      prompts.push(prompt);
      return {
        text: JSON.stringify(planOf(run, prompts.length)),
        usage: { input: 300, output: 120 },
      };
    },
  };
}

function judgedAs(prompt: string, score: number): object {
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(prompt)?.[1] ?? '';
  const scores = {
    completeness: score,
    consistency: score,
    groundedness: score,
    routability: score,
  };
  return {
    nonce,
    reasoning: 'Nobody checks that the copy is whole.',
    ...scores,
    overall: score,
    verdict: score >= 0.7 ? 'PASS' : 'RETRY',
    issues: score >= 0.7 ? [] : ['No subgoal checks the copy'],
    suggestions: score >= 0.7 ? [] : ['Add a subgoal that compares the two copies'],
  };
}

/** The body of a verify call for a plan. */
export const planCall = (decomposition: unknown) => ({
  query: planQuery,
  complexity: 'MEDIUM',
  agents,
  decomposition,
  cost_usd: 0.004,
});

/** A judged decomposition with a different fault at two subgoals. */
export const faultyPlan = {
  query: 'Restore the search index and say what was lost.',
  complexity: 'COMPLEX',
  environment: 'production',
  agents: [
    ...agents,
    { name: 'tester', capabilities: ['tests'], tools: [], allowed_in: ['staging'] },
  ],
  decomposition: {
    goal: 'Restore the index',
    subgoals: [
      {
        id: 'restore',
        description: 'Restore the index from the backup',
        agent: 'shell',
        depends_on: [],
        requires: ['files'],
      },
      {
        id: 'check',
        description: 'Run the tests <img src=x onerror=alert(1)>',
        agent: 'tester',
        depends_on: ['restore'],
        requires: ['tests'],
      },
      {
        id: 'tell',
        description: 'Say what was lost',
        agent: 'oracle',
        depends_on: ['check'],
        requires: ['text'],
      },
    ],
    execution_order: [
      { phase: 'sequential', subgoals: ['restore'] },
      { phase: 'parallel', subgoals: ['check', 'tell'] },
    ],
  },
  scores: {
    completeness: 0.55,
    consistency: 0.5,
    groundedness: 0.9,
    routability: 0.3,
    overall: 0.9,
    verdict: 'PASS',
    issues: ['Nobody is told how long the search is gone'],
    suggestions: ['Add a subgoal for the announcement'],
  },
  executor_model: 'openai/gpt-4o',
  trace_id: 'e2e-verdict-pages',
};

/** A critical subgoal with low confidence of its agent. */
export const unsureOutput = {
  subgoal: { id: 'restore', description: 'Restore the index from the backup', critical: true },
  output: {
    agent: 'shell',
    summary: 'The index was restored from the backup of Monday. <b>Done</b>',
    data: { documents: 18_204, lost: 12 },
    confidence: 0.6,
    tools_used: ['rsync', 7],
    metadata: {},
  },
  agents_available: ['shell', 'tester'],
  trace_id: 'e2e-verdict-pages',
};

const answer =
  'The index was restored from the backup of Monday. It holds 18204 documents, and 12 were lost. The search will be faster than before. <img src=x onerror=alert(1)>';

/** A judged answer with an unsupported claim. */
export const hopefulAnswer = {
  query: faultyPlan.query,
  answer,
  agent_outputs: [
    {
      id: 'o1',
      agent: 'shell',
      summary: 'The index was restored from the backup of Monday.',
      data: { documents: 18_204, lost: 12 },
    },
    { id: 'o2', agent: 'tester', summary: 'All tests passed.', data: {} },
  ],
  claims: [
    { text: 'The index was restored from the backup of Monday.', supported_by: ['o1'] },
    { text: 'It holds 18204 documents, and 12 were lost.', supported_by: ['o1'] },
    { text: 'The search will be faster than before.', supported_by: [] },
  ],
  retries_used: 2,
  trace_id: 'e2e-verdict-pages',
};
