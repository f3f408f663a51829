import { expect } from '@playwright/test';
import type { ScriptedCall, ScriptedReply } from '../testing/scripted-llm';
import { textOf } from '../testing/scripted-llm';
import { readInstance, readKey } from './instance';

/** Tasks for the verdict pages: one for each result of a task. */

const output =
  '# Risks\n🧭 The migration slips by two weeks. Nobody owns it. <img src=x onerror=alert(1)>\n# Next steps\nName an owner.';

/** Checks only: no model is called, with a provider or without. */
export const checkedTask = {
  id: 'e2e-checked',
  task_description: 'Write the release note of the disk monitor.',
  success_criteria: [
    { check: 'required_sections', value: ['Fixed', 'Known issues'], must_pass: true },
    { check: 'keywords', value: ['disk'], must_pass: false },
  ],
  task_output: '# Fixed\nThe disk gauge no longer sticks at 91 %.\n# Known issues\nNone.',
  executor_model: 'openai/gpt-4o',
  cost_usd: 0.4,
};

export const failedTask = {
  ...checkedTask,
  id: 'e2e-check-failed',
  task_description: 'Write the release note of the backup job.',
  task_output: '# Fixed\nThe backup no longer fills the disk.',
  mission_id: 'release-9',
  task_id: 'note-backup',
};

/** Needs a judge. */
export const judgedTask = {
  task_description: 'Summarise the risks of the migration.',
  success_criteria: [
    { check: 'required_sections', value: ['Risks', 'Next steps'], must_pass: true },
    { text: 'Every risk says by how much', weight: 2, must_pass: true },
    { text: 'Every risk names an owner' },
  ],
  task_output: output,
  shared_context: 'The migration was planned for May.',
  executor_model: 'openai/gpt-4o',
  cost_usd: 0.5,
  session_id: 'night-watch',
};

/** Two outputs that contradict each other. */
export const contradiction = {
  outputs: [
    { task_id: 'plan', output: 'The migration takes two weeks, and starts in May.' },
    { task_id: 'context', output: 'One week is budgeted for the migration.' },
  ],
  shared_context: 'The migration starts in May.',
  executor_model: 'openai/gpt-4o',
};

export const mission = {
  mission_id: 'migration-9',
  description: 'Plan the migration of the backups.',
  tasks: [
    {
      task_id: 'plan',
      description: 'Write the plan',
      output: 'It takes two weeks.',
      verdict: 'pass',
      score: 0.9,
    },
    { task_id: 'budget', description: 'Estimate the budget', output: 'One week.' },
  ],
  executor_model: 'openai/gpt-4o',
};

export interface TaskReply {
  readonly id: string;
  readonly state: string;
  readonly verdict: string | null;
  readonly outcome: string;
}

export async function verifyTask(task: object, kind: string = 'task'): Promise<TaskReply> {
  const response = await fetch(`${readInstance().edgeUrl}/v1/verify/${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readKey()}`, 'content-type': 'application/json' },
    body: JSON.stringify(task),
  });
  const text = await response.text();
  expect([200, 202], text).toContain(response.status);
  return JSON.parse(text) as TaskReply;
}

/** The reply of a judge to the tasks above. */
export function judgeReply(call: ScriptedCall): ScriptedReply {
  const prompt = textOf(call.body);
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(prompt)?.[1] ?? '';
  const reply = prompt.includes('first_quote')
    ? pairReply(nonce)
    : prompt.includes('"weakest"')
      ? summaryReply(nonce)
      : taskReply(nonce);
  return { text: JSON.stringify(reply), usage: { input: 900, output: 120 } };
}

const pairReply = (nonce: string) => ({
  nonce,
  reasoning: 'Two weeks are not one.',
  issues: [
    {
      description: 'The budget covers half of the plan. <b>half</b>',
      severity: 'high',
      first_quote: 'takes two weeks',
      second_quote: 'One week is budgeted',
    },
  ],
  score: 2,
  confidence: 0.9,
});

const summaryReply = (nonce: string) => ({
  nonce,
  reasoning: 'There is a plan, and hardly a budget.',
  summary: 'Planned, and not yet budgeted.',
  weakest: [{ task: 2, reason: 'It names no amount.' }],
  score: 4.5,
  confidence: 0.9,
});

/** The first criterion met, with a passage of the work; the second not. */
function taskReply(nonce: string): object {
  const of = (criterion: number, score: number, reasoning: string, quotes: string[]) => ({
    criterion,
    reasoning,
    quotes,
    score,
    confidence: 0.9,
  });
  const quality = ['completeness', 'accuracy', 'clarity', 'relevance'].map((dimension) => ({
    dimension,
    reasoning: `Of ${dimension} there is enough.`,
    score: 4,
  }));
  return {
    nonce,
    criteria: [
      of(1, 5, 'It says two weeks.', ['The migration slips by two weeks.']),
      of(2, 2, 'It says that nobody owns it. <b>No owner</b>', ['Nobody owns it.']),
    ],
    quality,
    suggestions: ['Name the owner of the migration.'],
    confidence: 0.8,
  };
}
