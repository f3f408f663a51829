import { createTRPCClient, httpBatchStreamLink, type TRPCClientError } from '@trpc/client';
import superjson from 'superjson';
import { beforeEach, describe, expect } from 'vitest';
import { createTestMember } from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import { createJudgedProject, type JudgedProject } from '../../../testing/judged-project';
import type { ScriptedLlm } from '../../../testing/scripted-llm';
import { verifyAll } from '../../../testing/verify-all';
import { type AppRouter, handleTrpc } from '../../api/trpc';
import { putProvider } from '../../llm';
import type { Runtime } from '../../runtime';
import type { AnswerPart } from './answer';

/** The playground by the console's own client, over the streamed responses of its API. */

let runtime: Runtime;
let llm: ScriptedLlm;
let judged: JudgedProject;
let client: ReturnType<typeof createClient>;

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
});

function createClient(cookie: string) {
  const { webUrl } = runtime.ctx.env;
  return createTRPCClient<AppRouter>({
    links: [
      httpBatchStreamLink({
        url: `${webUrl}/api/trpc`,
        transformer: superjson,
        headers: { cookie, origin: webUrl },
        fetch: (url, init) =>
          handleTrpc(runtime, new Request(url as string, init as RequestInit & { duplex: 'half' })),
      }),
    ],
  });
}

beforeEach(async () => {
  judged = await createJudgedProject(runtime, llm);
  await putProvider(judged.project, 'house', {
    kind: 'openai',
    base_url: llm.baseUrl,
    api_key: 'sk-test-0123456789',
    models: ['gpt-4o-mini'],
    enabled: true,
    prices: [{ model: 'gpt-4o-mini', usd_per_million: { input: 100, output: 1000 } }],
  });
  const { cookie } = await createTestMember(runtime, judged.project, 'owner');
  client = createClient(cookie);
});

const model = 'house:gpt-4o-mini';
const usage = { input: 100, output: 10 };

