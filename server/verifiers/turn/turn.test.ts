import { describe, expect, it } from 'vitest';
import { contextWith } from '../../../testing/scripted-judge';
import type {
  Ask,
  AskRequest,
  AskResult,
  AnswerVerification,
  PromptText,
  TurnContent,
} from '../../domain';
import { judgeTurn, quotesVerifier, renderSteering } from '../../evaluators/steering';
import { chooseText, readPromptDefaults } from '../../prompts';
import { resolveThresholds } from '../../thresholds';
import { builtInStoredKind } from '../registry';
import type { RunSetting } from '../kind';
import { walkPlan } from '../walk';
import { TurnDetail } from './detail';
import { turn as kind } from './index';
import { recordedFromTurn } from './recorded';
import { TurnConfig, TurnSubject } from './subject';

const defaults = readPromptDefaults();
const textOf = (slug: string): PromptText => ({
  version: `${slug}@0`,
  text: defaults.get(slug)?.text ?? '',
  examples: [],
});
const pass = '<status>NO_STEERING_NEEDED</status>';
const steer = '<steering>Read the log.</steering>';

function scripted(...replies: readonly (string | null)[]): { ask: Ask; requests: AskRequest[] } {
  const requests: AskRequest[] = [];
  const usage = {
    provider: 'p',
    model: 'm',
    inputTokens: 100,
    outputTokens: 10,
    costUsd: 0.001,
    latencyMs: 7,
    calls: 1,
  };
  const ask: Ask = (request) => {
    const text = replies[requests.length] ?? null;
    requests.push(request);
    const failed: AskResult = {
      state: 'failed',
      errorClass: 'overloaded',
      message: '503',
      retryAfterMs: 900,
      usage,
    };
    return Promise.resolve(text === null ? failed : { state: 'answered', text, usage });
  };
  return { ask, requests };
}

const body = {
  messages: [{ role: 'user', content: 'Why does it stop?' }],
  completion: 'It is done.',
};

function settingOf(more: Partial<RunSetting<TurnConfig>> = {}): RunSetting<TurnConfig> {
  return {
    config: TurnConfig.parse({}),
    thresholds: resolveThresholds({ verifier: 'turn', missionId: null, taskId: null }, []),
    retries: { used: 0, budget: 2 },
    prompts: new Map(['turn-verifier', 'turn-reminder'].map((slug) => [slug, textOf(slug)])),
    judges: ['p:m'],
    fallbackJudges: [],
    whyNone: null,
    notJudged: null,
    cached: null,
    session: [],
    project: { neutralProof: 'literal', semanticJudge: false },
    ...more,
  };
}

async function verify(
  replies: readonly (string | null)[],
  given: object = {},
  more: Partial<RunSetting<TurnConfig>> = {},
) {
  const subject = TurnSubject.parse(
    JSON.parse(JSON.stringify(TurnSubject.parse({ ...body, ...given }))),
  );
  const setting = settingOf(more);
  const { ask, requests } = scripted(...replies);
  const walk = await walkPlan(kind.plan(subject, setting), contextWith(ask));
  const decided = kind.decide(walk, subject, setting);
  expect(TurnDetail.parse(decided.detail)).toEqual(decided.detail);
  return { decided, walk, requests };
}

