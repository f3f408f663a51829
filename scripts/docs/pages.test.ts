// The pages of docs/: their length, the parts of the product that they name, and the references
// from code.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { parseDefinitions } from '../../sdk/cli/read-definitions';
import { httpRoutes } from '../../server/api/http';
import { readDefinition } from '../../server/catalog';
import { ImportMapping } from '../../server/ingest/input';
import { kinds } from '../../server/verifiers';
import { root } from '../data-dir.mjs';
import { apiPages } from './api-reference';
import { checksPage } from './checks-reference';
import { clientRoutes } from './client-routes';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md') && !name.startsWith('spec/'))
  .map((name) => `docs/${name}`);
/** Files of the repository, those that are not added yet included. */
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => existsSync(join(root, path)));

test.each([
  ['README.md', 120],
  ['docs/develop/architecture.md', 150],
])('%s has at most %i lines', (path, most) => {
  expect(read(path).split('\n').length - 1).toBeLessThanOrEqual(most);
});

test('the API reference matches the routes; `npm run docs -- --reference` writes it', () => {
  const folder = 'docs/reference/api';
  const written = readdirSync(join(root, folder)).map((name) => [name, read(`${folder}/${name}`)]);
  expect(new Map(written as [string, string][])).toEqual(apiPages());
});

test('the reference of checks matches their definitions', () => {
  expect(read('docs/reference/checks.md')).toBe(checksPage());
});

test("the client's types match the routes; `npm run docs -- --reference` writes them", async () => {
  expect(read('sdk/client/routes.ts')).toBe(await clientRoutes());
});

describe('pages name only things that exist', () => {
  const known = httpRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  /** Served separately from the routes of a project. */
  const others = ['GET /metrics'];

  /** A sentence may contain a value where the route has a name in braces. */
  function isKnown(route: string): boolean {
    return [...known, ...others].some((one) =>
      new RegExp(`^${one.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(route),
    );
  }

  const named = (text: string): string[] =>
    Array.from(
      text.matchAll(/(?:^|`)(GET|POST|PUT|DELETE) (\/v1\/[^`?\s]+|\/metrics|\/openapi\.json)/gm),
      ([, method = '', path = '']) => `${method} ${path}`,
    ).filter((route) => !route.includes('…'));

  it.each(pages)('%s names routes of the API only', (page) => {
    expect(named(read(page)).filter((route) => !isKnown(route))).toEqual([]);
  });

  it('a route that does not exist is found', () => {
    expect(named('`GET /v1/gone`').filter((route) => !isKnown(route))).toEqual(['GET /v1/gone']);
  });

  it('docs/reference/environment.md has every variable of the processes', () => {
    const source = read('server/platform/env.ts');
    const schema = source.slice(source.indexOf('const Variables'), source.indexOf('\n});'));
    const variables = Array.from(schema.matchAll(/^ {2}([A-Z_]+):/gm), ([, name = '']) => name);
    expect(variables.length).toBeGreaterThan(30);
    const page = read('docs/reference/environment.md');
    expect(variables.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('docs/reference/settings.md has every setting of a project and of a verifier', () => {
    const settings = httpRoutes.find(({ path, body }) => path === '/v1/settings' && body);
    const shape: unknown = settings?.body;
    const ofProject =
      typeof shape === 'object' && shape !== null && 'shape' in shape
        ? Object.keys(shape.shape as object)
        : [];
    expect(ofProject.length).toBeGreaterThan(8);
    const fields = Array.from(
      files
        .filter((path) => /^server\/verifiers\/[a-z-]+\/fields\.ts$/.test(path))
        .map(read)
        .join('\n')
        .matchAll(/^ {4}key: '(\w+)'/gm),
      ([, key = '']) => key,
    );
    expect(fields.length).toBeGreaterThan(8);
    const page = read('docs/reference/settings.md');
    const missing = [...ofProject, ...fields].filter((name) => !page.includes(`\`${name}\``));
    // Files that only accompany a change.
    expect(missing.filter((name) => !['force', 'reason'].includes(name))).toEqual([]);
  });
});

describe('examples of the guides', () => {
  const blocks = (page: string): unknown[] =>
    [...read(page).matchAll(/^```json\n([^]*?)^```/gm)].map(
      ([, text = '']) => JSON.parse(text) as unknown,
    );
  const mappings = [
    'docs/how-to/import-files.md',
    'docs/how-to/from-langfuse.md',
    'docs/how-to/from-phoenix.md',
    'docs/how-to/from-langsmith.md',
    'docs/how-to/from-promptfoo.md',
  ].flatMap((page) =>
    blocks(page)
      .filter((block) => JSON.stringify(block).includes('"format"'))
      .map((block) => [page, block] as const),
  );

  it.each(mappings)('the mapping of %s is one', (_page, block) => {
    expect(ImportMapping.safeParse(block).error?.issues ?? []).toEqual([]);
  });

  it.each(['docs/how-to/judge-tasks.md', 'docs/how-to/from-promptfoo.md'])(
    'the task of %s is one',
    (page) => {
      const [task] = blocks(page).filter((block) => JSON.stringify(block).includes('task_output'));
      const kind = kinds.get('task');
      const parsed = kind?.subject.safeParse(task);
      expect(parsed?.error?.issues ?? []).toEqual([]);
      expect(parsed?.success).toBe(true);
    },
  );
});

test('definitions of verifiers in the guides are valid', () => {
  const definitions = pages.flatMap((page) =>
    Array.from(read(page).matchAll(/^```yaml\n([^]*?)^```/gm), ([, text = '']) => text)
      .filter((text) => /^slug:/m.test(text))
      .flatMap((text) => parseDefinitions(page, text)),
  );
  expect(definitions.length).toBeGreaterThan(5);
  for (const { slug, body } of definitions)
    expect(() => readDefinition(slug, body), slug).not.toThrow();
});

describe('links to the pages', () => {
  it('comments and texts of the code name pages that are there', () => {
    const lost = files
      .filter((path) => /\.(?:tsx?|mjs|cjs|ya?ml|example)$/.test(path))
      .filter((path) => !/^(?:scripts\/doc-paths\.test\.ts|db\/migrations\/)/.test(path))
      .flatMap((path) =>
        Array.from(
          read(path).matchAll(/\b((?:docs|bench\/results)\/[\w./-]+\.md)\b/g),
          ([, page = '']) => page,
        )
          .filter((page) => !existsSync(join(root, page)))
          .map((page) => `${path}: ${page}`),
      );
    expect(lost).toEqual([]);
  });

  it('pages of the console link to pages of the site', () => {
    const links = files
      .filter((path) => /^app\/.*\.tsx?$/.test(path))
      .flatMap((path) =>
        Array.from(read(path).matchAll(/["'`]\/docs\/([^"'`#?]*)/g), ([, page = '']) => page),
      );
    expect(links.length).toBeGreaterThan(0);
    const isThere = (page: string): boolean =>
      [`docs/${page}.md`, `docs/${page}/index.md`, `docs/${page}index.md`].some((file) =>
        existsSync(join(root, file)),
      );
    expect(links.filter((page) => !isThere(page))).toEqual([]);
  });

  it('every page of the console has its page in docs/console', () => {
    const source = read('app/(console)/pages.ts');
    const names = Array.from(source.matchAll(/page\('\w+', '([a-z]+)'/g), ([, name = '']) => name);
    expect(names.length).toBeGreaterThan(10);
    expect(
      names.filter((name) => !existsSync(join(root, 'docs', 'console', `${name}.md`))),
    ).toEqual([]);
  });
});
