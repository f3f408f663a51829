import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { answerJson, type MockUpstream, startMockUpstream } from '../../../testing/mock-upstream';
import { type Edge, endAll, startEdge } from '../../../testing/processes';
import { sendRaw } from '../../../testing/raw-answer';
import { type ScriptedLlm, startScriptedLlm } from '../../../testing/scripted-llm';
import { createStack, type Stack } from '../../../testing/stack';
import { createKey } from '../../access';
import { putProvider } from '../../llm';
import { RouteSettings } from '../input';
import { putRoute } from '../routes/put';

// S-126 with a real edge process: every answer is steered, and each note waits for the session's
// next request.

let stack: Stack;
let edge: Edge;
let upstream: MockUpstream;
let verifier: ScriptedLlm;
const keys: string[] = [];

beforeAll(async () => {
  const answer = {
    choices: [
      { index: 0, message: { role: 'assistant', content: 'It is full.' }, finish_reason: 'stop' },
    ],
  };
  upstream = await startMockUpstream(
    answerJson(JSON.stringify({ id: 'c1', model: 'gpt-4o', ...answer })),
  );
  verifier = await startScriptedLlm();
  stack = await createStack(inject('databaseUrl'));
  const hosts = [upstream.origin, verifier.origin].map((origin) => new URL(origin).host);
  const project = {
    ...stack.project,
    env: { ...stack.project.env, outboundAllow: new Set(hosts) },
  };
  const models = { models: ['gpt-4o'], enabled: true };
  await putProvider(project, 'openai', {
    kind: 'openai',
    base_url: `${upstream.origin}/v1`,
    api_key: 'sk-stored-00000001',
    ...models,
  });
  await putProvider(project, 'judge', {
    kind: 'openai_compatible',
    base_url: verifier.baseUrl,
    api_key: 'sk-judge-000001',
    ...models,
  });
  const quality_verifier = {
    model: 'judge:gpt-4o',
    frequency: 1,
    control_share: 0,
    deferred: true,
  };
  await putRoute(
    project,
    'openai',
    RouteSettings.parse({ quality_verifier, integrity: { mode: 'off' } }),
  );
  for (const name of ['one', 'other'])
    keys.push((await createKey(project, { name, scopes: ['gateway'] })).key);
  edge = await startEdge({ ...stack.variables, ASSAY_OUTBOUND_ALLOW: hosts.join(',') });
});

afterAll(async () => {
  await endAll();
  await Promise.all([upstream.close(), verifier.close(), stack.close()]);
});

/** Sends one request whose answer the verifier flags, and returns the body sent upstream. */
async function ask(
  key: string | undefined,
  note: string,
  more: object = {},
  session?: string,
): Promise<string> {
  verifier.queue({ text: `<steering>${note}</steering>` });
  const answer = await sendRaw(Number(new URL(edge.url).port), {
    path: '/gateway/openai/v1/chat/completions',
    headers: [
      ['authorization', `Bearer ${key ?? ''}`],
      ['content-type', 'application/json'],
      ...(session === undefined ? [] : [['x-assay-session', session] as const]),
    ],
    body: JSON.stringify({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'How full is web-1?' }],
      ...more,
    }),
  });
  expect(answer.headers.find(([name]) => name === 'x-assay-verdict')?.[1]).toBe('flagged');
  return upstream.requests.at(-1)?.body.toString() ?? '';
}

test('S-126 two users with one key, the same prompt and no session: no note leaks', async () => {
  await ask(keys[0], 'Secret of the first user.');
  for (let n = 0; n < 3; n++)
    expect(await ask(keys[0], 'Of another user.')).not.toMatch(/Secret|Of another/);
});

test.each([
  ['x-assay-session', {}, 's-1'],
  ['user', { user: 'u-1' }, undefined],
  ['metadata.session_id', { metadata: { session_id: 'm-1' } }, undefined],
])(
  'S-126 a session named by %s gets its own note, once, and not that of another key',
  async (name, more, session) => {
    expect(await ask(keys[0], `Note for ${name}.`, more, session)).not.toContain('Note for');
    expect(await ask(keys[1], 'Of another key.', more, session)).not.toContain('Note for');
    expect(await ask(keys[0], 'The next.', {}, `${session ?? 'x'}-other`)).not.toContain(
      'Note for',
    );
    expect(await ask(keys[0], 'The next.', more, session)).toContain(`Note for ${name}.`);
    expect(await ask(keys[0], 'The last.', more, session)).not.toContain('Note for');
  },
);