describe('an answer that a caller has audited', () => {
  it.each([
    [[pass], 'pass', 'accept', { decision: 'pass', note: null, calls: 1 }],
    [[steer], 'steer', 'retry', { decision: 'steer', note: 'Read the log.', calls: 1 }],
    [['well', steer], 'steer', 'retry', { decision: 'steer', calls: 2 }],
    [['well', 'well'], null, 'none', { decision: 'verifier_failed', note: null, calls: 2 }],
    [[null], null, 'none', { decision: 'verifier_failed', problem: 'overloaded: 503', calls: 1 }],
  ])(
    'QV-20 QV-24 QV-25 replies %j give the verdict %s: %s',
    async (replies, verdict, action, detail) => {
      const { decided } = await verify(replies);
      expect(decided).toMatchObject({
        verdict,
        action,
        score: null,
        needsHumanReview: false,
        detail,
        judgeCost: { calls: detail.calls },
      });
      expect(decided.feedback).toBe(verdict === 'steer' ? 'Read the log.' : null);
      expect(decided.skipped ?? null).toBeNull();
    },
  );

  it('X-11 the score names judge, prompt, cost and time; a verifier that failed measured nothing', async () => {
    const { walk, decided } = await verify(['well', steer]);
    expect(walk.scores).toMatchObject([
      {
        evaluator: 'judge.turn@1',
        state: 'scored',
        value: 0,
        met: false,
        model: 'p/m',
        prompt_version: 'turn-verifier@0',
        cost_usd: 0.002,
        latency_ms: 14,
      },
    ]);
    expect(decided.judgeCost).toEqual({
      calls: 2,
      tokens: 220,
      costUsd: 0.002,
      priceUnknown: false,
      model: 'p/m',
      retryAfterMs: null,
    });
    expect((await verify([null])).walk.scores).toMatchObject([{ state: 'failed', value: null }]);
  });

  it('QV-16 an empty completion is skipped without a judge', async () => {
    const { decided, requests } = await verify([pass], { completion: ' \n' });
    expect(decided).toMatchObject({
      verdict: null,
      skipped: 'the completion has no text',
      detail: { decision: 'skipped', calls: 0 },
    });
    expect(requests).toEqual([]);
  });

  it('X-3 without a judge there is no verdict', async () => {
    const { decided } = await verify([], {}, { judges: [], whyNone: 'no provider configured' });
    expect(decided).toMatchObject({
      verdict: null,
      detail: { decision: 'verifier_failed' },
      issues: [{ code: 'verifier_failed' }],
    });
    expect(decided.detail.problem).toContain('no provider configured');
  });

  it('QV-23 the history is cut as configured', async () => {
    const messages = ['a', 'b', 'c'].map((content) => ({ role: 'user', content }));
    const shown = async (max_history: number) =>
      (await verify([pass], { messages }, { config: { max_history } })).requests[0]?.messages;
    expect(await shown(0)).toHaveLength(5);
    const [only] = (await shown(1)) ?? [];
    expect(only?.content).toContain('\n"c"\n');
  });

  it('QV-22 messages of OpenAI and of Anthropic are text, with their tool calls and results', () => {
    const { messages } = TurnSubject.parse({
      completion: 'x',
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Look.' },
            { type: 'image_url', image_url: { url: 'data:…' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 't', type: 'function', function: { name: 'disk', arguments: '{"n":1}' } },
          ],
        },
        { role: 'tool', tool_call_id: 't', content: '{"pct":91.4}' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'tool_use', id: 'u', name: 'disk', input: { n: 2 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'u', content: [{ type: 'text', text: '92' }] },
          ],
        },
      ],
    });
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look.\n\n[image_url]' },
      { role: 'assistant', content: '[call of the tool disk]\n{"n":1}' },
      { role: 'tool', content: '{"pct":91.4}' },
      { role: 'assistant', content: '[call of the tool disk]\n{"n":2}' },
      { role: 'user', content: '[result of a tool]\n92' },
    ]);
    expect(TurnSubject.parse({ completion: 'x', messages }).messages).toEqual(messages);
  });

  it.each([
    { messages: [] },
    { messages: 7 },
    { messages: [{ role: 'judge', content: 'x' }] },
    { completion: 7 },
  ])('%j is refused', (given) => {
    expect(TurnSubject.safeParse({ ...body, ...given }).success).toBe(false);
  });

  it('its stored subjects are not called what stored turns are', () =>
    expect(builtInStoredKind(kind)).toBe('exchange'));
});

const call = {
  decision: 'steer' as const,
  note: 'Read the log.',
  problem: null,
  calls: 1,
  model: 'p/m',
  prompt_version: 'turn-verifier@2',
  input_tokens: 900,
  output_tokens: 60,
  cost_usd: 0.004,
  latency_ms: 812,
};
const steered: AnswerVerification['steer'] = {
  state: 'applied',
  problem: null,
  recall_ms: 900,
  recall_input_tokens: 10,
  recall_output_tokens: 10,
  recall_cost_usd: 0.01,
  other_answer: 'It is done.',
  after: { ...call, decision: 'pass', note: null, cost_usd: null },
  unsourced_before: 0,
  unsourced_after: 0,
};

async function decideRecord(episode: AnswerVerification) {
  const subject = { episode, excerpt: '' };
  const setting = settingOf();
  const walk = await walkPlan(kind.plan(subject, setting), contextWith(undefined));
  return { walk, decided: kind.decide(walk, subject, setting) };
}

describe('an answer that the gateway audited', () => {
  it.each<[string, Partial<AnswerVerification>, string | null, string]>([
    ['pass', { decision: 'pass', note: null, steer: null }, 'pass', 'accept'],
    ['a note that was applied', { steer: steered }, 'steer', 'accept'],
    [
      'a note that was withheld',
      { steer: { ...steered, state: 'control' } },
      'steer',
      'accept_with_warning',
    ],
    [
      'a failure',
      { decision: 'verifier_failed', note: null, problem: 'timeout: no first token', steer: null },
      null,
      'none',
    ],
  ])(
    'QV-25 %s is decided by the record alone, without a judge',
    async (_what, more, verdict, action) => {
      const { decided, walk } = await decideRecord({ ...call, steer: null, ...more });
      expect(decided).toMatchObject({ verdict, action, score: null, needsHumanReview: false });
      expect(TurnDetail.parse(decided.detail)).toEqual(decided.detail);
      expect(JSON.stringify(decided.detail)).not.toContain('It is done.');
      expect(walk.scores).toMatchObject([
        {
          evaluator: 'judge.turn@1',
          model: 'p/m',
          prompt_version: 'turn-verifier@2',
          cost_usd: 0.004,
          latency_ms: 812,
        },
      ]);
    },
  );

  it('X-11 both judge calls are paid for, and an unknown price is reported', async () => {
    const { decided } = await decideRecord({ ...call, steer: steered });
    expect(decided).toMatchObject({ isRecorded: true, toCache: null });
    expect(decided.judgeCost).toEqual({
      calls: 2,
      tokens: 1920,
      costUsd: 0.004,
      priceUnknown: true,
      model: 'p/m',
      retryAfterMs: null,
    });
  });

  it('a turn without a record of the gateway has nothing of this kind', () => {
    const context = { config: TurnConfig.parse({}), disabledBy: null, isHandedOver: true };
    for (const gateway of [null, { episode: null }])
      expect(recordedFromTurn.read({ gateway } as TurnContent, context)).toMatchObject({
        state: 'skipped',
        decision: { state: 'filtered' },
      });
  });
});

