// S-56, S-61: the headers of every page of the console, errors and unknown addresses included.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NextRequest } from 'next/server';
import { PHASE_PRODUCTION_BUILD } from 'next/constants';
import {
  unstable_doesMiddlewareMatch as isProxied,
  unstable_getResponseFromNextConfig as headersByConfig,
} from 'next/experimental/testing/server';
import { describe, expect, test } from 'vitest';
import nextConfig from './next.config';
import { config, proxy } from './proxy';

const origin = 'http://console.assay.test';
const configured = nextConfig(PHASE_PRODUCTION_BUILD);

/** The address of each page, with a value for each parameter. */
const pages = readdirSync(join(import.meta.dirname, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:^|\/)page\.tsx$/.test(file))
  .map((file) => `/${file.split('/').slice(0, -1).join('/')}`)
  .map((path) => path.replaceAll(/\/\([^)]*\)|^\([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, 'x.y'))
  .map((path) => (path === '' ? '/' : path));

const policyOf = (path: string): ReadonlyMap<string, readonly string[]> => {
  const text = proxy(new NextRequest(`${origin}${path}`)).headers.get('content-security-policy');
  return new Map(
    (text ?? '').split('; ').map((rule): [string, string[]] => {
      const [name = '', ...values] = rule.split(' ');
      return [name, values];
    }),
  );
};

describe('S-56 the policy of pages', () => {
  test('allows scripts and styles with its nonce only, no objects, no base, no frames', () => {
    const policy = policyOf('/sign-in');
    const nonce = policy.get('script-src')?.find((value) => value.startsWith("'nonce-")) ?? '';
    expect(nonce).toMatch(/^'nonce-[A-Za-z0-9+/=]{40,}'$/);
    expect(policy.get('script-src')).toEqual(["'self'", nonce, "'strict-dynamic'"]);
    expect(policy.get('style-src')).toEqual(["'self'", nonce]);
    for (const name of ['object-src', 'base-uri', 'frame-ancestors'])
      expect(policy.get(name), name).toEqual(["'none'"]);
    for (const name of ['default-src', 'connect-src', 'font-src', 'form-action'])
      expect(policy.get(name), name).toEqual(["'self'"]);
    // Charts place their marks by style attributes, which run nothing.
    const loose = [...policy].filter(([, values]) => /unsafe|\*|http/.test(values.join(' ')));
    expect(loose.map(([name]) => name)).toEqual(['style-src-attr']);
  });

  test('has another nonce each time, which the page gets and the sender cannot choose', () => {
    const request = new NextRequest(`${origin}/`, { headers: { 'x-nonce': 'mine' } });
    const [one, two] = [proxy(request), proxy(request)];
    const nonces = [one, two].map((each) => each.headers.get('x-middleware-request-x-nonce'));
    expect(new Set([...nonces, 'mine', null]).size).toBe(4);
    for (const [at, answer] of [one, two].entries())
      expect(answer.headers.get('content-security-policy')).toContain(`'nonce-${nonces[at]}'`);
  });

  test.each([
    ...pages,
    '/nowhere',
    '/p/x/nowhere',
    '/api',
    '/docsx',
    '/apix/y',
    '/_next/nowhere',
    '/%2e',
  ])('is on %s', (path) => {
    expect(isProxied({ config, url: `${origin}${path}`, nextConfig: configured })).toBe(true);
  });

  test('is left to the routes of the API and of the documentation, and to files of the build', () => {
    expect(pages.length).toBeGreaterThan(30);
    const others = ['/api/v1/turns', '/api/trpc/x', '/docs', '/docs/start/', '/_next/static/a.js'];
    for (const path of others)
      expect(isProxied({ config, url: `${origin}${path}`, nextConfig: configured }), path).toBe(
        false,
      );
  });
});

test.each([
  '/',
  '/sign-in',
  '/p/x/traces',
  '/nowhere',
  '/api/trpc/account.me',
  '/docs/start/',
  '/icon.svg',
])('S-61 S-57 %s may not be framed, nor read as another type', async (path) => {
  const { headers } = await headersByConfig({ url: `${origin}${path}`, nextConfig: configured });
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test.each(['/api/trpc/account.me', '/api/auth/sign-in/email'])(
  'S-56 the answers of %s load and run nothing when they are shown as a page',
  async (path) => {
    const { headers } = await headersByConfig({ url: `${origin}${path}`, nextConfig: configured });
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; base-uri 'none'; .*frame-ancestors 'none'; sandbox$/,
    );
  },
);
