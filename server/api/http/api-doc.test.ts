// docs/api.md has every route of the description, and names no unknown one.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { httpRoutes } from './routes';

const text = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
/** For the operator, not part of a project's API. */
const operators = ['GET /metrics'];
const known: readonly string[] = httpRoutes.map(
  ({ method, path }) => `${method.toUpperCase()} ${path}`,
);

/** The rows of the table of routes: each method with each path of its row. */
const tabled = text
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(
    ([, methods = '', paths = '']) =>
      /^(GET|POST|PUT|DELETE)\b/.test(methods) && paths.startsWith('`/'),
  )
  .flatMap(([, methods = '', paths = '']) =>
    methods
      .split(', ')
      .flatMap((method) =>
        [...paths.matchAll(/`([^`]+)`/g)].map((match) => `${method} ${match[1] ?? ''}`),
      ),
  );

/** Routes named in sentences, without the query. */
const said = [...text.matchAll(/`(GET|POST|PUT|DELETE) (\/[^`?\s]+)/g)].map(
  (match) => `${match[1] ?? ''} ${match[2] ?? ''}`,
);

/** A path in a sentence may have a value where the description has a parameter. */
function isKnown(route: string): boolean {
  return known.some((one) =>
    new RegExp(`^${one.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(route),
  );
}

describe('docs/api.md', () => {
  test('has a row for every route', () => {
    expect(known.filter((route) => !tabled.includes(route))).toEqual([]);
  });

  test('has no row for an unknown route', () => {
    expect(tabled.filter((route) => !known.includes(route))).toEqual([]);
    expect(tabled).toEqual([...new Set(tabled)]);
  });

  test('names no other route in its sentences', () => {
    expect(said.length).toBeGreaterThan(10);
    expect(said.filter((route) => !isKnown(route) && !operators.includes(route))).toEqual([]);
  });
});
