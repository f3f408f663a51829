import { describe, expect, it } from 'vitest';
import {
  contextWith,
  plainPrompt,
  type Script,
  scriptedAsk,
  type SeenQuestion,
} from '../../../testing/scripted-judge';
import { resolveThresholds } from '../../thresholds';
import type { RunSetting } from '../kind';
import { walkPlan } from '../walk';
import { mission } from './index';
import { MissionConfig, MissionDetail, MissionSubject } from './subject';

const tasks = [
  {
    task_id: 't1',
    description: 'Research',
    output: 'Found six categories.',
    score: 0.9,
    verdict: 'pass',
  },
  { task_id: 't2', description: 'Report', output: 'A short report.' },
];

const reply = (
  { nonce }: SeenQuestion,
  score: number,
  weakest: readonly number[] = [],
  confidence = 0.8,
): string =>
  JSON.stringify({
    nonce,
    reasoning: 'Seen as a whole.',
    summary: 'Nearly there.',
    weakest: weakest.map((task) => ({ task, reason: 'thin' })),
    score,
    confidence,
  });

async function verify(
  script: Script,
  changes: { tasks?: readonly object[]; setting?: Partial<RunSetting<MissionConfig>> } = {},
) {
  const body = { description: 'Report on the EU AI Act', tasks: changes.tasks ?? tasks };
  const subject = MissionSubject.parse(JSON.parse(JSON.stringify(MissionSubject.parse(body))));
  const setting: RunSetting<MissionConfig> = {
    config: MissionConfig.parse({}),
    thresholds: resolveThresholds({ verifier: 'mission', missionId: 'm', taskId: null }, []),
    retries: { used: 0, budget: 2 },
    prompts: new Map([['mission-summary', plainPrompt('{{mission}}\n{{tasks}}\n{{format}}')]]),
    judges: ['j:one'],
    fallbackJudges: [],
    whyNone: null,
    notJudged: null,
    cached: null,
    session: [],
    project: { neutralProof: 'literal', semanticJudge: false },
    ...changes.setting,
  };
  const { ask, requests } = scriptedAsk(script);
  const walk = await walkPlan(mission.plan(subject, setting), contextWith(ask));
  const decided = mission.decide(walk, subject, setting);
  expect(MissionDetail.parse(decided.detail)).toEqual(decided.detail);
  return { decided, requests };
}

describe('a mission', () => {
  it.each([
    [3.8, 0.8, 'pass', 'accept'],
    [3.7, 0.8, 'partial', 'retry'],
    [2.5, 0.8, 'fail', 'retry'],
    [5, 0.4, 'partial', 'escalate'],
  ])(
    'VS-17 VS-24 a score of %d at confidence %d is %s: %s',
    async (score, confidence, verdict, action) => {
      const { decided, requests } = await verify((seen) => reply(seen, score, [], confidence));
      expect(decided).toMatchObject({ verdict, action, judgeCost: { calls: 1 } });
      expect(requests).toHaveLength(1);
    },
  );

  it('VS-17 reports the summary and the weakest tasks by their ids', async () => {
    const { decided } = await verify((seen) => reply(seen, 3, [2]));
    expect(decided.detail).toMatchObject({
      summary: 'Nearly there.',
      weakest: [{ task_id: 't2', reason: 'thin' }],
      aggregate_score: 0.5,
    });
    expect(decided.feedback).toBe('Nearly there.\nFix first:\n- t2: thin');
  });

  it('X-9 descriptions and outputs of the tasks are data, with the scores that they have', async () => {
    const { requests } = await verify((seen) => {
      expect(seen.outside).not.toContain('six categories');
      expect(seen.data.get('tasks')).toMatchObject([
        { task: 1, score: 0.9, verdict: 'pass' },
        { task: 2, description: 'Report' },
      ]);
      return reply(seen, 4);
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['a task that there is not', (seen: SeenQuestion) => reply(seen, 4, [3])],
    ['a task twice', (seen: SeenQuestion) => reply(seen, 4, [1, 1])],
    ['a provider that fails', () => ({ errorClass: 'timeout' as const })],
  ])('X-3 %s gives no verdict', async (_title, script) => {
    expect((await verify(script)).decided).toMatchObject({
      verdict: null,
      score: null,
      action: 'escalate',
      needsHumanReview: true,
    });
  });

  it('VS-14 a mission without outputs fails without a judge; one empty task is reported', async () => {
    const empty = tasks.map((task) => ({ ...task, output: ' ' }));
    const none = await verify(() => 'never', { tasks: empty });
    expect(none.decided).toMatchObject({ verdict: 'fail', score: null, judgeCost: { calls: 0 } });
    const one = await verify((seen) => reply(seen, 4), {
      tasks: [tasks[0] ?? {}, { task_id: 't2' }],
    });
    expect(one.decided).toMatchObject({
      verdict: 'pass',
      issues: [{ code: 'empty_output', severity: 'high' }],
    });
  });

  it('X-3 without a judge, or without the money for one, there is no verdict', async () => {
    expect((await verify(() => 'never', { setting: { judges: [] } })).decided).toMatchObject({
      verdict: null,
      needsHumanReview: true,
    });
    const notJudged = { state: 'over_budget' as const, reason: 'too dear' };
    expect((await verify(() => 'never', { setting: { notJudged } })).decided).toMatchObject({
      verdict: null,
      needsHumanReview: true,
    });
  });

  it('a mission names at least one task, each once', () => {
    const refused = [{ tasks: [] }, { tasks: [tasks[0], tasks[0]] }, { description: ' ' }];
    for (const changes of refused)
      expect(MissionSubject.safeParse({ description: 'd', tasks, ...changes }).success).toBe(false);
  });
});
