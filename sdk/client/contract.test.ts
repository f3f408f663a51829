import { describe, expect, test } from 'vitest';
import { createAssay, injectContract } from './index';

const contract = {
  active: true,
  prompt_block: 'TASK CONTRACT\n\nWrite these files, each complete:\n- app.py',
};
const user = { role: 'user', content: 'Create app.py' };

describe('injectContract', () => {
  test.each([
    ['no system message', [user], [{ role: 'system', content: contract.prompt_block }, user]],
    [
      'a system message',
      [{ role: 'system', content: 'Be brief.' }, user],
      [{ role: 'system', content: `Be brief.\n\n${contract.prompt_block}` }, user],
    ],
    [
      'an empty one',
      [{ role: 'system', content: '' }],
      [{ role: 'system', content: contract.prompt_block }],
    ],
    [
      'a developer message with parts',
      [{ role: 'developer', name: 'd', content: [{ type: 'text', text: 'Be brief.' }] }, user],
      [
        {
          role: 'developer',
          name: 'd',
          content: [
            { type: 'text', text: 'Be brief.' },
            { type: 'text', text: contract.prompt_block },
          ],
        },
        user,
      ],
    ],
  ])('QEL-11 %s', (_, messages, expected) => {
    const before = structuredClone(messages);
    const injected = injectContract(messages, contract);
    expect(injected).toEqual(expected);
    expect(messages).toEqual(before);
    expect(injectContract(injected, contract)).toEqual(expected);
  });

  test('QEL-11 a contract without obligations changes nothing', () => {
    expect(injectContract([user], { active: false, prompt_block: '' })).toEqual([user]);
    expect(injectContract([user], { active: false, prompt_block: 'x' })).toEqual([user]);
    expect(injectContract([user], null)).toEqual([user]);
  });
});

describe('contract', () => {
  const open = (status: number, body: unknown) => {
    const sent: unknown[] = [];
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const path = new URL(input instanceof Request ? input.url : input).pathname;
      sent.push({
        path,
        body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : null,
      });
      return new Response(JSON.stringify(body), { status });
    };
    return {
      assay: createAssay({ url: 'http://127.0.0.1:1', key: 'asy_test', fetch, flushOnExit: false }),
      sent,
    };
  };

  test('QEL-5 requests the contract of a request from the server', async () => {
    const { assay, sent } = open(200, contract);
    expect(await assay.contract('Create app.py', { model: 'claude' })).toEqual({
      ok: true,
      contract,
    });
    expect(sent).toEqual([
      { path: '/v1/contracts', body: { request: 'Create app.py', model: 'claude' } },
    ]);
  });

  test('returns a failure as a value', async () => {
    const refused = open(400, {
      error: { code: 'invalid_request', message: 'request: too long' },
    }).assay;
    expect(await refused.contract('x')).toEqual({
      ok: false,
      error: { code: 'invalid_request', message: 'request: too long', status: 400 },
    });
    expect(await open(200, { other: 1 }).assay.contract('x')).toMatchObject({
      ok: false,
      error: { code: 'unreachable' },
    });
    const none = createAssay({ url: 'not a url', flushOnExit: false });
    expect(await none.contract('x')).toMatchObject({ ok: false, error: { code: 'misconfigured' } });
  });
});
