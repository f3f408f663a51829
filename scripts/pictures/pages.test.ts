import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../data-dir.mjs';
import { pagesToTake, redirects } from './pages.mjs';

const routes = readdirSync(join(root, 'app'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('page.tsx'))
  .map((path) => dirname(path).replace(/^\.$/, ''));

describe('npm run pictures', () => {
  test('takes every page of the console', () => {
    const taken = new Set([...pagesToTake.map(({ route }) => route), ...redirects]);
    expect(routes.filter((route) => !taken.has(route))).toEqual([]);
    expect([...taken].filter((route) => !routes.includes(route))).toEqual([]);
  });

  test('filters the verdicts by filters that the list has', () => {
    const file = join(root, 'app', '(console)', 'p', '[project]', 'verdicts', 'filters.ts');
    const parsers = /filterParsers = \{([^]*?)\n\};/.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
    const known = [...parsers.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    const used = pagesToTake
      .flatMap(({ path, first }) => path ?? first?.on ?? [])
      .filter((path) => path.startsWith('/verdicts?'))
      .flatMap((path) => [...new URLSearchParams(path.split('?')[1]).keys()]);
    expect(used).toContain('verifier');
    expect(used.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('names each picture once', () => {
    const names = pagesToTake.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  test('the pictures of the guide are small: 80 kB each, 2 MB in all', () => {
    const folder = join(root, 'docs', 'pictures');
    const sizes = existsSync(folder)
      ? readdirSync(folder).map((name) => ({ name, bytes: statSync(join(folder, name)).size }))
      : [];
    expect(sizes.filter(({ bytes }) => bytes > 80_000)).toEqual([]);
    expect(sizes.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(2_000_000);
  });
});
