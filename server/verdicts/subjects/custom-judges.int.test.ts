import { beforeEach, describe, expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import { type ScriptedLlm, textOf } from '../../../testing/scripted-llm';
import type { ProjectCtx } from '../../access';
import { putProvider } from '../../llm';
import { saveCustomPromptIn } from '../../prompts';
import type { Runtime } from '../../runtime';
import { type AnyKind, judgeKind } from '../../verifiers';
import { WorkFacts } from '../input';
import { updateSettings } from '../settings';
import { trySubject } from '../trials/try-subject';
import { createRunSource, type Trying } from './run-setting';
import type { StoredExample } from './subject-deps';

/** The judges and examples that the definition of a custom judge names. */

const kind = judgeKind as AnyKind;
const executor = 'gpt-4o';
let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let examples: readonly StoredExample[] = [];

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  examples = [];
  await putProvider(project, 'house', {
    kind: 'openai_compatible',
    api_key: 'sk-test',
    base_url: llm.baseUrl,
    models: ['gpt-4o', 'gpt-4o-mini', 'mistral-small', 'claude-haiku-4-5', 'gemini-2.5-flash'],
    enabled: true,
  });
  await updateSettings(project, {
    defaultJudge: 'house:claude-haiku-4-5',
    jury: ['house:gemini-2.5-flash'],
  });
  await project.db.transaction((tx) =>
    saveCustomPromptIn(project, tx, runtime.prompts, {
      slug: 'refund-policy',
      title: 'Refund policy',
      description: '',
      variables: [],
      text: '{{input}} {{output}}',
      message: '',
    }),
  );
});

const content = (input: string, output = 'Within 30 days.') => ({
  subject: { target: 'turn', input, output },
  variables: {},
});

interface Given {
  readonly judge?: object;
  readonly facts?: Partial<WorkFacts>;
  readonly trying?: Trying | null;
  readonly sessionId?: string;
}

async function settingOf({ judge = {}, facts = {}, trying = null, sessionId }: Given) {
  const config = {
    name: 'Refund policy',
    judge: { output: { type: 'boolean' }, prompt: 'refund-policy', ...judge },
  };
  await runtime.ctx.sql`
    insert into verifier_versions (project_id, slug, version, kind, config, created_by)
    values (${project.projectId}, 'refunds', 1, 'judge', ${JSON.stringify(config)}::text::jsonb, 'test')`;
  await runtime.ctx.sql`
    insert into verifiers (project_id, slug, kind, created_by)
    values (${project.projectId}, 'refunds', 'judge', 'test')`;
  const deps = { prompts: runtime.prompts, findExamples: () => Promise.resolve(examples) };
  const subject = kind.subject.parse(content('May I return it?'));
  return createRunSource(runtime.ctx, deps, trying).settingOf(
    { slug: 'refunds', kind },
    { subject, facts: { ...WorkFacts.parse({}), executor_model: executor, ...facts } },
    {
      projectId: project.projectId,
      kind: 'refunds',
      id: 'sub_1',
      revision: 1,
      clientId: null,
      missionId: null,
      taskId: null,
      sessionId: sessionId ?? null,
      traceId: null,
      turnId: null,
      model: executor,
      costUsd: 0.001,
      createdAt: new Date(0),
    },
  );
}

