import { describe, expect, it } from 'vitest';
import {
  contextWith,
  plainPrompt,
  rubricReply,
  type Script,
  scriptedAsk,
  type SeenQuestion,
} from '../../testing/scripted-judge';
import { deriveOutcome } from '../domain';
import { resolveThresholds } from '../thresholds';
import { kinds } from './registry';
import type { RunSetting } from './kind';
import { walkPlan } from './walk';

const prompt = plainPrompt(
  '{{task}}\n{{criteria}}\n{{context}}\n{{output}}\n{{first}}\n{{second}}\n{{format}}',
);
const slugs = ['task-rubric', 'task-binary', 'task-criteria', 'consistency-pair'];
const fixedQualities = ['completeness', 'accuracy', 'clarity', 'relevance'];

async function verify(
  name: 'task' | 'consistency',
  body: object,
  script: Script,
  config: object = {},
) {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  const subject = kind.subject.parse(body);
  const setting: RunSetting<unknown> = {
    config: kind.config.parse(config),
    thresholds: resolveThresholds({ verifier: name, missionId: null, taskId: null }, []),
    retries: { used: 0, budget: 2 },
    prompts: new Map(slugs.map((slug) => [slug, { ...prompt, version: `${slug}@0` }])),
    judges: ['j:one'],
    fallbackJudges: [],
    whyNone: null,
    notJudged: null,
    cached: null,
    session: [],
    project: { neutralProof: 'literal', semanticJudge: false },
  };
  const { ask, requests } = scriptedAsk(script);
  const walk = await walkPlan(kind.plan(subject, setting), contextWith(ask));
  return { decided: kind.decide(walk, subject, setting), requests };
}

/** Scores each criterion 1 to 5 by the text shown to the judge, and every quality 4. */
const rubric =
  (scoreOf: (shown: { output: string; context: string }, criterion: number) => number): Script =>
  ({ nonce, data }: SeenQuestion) => {
    const { criteria, quality } = sumJudgeCost(data);
    const [output, context] = ['output', 'context'].map((name) => (data.get(name) ?? '') as string);
    const shown = { output: output ?? '', context: context ?? '' };
    return rubricReply(
      nonce,
      criteria.map((_, i) => scoreOf(shown, i)),
      quality,
    );
  };

function sumJudgeCost(data: SeenQuestion['data']): {
  readonly criteria: readonly unknown[];
  readonly quality: readonly string[];
} {
  const { criteria, quality = [] } = data.get('criteria') as {
    criteria: unknown[];
    quality?: { dimension: string }[];
  };
  return { criteria, quality: quality.map(({ dimension }) => dimension) };
}

const never: Script = () => {
  throw new Error('no judge may be asked');
};

const matched: Script = ({ nonce, data }) => {
  const match = String(data.get('output')).includes('timeline') ? 'full' : 'none';
  const criteria = [{ criterion: 1, reasoning: 'Seen.', quotes: [], match, confidence: 0.9 }];
  return JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 });
};

const compared: Script = ({ nonce, data }) => {
  const [a, b] = ['first', 'second'].map((name) => (data.get(name) as { output: string }).output);
  return JSON.stringify({
    nonce,
    reasoning: 'Compared.',
    issues: [],
    score: a === b ? 5 : 1,
    confidence: 0.9,
  });
};

interface Type {
  readonly kind?: 'task' | 'consistency';
  /** The body of the call with this output. */
  readonly body: (output: string) => object;
  readonly config?: object;
  readonly judge: Script;
  readonly good: string;
  readonly bad: string;
}

const task =
  (success_criteria: readonly unknown[], more: object = {}): Type['body'] =>
  (task_output) => ({
    task_description: 'Report on the outage',
    success_criteria,
    task_output,
    ...more,
  });

