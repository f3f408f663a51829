import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PathGlob, RouteSettings } from '../input';
import { isOpenPath } from './open-paths';

describe('S-122 paths that a route serves', () => {
  it.each([
    ['POST', '/chat/completions'],
    ['POST', '/completions'],
    ['POST', '/complete'],
    ['POST', '/responses'],
    ['POST', '/responses/input_tokens'],
    ['POST', '/messages'],
    ['POST', '/messages/count_tokens'],
    ['POST', '/embeddings'],
    ['GET', '/models'],
    ['HEAD', '/models'],
    ['GET', '/models/gpt-4o'],
    ['GET', '/models/meta-llama/Llama-3:free'],
    ['POST', '/models/gemini-2.5-pro:generateContent'],
    ['POST', '/models/gemini-2.5-pro:streamGenerateContent'],
    ['POST', '/models/text-embedding-004:batchEmbedContents'],
    ['GET', '/responses/resp_1'],
    ['DELETE', '/responses/resp_1'],
    ['POST', '/responses/resp_1/cancel'],
    ['GET', '/responses/resp_1/input_items'],
    ['GET', '/chat/completions/chatcmpl-1'],
    ['POST', '/chat/completions/chatcmpl-1'],
    ['GET', '/chat/completions/chatcmpl-1/messages'],
  ])('S-122 open without a setting: %s %s', (method, path) => {
    expect(isOpenPath(method, path, [])).toBe(true);
  });

  it.each([
    ['GET', '/files'],
    ['POST', '/files'],
    ['GET', '/files/f-1/content'],
    ['POST', '/batches'],
    ['POST', '/moderations'],
    ['POST', '/images/generations'],
    ['POST', '/audio/speech'],
    ['POST', '/fine_tuning/jobs'],
    ['GET', '/organization/api_keys'],
    ['POST', '/organization/admin_api_keys'],
    ['GET', '/assistants'],
    ['POST', '/threads/runs'],
    ['GET', '/vector_stores'],
    ['GET', '/messages/batches'],
    ['POST', '/messages/batches'],
    ['GET', '/chat/completions'],
    ['GET', '/responses'],
    ['DELETE', '/models/ft:gpt-4o:mine'],
    ['POST', '/models'],
    ['PUT', '/chat/completions'],
    ['POST', '/chat/completions/x/y'],
    ['GET', '/embeddings'],
    ['POST', '/Embeddings'],
    ['GET', '/Models'],
    ['GET', '/modelsx'],
    ['POST', '/x/chat/completions'],
    ['POST', '/chat/completions.json'],
    ['GET', '/'],
  ])('S-122 closed without a setting: %s %s', (method, path) => {
    expect(isOpenPath(method, path, [])).toBe(false);
    expect(isOpenPath(method, path, ['/other/*', 'files-not/*'])).toBe(false);
    expect(isOpenPath(method, path, ['*'])).toBe(true);
  });

  it.each([
    ['/files', '/files', true],
    ['/files', '/files/x', false],
    ['/files/*', '/files/x/content', true],
    ['/files/*', '/files', false],
    ['files*', '/files/x', true],
    ['/v1/files/*', '/files/x', true],
    ['/files/**', '/files/x/y', true],
    ['/files/*/content', '/files/x/content', true],
    ['/files/*/content', '/files/content', false],
    ['*/content', '/files/x/content', true],
    ['/a*b*c', '/aXbYc', true],
    ['/a*b*c', '/ac', false],
    ['/ab*ba', '/aba', false],
    ['/files/*', '/xfiles/y', false],
    ['/files/*', '/Files/y', false],
  ])('S-122 the pattern %s opens %s: %s', (glob, path, isOpen) => {
    expect(PathGlob.safeParse(glob).success).toBe(true);
    expect(isOpenPath('POST', path, [glob])).toBe(isOpen);
  });

  it('S-122 a pattern opens what its "*" matches, and nothing else', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 });
    const globs = fc.array(letters, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('*'));
    fc.assert(
      fc.property(globs, letters, (glob, path) => {
        const form = new RegExp(`^${`/${glob.replace(/^\//, '')}`.replaceAll('*', '.*')}$`);
        expect(isOpenPath('POST', `/x${path}`, [glob])).toBe(form.test(`/x${path}`));
        expect(isOpenPath('POST', `/${path}`, [glob])).toBe(form.test(`/${path}`));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    '',
    'a b',
    '/files?x',
    '/files#x',
    '/%2e',
    'a\\b',
    '/\u0000',
    'é',
    '[ab]',
    '{a,b}',
    'x'.repeat(201),
  ])('S-122 %j is not a pattern', (glob) => {
    expect(RouteSettings.safeParse({ allow_paths: [glob] }).success).toBe(false);
  });
});