async function ask(input: object, signal?: AbortSignal): Promise<AnswerPart[]> {
  const parts = await client.playground.answer.mutate(
    {
      project: judged.project.projectSlug,
      model,
      messages: [
        { role: 'system', content: 'For {{plan}}: be short.' },
        { role: 'user', content: '{{input}} {{tools}}' },
      ],
      item: '{"input":"How full is {{tools}}?","tools":[{"pct":91.40}],"metadata":{"plan":"pro"}}',
      ...input,
    },
    signal === undefined ? {} : { signal },
  );
  const all: AnswerPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

const failure = (input: object) =>
  ask(input).then(
    () => null,
    (error: unknown) => error as TRPCClientError<AppRouter>,
  );

describe('answers', () => {
  test('an answer streams, with its cost at the end; values are inserted once, with their digits', async () => {
    llm.answerWith(() => ({ text: 'The disk is at 91.40 % now.', usage }));
    const parts = await ask({});
    const streamed = parts.flatMap((part) => (part.state === 'streaming' ? part.text : []));
    expect(streamed.join('')).toBe('The disk is at 91.40 % now.');
    expect(parts.at(-1)).toMatchObject({
      state: 'answered',
      text: 'The disk is at 91.40 % now.',
      usage: { provider: 'house', model: 'gpt-4o-mini', costUsd: 0.02, calls: 1 },
    });
    expect(llm.requests.at(-1)?.messages).toMatchObject([
      { role: 'system', content: 'For pro: be short.' },
      { role: 'user', content: 'How full is {{tools}}? [{"pct":91.40}]' },
    ]);
    const calls = await runtime.ctx.sql`
      select purpose, state, verdict_id from llm_calls where project_id = ${judged.project.projectId}`;
    expect(calls).toEqual([{ purpose: 'playground', state: 'answered', verdict_id: null }]);
  });

  test.each([
    ['a model without a provider', { model: 'nobody:gpt-9' }, 'no_provider'],
    ['a provider’s error', {}, 'unauthorized'],
  ])('%s is a failure that says why', async (_what, input, errorClass) => {
    llm.answerWith(() => ({
      fault: { kind: 'status', status: 401, body: '{"error":{"message":"bad key"}}' },
    }));
    const parts = await ask(input);
    expect(parts).toMatchObject([{ state: 'failed', errorClass }]);
  });

  test.each([
    ['item', { item: '[]' }],
    ['item', { item: 'no JSON' }],
    ['messages', { messages: [] }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['maxOutputTokens', { maxOutputTokens: 0 }],
  ])('a wrong %s is refused by name', async (path, input) => {
    const error = await failure(input);
    expect(error?.data).toMatchObject({ code: 'BAD_REQUEST', issues: [{ path }] });
  });

  test('a stopped call ends at the provider, too', async () => {
    const stop = new AbortController();
    llm.answerWith(() => new Promise(() => undefined));
    const heard = llm.nextCall();
    const asking = ask({}, stop.signal);
    const { closed } = await heard;
    stop.abort();
    await asking.catch(() => undefined);
    await closed;
  });
});

describe('verification of an output', () => {
  const verify = (input: object) =>
    client.playground.verify.mutate({
      project: judged.project.projectSlug,
      item: '{"input":"How full?","tools":[{"id":"t","name":"disk","result":{"pct":91.40}}]}',
      output: 'The disk is at 91.40 %.',
      model: 'house/gpt-4o-mini',
      costUsd: 0.02,
      verifiers: ['integrity'],
      ...input,
    });

  test.each([
    ['91.40', 'passed'],
    ['12.50', 'failed'],
  ])('the figure %s is %s, on the turn’s pages and in no live list', async (figure, outcome) => {
    const { turnId } = await verify({ output: `The disk is at ${figure} %.` });
    await verifyAll(runtime);
    const { projectSlug: project } = judged.project;
    const { items } = await client.verdicts.list.query({ project, turn: turnId, limit: 10 });
    expect(items).toMatchObject([{ verifier: 'integrity@1', outcome, turnId }]);
    expect((await client.verdicts.list.query({ project, limit: 10 })).items).toEqual([]);
    const page = await client.turns.get.query({ project, id: turnId });
    expect(page).toMatchObject({
      origin: 'experiment',
      turn: { input: [{ role: 'user', content: 'How full?' }] },
    });
  });

  test('an unknown verifier is refused by name, and nothing is stored', async () => {
    const error = await verify({ verifiers: ['integrity', 'nothing'] }).then(
      () => null,
      (refused: unknown) => refused as TRPCClientError<AppRouter>,
    );
    expect(error?.data).toMatchObject({ issues: [{ path: 'verifiers.1' }] });
    const [row] = await runtime.ctx.sql`
      select count(*)::int as n from turns where project_id = ${judged.project.projectId}`;
    expect(row).toEqual({ n: 0 });
  });
});

test('a turn is opened with its recorded context and tool results, digits as sent', async () => {
  const raw =
    '{"turns":[{"id":"t-1","input":"How full?","output":"At 91.40 %.","model":"gpt-4o","tools":[{"id":"c","name":"disk","result":{"pct":91.40}}]}]}';
  await judged.ok('/v1/turns', JSON.parse(raw.replace('91.40}', '91.5}')) as object);
  const project = judged.project.projectSlug;
  const source = await client.playground.turn.query({ project, id: 't-1' });
  expect(source).toMatchObject({ id: 't-1', input: '"How full?"', context: null, model: 'gpt-4o' });
  expect(source.tools).toContain('{"pct":91.5}');
  await expect(client.playground.turn.query({ project, id: 't-2' })).rejects.toThrow('turn');
});

test.for(['{"input":"How fu', '{"tools":[{"id":"'])(
  'a turn that is stored damaged is refused by name: %s',
  async (payload) => {
    await judged.ok('/v1/turns', { turns: [{ id: 't-1', input: 'How full?', output: 'Full.' }] });
    await runtime.ctx.sql`
      update turns set payload = ${payload} where project_id = ${judged.project.projectId}`;
    const project = judged.project.projectSlug;
    await expect(client.playground.turn.query({ project, id: 't-1' })).rejects.toThrow(
      'the stored turn cannot be read',
    );
  },
);
