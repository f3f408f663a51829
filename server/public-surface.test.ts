// S-15: the pages and data available without a session or a key. There are no share links: an
// address alone opens no trace, verdict or report. A new page, procedure, route or column for one
// has to be decided here, with a token of at least 128 bits that opens one trace and can be
// revoked.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import { schema } from '../db';
import { httpRoutes } from './api/http';

const root = join(import.meta.dirname, '..');
const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });

test('S-15 pages without a session: signing in, a link of an invitation, and the way to them', () => {
  const pages = filesOf('app').filter((path) => /(?:^|\/)(?:page\.tsx|route\.ts)$/.test(path));
  expect(pages.length).toBeGreaterThan(30);
  expect(pages.filter((path) => !path.startsWith('(console)/')).toSorted()).toEqual([
    '(entry)/claim/page.tsx',
    '(entry)/sign-in/page.tsx',
    'api/[...path]/route.ts',
    'api/auth/[...all]/route.ts',
    'api/trpc/[trpc]/route.ts',
    'docs/[[...path]]/route.ts',
    'page.tsx',
  ]);
});

test('S-15 procedures without a session: those of one-time links for an account', () => {
  const open = filesOf('server/api/trpc')
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && path !== 'builders.ts')
    .flatMap((path) => {
      const text = readFileSync(join(root, 'server/api/trpc', path), 'utf8');
      return Array.from(
        text.matchAll(/(\w+):\s*(?:linkProcedure|trpc\.procedure|mapped)\b/g),
        ([, name = '']) => `${path} ${name}`,
      );
    });
  expect(open.toSorted()).toEqual([
    'account.ts claim',
    'account.ts claimState',
    'account.ts resetPassword',
    'account.ts signInOptions',
  ]);
});

test('S-15 routes without a key: descriptions, health, and the buttons that Slack signs', () => {
  expect(httpRoutes.length).toBeGreaterThan(80);
  expect(
    httpRoutes
      .filter(({ scope }) => scope === null)
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(['/docs', '/healthz', '/openapi.json', '/readyz', '/v1/destinations/{id}/actions']);
});

test('S-15 no column makes a row visible by its address', () => {
  const columns = Object.values(schema).flatMap((each) => {
    if (!is(each, PgTable)) return [];
    const { name, columns: own } = getTableConfig(each);
    return own.map((column) => `${name}.${column.name}`);
  });
  expect(columns.length).toBeGreaterThan(500);
  const sharing =
    /\.(?:.*_)?(?:share|shared|sharing|public|is_public|visibility|token|token_hash|share_\w+)$/;
  expect(columns.filter((name) => sharing.test(name)).toSorted()).toEqual([
    // Columns of accounts: sessions, passkeys and one-time links.
    'auth_accounts.access_token',
    'auth_accounts.id_token',
    'auth_accounts.refresh_token',
    'auth_sessions.token',
    'claims.token_hash',
    // A share.
    'project_settings.cost_budget_share',
    // With the members of the project.
    'saved_views.shared',
    // A share.
    'verdicts.share_of_task',
  ]);
  for (const name of [
    'traces.share_token',
    'reports.is_public',
    'traces.public',
    'verdicts.visibility',
  ])
    expect(sharing.test(name), name).toBe(true);
});