const types: readonly (readonly [string, Type])[] = [
  [
    'format compliance: checks alone, and no judge',
    {
      body: task([{ check: 'json_schema', value: { type: 'object', required: ['cause'] } }]),
      judge: never,
      good: '{"cause":"disk"}',
      bad: '{"reason":"disk"}',
    },
  ],
  [
    'completeness: checks and a judge on one output',
    {
      body: task([
        { check: 'required_sections', value: ['Cause'] },
        { text: 'Each step has an owner', must_pass: true },
      ]),
      judge: rubric(({ output }) => (output.includes('Ada') ? 5 : 2)),
      good: '# Cause\nThe disk. Ada cleans it.',
      bad: '# Cause\nThe disk. Somebody cleans it.',
    },
  ],
  [
    'factual accuracy: the judge holds the output against the sources',
    {
      body: task([{ text: 'Every statement is borne out by the context', must_pass: true }], {
        shared_context: 'disk_pct: 91.4',
      }),
      config: { dimensions: ['faithfulness', 'grounding'] },
      judge: rubric(({ output, context }) =>
        context.includes(/[\d.]+\d/.exec(output)?.[0] ?? 'none') ? 5 : 1,
      ),
      good: 'The disk is 91.4 % full.',
      bad: 'The disk is 19.4 % full.',
    },
  ],
  [
    'match of success criteria: full, partial or none of each',
    {
      body: task(['Has a timeline'], { scoring_mode: 'criteria_match' }),
      judge: matched,
      good: 'The timeline: …',
      bad: 'It broke.',
    },
  ],
  [
    'consistency between agents: outputs compared with each other',
    {
      kind: 'consistency',
      body: (output) => ({
        outputs: [
          { task_id: 'a', output: 'The disk was full.' },
          { task_id: 'b', output },
        ],
      }),
      judge: compared,
      good: 'The disk was full.',
      bad: 'The disk was empty.',
    },
  ],
  [
    'a threshold of quality: a criterion that names it',
    {
      body: task([{ text: 'Writing quality of at least 4/5', must_pass: true }]),
      judge: rubric(({ output }) => (output.includes('clear') ? 4 : 3.9)),
      good: 'A clear report.',
      bad: 'A report.',
    },
  ],
];

describe('VS-16 the six types of verification', () => {
  it.each(types)('VS-16 %s', async (_title, { kind = 'task', body, config, judge, good, bad }) => {
    const passed = await verify(kind, body(good), judge, config);
    const failed = await verify(kind, body(bad), judge, config);
    expect([deriveOutcome(passed.decided.verdict), deriveOutcome(failed.decided.verdict)]).toEqual([
      'passed',
      'failed',
    ]);
    expect(failed.decided).toMatchObject({
      action: 'retry',
      feedback: expect.any(String) as string,
    });
  });
});

describe('the rubric', () => {
  it('VS-18 the fixed qualities are scored for every task, next to its own criteria, in one question', async () => {
    const asked: (readonly string[])[] = [];
    const judge: Script = (seen) => {
      asked.push(sumJudgeCost(seen.data).quality);
      return rubric(() => 5)(seen);
    };
    const one = await verify('task', task(['Names the cause'])('The disk.'), judge);
    const other = await verify('task', task(['Is polite', 'Is short'])('Good morning.'), judge);
    expect(asked).toEqual([fixedQualities, fixedQualities]);
    const details = [one, other].map(
      ({ decided }) => decided.detail as { criteria_scores: unknown[]; quality_scores: object },
    );
    expect(details.map(({ quality_scores }) => Object.keys(quality_scores))).toEqual([
      fixedQualities,
      fixedQualities,
    ]);
    expect(details.map(({ criteria_scores }) => criteria_scores.length)).toEqual([1, 2]);
  });

  it('VS-18 qualities are reported and compared without effect on the score of the criteria', async () => {
    const poor: Script = (seen) => {
      const reply = JSON.parse(rubric(() => 5)(seen) as string) as { quality: object[] };
      return JSON.stringify({
        ...reply,
        quality: reply.quality.map((each) => ({ ...each, score: 1 })),
      });
    };
    const { decided } = await verify('task', task(['Names the cause'])('The disk.'), poor);
    expect(decided).toMatchObject({
      verdict: 'pass',
      score: 1,
      detail: { quality_scores: { clarity: 0 } },
    });
  });

  it('VS-23 a failed required criterion fails the task at any aggregate', async () => {
    const criteria = [
      { text: 'Names the cause', must_pass: true },
      ...['a', 'b', 'c'].map((text) => ({ text, weight: 30 })),
    ];
    const { decided } = await verify(
      'task',
      task(criteria)('A long report.'),
      rubric((_shown, i) => (i === 0 ? 3.7 : 5)),
    );
    expect(decided).toMatchObject({ verdict: 'fail', score: 0.9964, action: 'retry' });
    expect(decided.issues).toMatchObject([
      { code: 'criterion_not_met', severity: 'high', path: 'success_criteria[0]' },
    ]);
    const allowed = await verify(
      'task',
      task(criteria.map((each) => ({ ...each, must_pass: false })))('A long report.'),
      rubric((_shown, i) => (i === 0 ? 3.7 : 5)),
    );
    expect(allowed.decided).toMatchObject({ verdict: 'pass', score: 0.9964 });
  });

  it('VS-23 a check that must pass fails it as well, however well everything else is met', async () => {
    const criteria = ['Names the cause', { check: 'keywords', value: ['owner'], weight: 0 }];
    expect((await verify('task', task(criteria)('The disk.'), never)).decided).toMatchObject({
      verdict: 'fail',
    });
  });
});