describe('QV-41 what runs where an edited prompt cannot', () => {
  const front = (slug: string): string =>
    (defaults.get(slug)?.body ?? '').split('\n---\n')[0] ?? '';
  it.each(['turn-verifier', 'turn-steering'])(
    'QV-41 an empty or missing %s is the default',
    (slug) => {
      const own = defaults.get(slug);
      if (own === undefined) throw new Error('no such prompt');
      for (const text of [null, '', ' \n', `${front(slug)}\n---\n`]) {
        const { prompt, fellBack } = chooseText(own, { version: 3, body: text });
        expect(prompt).toMatchObject({ version: `${slug}@0`, text: own.text });
        expect(fellBack).not.toBeNull();
      }
    },
  );

  it('QV-22 QV-41 an empty reminder under its front matter is a choice; one that is missing is the default', () => {
    const own = defaults.get('turn-reminder');
    if (own === undefined) throw new Error('no such prompt');
    const chosen = chooseText(own, { version: 3, body: `${front('turn-reminder')}\n---\n` });
    expect(chosen).toMatchObject({
      prompt: { version: 'turn-reminder@3', text: '' },
      fellBack: null,
    });
    expect(chooseText(own, { version: 3, body: null })).toMatchObject({
      prompt: { text: own.text },
    });
    expect(
      chooseText(own, { version: 3, body: own.body.replace('may_be_empty: true\n', '') }).fellBack
        ?.message,
    ).toContain('may_be_empty');
  });
});

describe('QV-30 QV-40 the prompts of the release', () => {
  it('QV-30 the prompt gives the verifier its role, when to steer and when not, a checklist, the protocol and examples', () => {
    const { text } = textOf('turn-verifier');
    for (const part of [
      'The user must never learn that you exist',
      '## When to steer',
      '## When to let it pass',
      '## How to audit',
      '## How to reply',
      'one to eight sentences',
      'No tool calls',
      '## Examples',
    ])
      expect(text).toContain(part);
    const list = text.slice(
      text.indexOf('Problems you should look for:'),
      text.indexOf('## When to let it pass'),
    );
    for (const problem of [
      'Stagnation',
      'Wrong approach',
      'Missing next steps',
      'Losing the goal',
      'Logic errors',
    ])
      expect(list).toContain(problem);
    for (const problem of [
      'Guessing',
      'Unproven claims',
      'Unsafe acts',
      'Scope drift',
      'Contract drift',
    ])
      expect(list).toContain(problem);
  });

  it('QV-30 its examples are replies that can be read', async () => {
    const { text } = textOf('turn-verifier');
    const examples = text.slice(text.indexOf('## Examples'));
    const replies = examples.match(/<(status|steering)>[^]*?<\/\1>/g) ?? [];
    const decisions = replies.map(async (reply) => (await verify([reply])).decided.detail.decision);
    expect(await Promise.all(decisions)).toEqual(['steer', 'steer', 'pass', 'pass']);
  });

  it('QV-40 a bullet that is added to the problem list reaches the verifier', async () => {
    const mark = 'Problems you should look for:\n\n';
    const { text } = textOf('turn-verifier');
    expect(text).toContain(`${mark}- `);
    const verifier = {
      version: 'turn-verifier@4',
      text: text.replace(mark, `${mark}- **Rhymes:** it answers in verse.\n`),
      examples: [],
    };
    const { ask, requests } = scripted(pass);
    const question = {
      prompts: { verifier, reminder: textOf('turn-reminder') },
      messages: [],
      completion: 'x',
      maxHistory: null,
    };
    const signal = new AbortController().signal;
    await judgeTurn(
      question,
      { model: 'p:m', deadlineMs: 1, firstTokenMs: 1, signal, purpose: 'turn verifier' },
      ask,
    );
    expect(requests[0]?.system).toContain('it answers in verse');
    expect(requests[0]?.promptVersion).toBe('turn-verifier@4');
  });

  it('QV-29 the steering message does not have the tags of the verifier', () => {
    const steering = renderSteering(textOf('turn-steering'), 'Read the log.');
    expect(steering).toContain('\n\nRead the log.\n\n');
    expect(quotesVerifier(steering)).toBe(false);
  });
});