describe('judges', () => {
  const mistral = 'house:mistral-small?temperature=0';

  test.for<[string, Given, readonly string[], readonly string[], string | null]>([
    [
      'without any, those of the project',
      {},
      ['house:claude-haiku-4-5', 'house:gemini-2.5-flash'],
      [],
      null,
    ],
    ['its model alone', { judge: { model: mistral } }, [mistral], [], null],
    [
      'its model with its fallbacks in their order, never one of the family of the work',
      {
        judge: {
          model: mistral,
          fallbacks: ['house:gemini-2.5-flash', 'house:gpt-4o-mini', 'house:claude-haiku-4-5'],
        },
      },
      [mistral],
      ['house:gemini-2.5-flash', 'house:claude-haiku-4-5'],
      null,
    ],
    [
      'its jury, without members of the family of the work',
      { judge: { model: mistral, jury: ['house:claude-haiku-4-5', 'house:gpt-4o-mini'] } },
      [mistral, 'house:claude-haiku-4-5'],
      [],
      'jury_reduced',
    ],
    [
      'a jury without a model',
      { judge: { jury: [mistral, 'house:claude-haiku-4-5', 'house:gemini-2.5-flash'] } },
      [mistral, 'house:claude-haiku-4-5', 'house:gemini-2.5-flash'],
      [],
      null,
    ],
    [
      'VS-34 its model did the work: the first fallback replaces it, with a notice',
      {
        judge: {
          model: 'house:gpt-4o',
          fallbacks: ['house:gemini-2.5-flash', 'house:mistral-small'],
        },
      },
      ['house:gemini-2.5-flash'],
      ['house:mistral-small'],
      'judge_replaced',
    ],
    [
      'the judge of the call has precedence',
      { judge: { model: mistral }, facts: { verifier_model: 'house:gemini-2.5-flash' } },
      ['house:gemini-2.5-flash'],
      [],
      null,
    ],
    [
      'the judges of a trial have precedence',
      {
        judge: { model: mistral, fallbacks: ['house:claude-haiku-4-5'] },
        trying: { prompts: new Map(), judges: ['house:gemini-2.5-flash'] },
      },
      ['house:gemini-2.5-flash'],
      [],
      null,
    ],
  ])('%s', async ([_name, given, judges, fallbackJudges, notice]) => {
    const { setting, notices } = await settingOf(given);
    expect(setting).toMatchObject({ judges, fallbackJudges, notJudged: null, whyNone: null });
    expect(notices.map(({ code }) => code)).toEqual(notice === null ? [] : [notice]);
    expect(setting.prompts.get('refund-policy')?.version).toBe('refund-policy@1');
  });

  test('VS-34 the notice names the judge and the reason', async () => {
    const { notices } = await settingOf({ judge: { model: 'house:gpt-4o' } });
    expect(notices[0]?.message).toMatch(
      /^The verifier's judge house:gpt-4o does not judge this work: it did the work; .+ judges instead$/,
    );
  });
});

test('the whole path: a provider answers by its structured output, and the value decides', async () => {
  llm.answerWith(({ body }) => {
    const nonce = /<data nonce="([0-9a-f]{32})"/.exec(textOf(body))?.[1] ?? '';
    const reply = { nonce, reasoning: 'Thirty.', quotes: ['30 days'], answer: 4, confidence: 0.9 };
    return { text: JSON.stringify(reply) };
  });
  const output = { type: 'scale', min: 1, max: 5 };
  await settingOf({ judge: { output, model: 'house:mistral-small', votes: 2 } });
  const stored = JSON.stringify({
    subject: content('May I return it?'),
    facts: { ...WorkFacts.parse({}), executor_model: executor },
  });
  await runtime.ctx.sql`
    insert into subjects (project_id, kind, id, content, content_hash, created_at)
    values (${project.projectId}, 'refunds', 'sub_1', ${stored}, 'h', now())`;
  const before = llm.calls.length;
  const tried = await trySubject(runtime.ctx, runtime.subjects, {
    projectId: project.projectId,
    verifier: 'refunds',
    subjectId: 'sub_1',
    pinned: null,
    purpose: 'test',
    signal: new AbortController().signal,
  });
  expect(tried).toMatchObject({
    state: 'decided',
    outcome: 'passed',
    verdict: 'pass',
    score: 0.75,
  });
  const calls = llm.calls.slice(before);
  expect(calls).toHaveLength(2);
  expect(JSON.stringify(calls[0]?.body)).toContain('"response_format"');
  expect(textOf(calls[0]?.body)).toContain('a whole number from 1 to 5');
});

describe('examples', () => {
  const example = (
    id: string,
    good: boolean,
    more: Partial<StoredExample> = {},
  ): StoredExample => ({
    subjectId: id,
    sessionId: null,
    good,
    reason: null,
    content: JSON.stringify({ subject: content(`Question ${id}`), facts: {} }),
    ...more,
  });

  test('bad and good ones in turn, as many as the definition asks for', async () => {
    examples = [example('a', true), example('b', true), example('c', true), example('d', false)];
    const { setting } = await settingOf({ judge: { examples: 3 } });
    expect(setting.examples?.map(({ passes }) => passes)).toEqual([false, true, true]);
  });

  test('never the subject itself, its session, the same request, or unreadable content', async () => {
    const same = JSON.stringify({ subject: content('May I return it?', 'No.'), facts: {} });
    examples = [
      example('sub_1', true),
      example('a', true, { sessionId: 's' }),
      example('b', true, { content: same }),
      example('c', true, { content: '{"subject": 1, "facts": {}}' }),
      example('d', false),
    ];
    const { setting } = await settingOf({ judge: { examples: 5 }, sessionId: 's' });
    expect(setting.examples).toMatchObject([
      { passes: false, subject: { subject: { input: { last_user: 'Question d' } } } },
    ]);
  });

  test('none are read for a definition without examples', async () => {
    examples = [example('a', true)];
    const { setting } = await settingOf({});
    expect(setting.examples).toBeUndefined();
  });
});
