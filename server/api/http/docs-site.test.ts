import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerDocs } from './docs-site';

let top = '';
let site = '';

beforeAll(() => {
  top = mkdtempSync(join(tmpdir(), 'assay-docs-'));
  site = join(top, 'site');
  const files = {
    'site/index.html':
      '<script id="a">one()</script><script type="module" src="/docs/x.js"></script>',
    'site/404.html': 'not found',
    'site/start/quickstart.html': 'quickstart',
    'site/how-to/index.html': 'how-to',
    'site/assets/app.abc.js': 'js',
    'secret.html': 'secret',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(top, name, '..'), { recursive: true });
    writeFileSync(join(top, name), text);
  }
});

afterAll(() => rmSync(top, { recursive: true, force: true }));

test.each([
  ['', 200, /one\(\)/, 'text/html; charset=utf-8'],
  ['start/quickstart', 200, /^quickstart$/, 'text/html; charset=utf-8'],
  ['how-to', 200, /^how-to$/, 'text/html; charset=utf-8'],
  ['how-to/', 200, /^how-to$/, 'text/html; charset=utf-8'],
  ['assets/app.abc.js', 200, /^js$/, 'text/javascript; charset=utf-8'],
  ['start/gone', 404, /^not found$/, 'text/html; charset=utf-8'],
  ['../secret', 404, /^not found$/, 'text/html; charset=utf-8'],
  ['../secret.html', 404, /^not found$/, 'text/html; charset=utf-8'],
  ['start/../../secret', 404, /^not found$/, 'text/html; charset=utf-8'],
  ['start\0/quickstart', 404, /^not found$/, 'text/html; charset=utf-8'],
])('docs/%s is %i', async (path, status, text, type) => {
  const answer = await answerDocs(site, path);
  expect(answer.status).toBe(status);
  expect(await answer.text()).toMatch(text);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a page may run its own scripts and no other', async () => {
  const policy = (await answerDocs(site, '')).headers.get('content-security-policy') ?? '';
  expect(policy.match(/'sha256-[^']+'/g)).toHaveLength(1);
  expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
});

test('a site that is not built says which command builds it', async () => {
  const answer = await answerDocs(join(top, 'nothing'), 'start/quickstart');
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('npm run docs');
});
