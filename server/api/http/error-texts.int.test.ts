// Every route refuses input that its description does not allow, with a readable message: each body
// and each query parameter of the description is broken in each way that its schema names.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { appOf } from '../../../testing/app';
import {
  createTestDatabase,
  createTestProject,
  createTestRuntime,
  type TestDatabase,
} from '../../../testing/database';
import {
  expectReadable,
  expectReadableError,
  type ReadableError,
} from '../../../testing/error-words';
import { createKey } from '../../access';
import { addItems, putDataset, startExperiment } from '../../experiments';
import { StartExperimentBody } from '../../experiments/input';
import type { Runtime } from '../../runtime';
import { httpRoutes } from './index';
import { intakePaths } from './intake';
import type { Route } from './route';

let database: TestDatabase;
let runtime: Runtime;
let key = '';
let described: Description;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  runtime = createTestRuntime(database.url);
  const project = await createTestProject(runtime);
  ({ key } = await createKey(project, {
    name: 'all',
    scopes: ['ingest', 'verify', 'read', 'write', 'gateway'],
  }));
  await putDataset(project, 'some-slug', { name: 'Set', description: '' });
  const bytes = Buffer.from('{"items":[{"id":"i","input":"x"}]}');
  await addItems(project, 'some-slug', { bytes, format: 'json', mode: 'append' });
  await startExperiment(project, runtime.subjects, {
    ...StartExperimentBody.parse({ ...bodies['/v1/experiments'], dataset: 'some-slug' }),
    id: 'some-id',
  });
  described = (await (await appOf(runtime).request('/openapi.json')).json()) as Description;
});

afterAll(async () => {
  await runtime.close();
  await database.drop();
});

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
}

interface Operation {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly parameters?: readonly Parameter[];
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A body that each route accepts. */
const bodies: Readonly<Record<string, object>> = {
  '/v1/verify/integrity': { output: 'x' },
  '/v1/verify/task': { task_output: 'x' },
  '/verify-task': { task_output: 'x' },
  '/v1/verify/code': { request: 'Create a.md', files: [{ path: 'a.md', content: 'x' }] },
  '/v1/verify/consistency': { outputs: [{ task_id: 'a', output: 'x' }] },
  '/v1/verify/decomposition': { query: 'q', decomposition: { goal: 'g', subgoals: [] } },
  '/v1/verify/agent-output': { subgoal: { id: 's' }, output: { summary: 'x' } },
  '/v1/verify/synthesis': { query: 'q', answer: 'a', agent_outputs: [] },
  '/v1/verify/turn': {
    messages: [{ role: 'user', content: 'q' }],
    completion: 'a',
    mode: 'async',
  },
  '/v1/verify/mission': {
    description: 'd',
    tasks: [{ task_id: 'a', output: 'x' }],
    mode: 'async',
  },
  '/v1/contracts': { request: 'Create app.py' },
  '/v1/settings': { allow_user_figures: true },
  '/v1/rules/{name}': { verifier: 'integrity' },
  '/v1/rules/preview': { verifier: 'integrity' },
  '/v1/rules/{name}/backfill': {},
  '/v1/thresholds/{verifier}/{key}': { value: 0.8 },
  '/v1/thresholds/{verifier}/{key}/simulate': { values: [0.6] },
  '/v1/verifiers/{verifier}': { config: { strategy: 'always' } },
  '/v1/verifiers/{verifier}/try': { subjects: [{ output: 'x' }] },
  '/v1/verify/{verifier}': { subject: { output: 'x' } },
  '/v1/prompts/{slug}/versions': { body: 'x' },
  '/v1/prompts/{slug}/labels/{label}': { version: 0 },
  '/v1/prompts/{slug}/versions/{version}/trials': { dry_run: true },
  '/v1/providers/{name}': { kind: 'openai', api_key: 'a-key', models: ['gpt-4o-mini'] },
  '/v1/gateway/routes/{route}': { fail_closed: true },
  '/v1/missions/{id}/settings': { review_above_usd: 5 },
  '/v1/verifications/{id}/overrides': { verdict: 'pass', reason: 'r' },
  '/v1/datasets/{slug}': { name: 'n' },
  '/v1/datasets/{slug}/items/from': { turns: ['t'] },
  '/v1/labels': { verification_id: 'v', verdict: 'pass', reason: 'r' },
  '/v1/experiments': {
    name: 'n',
    dataset: 'd',
    target: { type: 'outputs' },
    verifiers: ['integrity'],
  },
  '/v1/experiments/{id}/resume': { retry_failed: true },
  '/v1/experiments/{id}/gate': { max_cost_usd: 1 },
  '/v1/findings/{id}/acknowledge': { reason: 'r' },
  '/v1/destinations': { kind: 'otlp', name: 'o', url: 'https://otel.example.org' },
  '/v1/destinations/{id}': { name: 'o', url: 'https://otel.example.org' },
  '/v1/deletions': { kind: 'user', id: 'u' },
};

const items = new Map([
  ['/v1/turns', { list: 'turns', good: { output: 'x' } }],
  ['/v1/outcomes', { list: 'outcomes', good: { subject_id: 's', success: true } }],
  ['/v1/datasets/{slug}/items', { list: 'items', good: { input: 'x' } }],
  ['/v1/experiments/{id}/outputs', { list: 'outputs', good: { item_id: 'i', output: 'o' } }],
]);

/**
 * OTLP answers with a `Status`, a batch of Langfuse's with its events; probes and pages with no
 * JSON.
 */
const exempt = [
  ...[...intakePaths.keys()].filter((path) => path !== '/v1/turns'),
  '/healthz',
  '/readyz',
  '/docs',
];
const routes = httpRoutes
  .filter(({ path }) => !exempt.includes(path) && path !== '/openapi.json')
  .map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);

const slug: Readonly<Record<string, string>> = {
  verifier: 'task',
  key: 'pass_threshold',
  version: '0',
  name: 'integrity',
};
/** The routes of verifiers that a project defines; the slug of the others is of the release. */
const ownRoute = /^\/v1\/(verify\/\{verifier\}|verifiers\/\{verifier\}\/try)$/;
const pathOf = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    ownRoute.test(path) ? `some-${name}` : (slug[name] ?? `some-${name}`),
  );

async function send(
  route: Route,
  body?: unknown,
  query = '',
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await appOf(runtime).request(`${pathOf(route.path)}${query}`, {
    method: route.method.toUpperCase(),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown>,
  };
}

function resolve(schema: Schema): Schema {
  const named =
    schema.$ref === undefined
      ? schema
      : (described.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  if (named.allOf === undefined) return named;
  const parts = named.allOf.map(resolve);
  return {
    ...named,
    properties: Object.assign({}, named.properties, ...parts.map((part) => part.properties)),
    required: [...(named.required ?? []), ...parts.flatMap((part) => part.required ?? [])],
  };
}

interface Edit {
  readonly path: readonly (string | number)[];
  readonly what: string;
  /** Omitted if the member is dropped. */
  readonly value?: unknown;
}

const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type;

/** The ways in which a value breaks this schema alone. */
function wrongValues(given: Schema): { readonly what: string; readonly value: unknown }[] {
  const schema = resolve(given);
  const types = typesOf(schema);
  const wrong: { what: string; value: unknown }[] = [];
  const allowed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (allowed !== undefined)
    wrong.push({ what: 'value', value: 'zzzz' }, { what: 'type', value: {} });
  if (types.length > 0) {
    if (!types.includes('object')) wrong.push({ what: 'type', value: { a: 1 } });
    if (!types.includes('array') && !types.includes('string'))
      wrong.push({ what: 'type', value: 'zzzz' });
    if (!types.includes('boolean')) wrong.push({ what: 'type', value: true });
  }
  if (schema.maxLength !== undefined && schema.maxLength <= 20_000 && allowed === undefined)
    wrong.push({ what: 'length', value: 'x'.repeat(schema.maxLength + 1) });
  if (schema.maximum !== undefined) wrong.push({ what: 'maximum', value: schema.maximum + 1 });
  if (schema.minimum !== undefined) wrong.push({ what: 'minimum', value: schema.minimum - 1 });
  if (schema.exclusiveMinimum !== undefined)
    wrong.push({ what: 'minimum', value: schema.exclusiveMinimum });
  if (schema.format === 'date-time') wrong.push({ what: 'format', value: 'yesterday' });
  if (schema.maxItems !== undefined && schema.maxItems <= 1_000)
    wrong.push({ what: 'items', value: Array.from({ length: schema.maxItems + 1 }, () => 'x') });
  return wrong;
}

/** Every way to break a body of this schema, down to `depth`. */
function editsOf(given: Schema, path: Edit['path'] = [], depth = 4): Edit[] {
  const schema = resolve(given);
  if (depth === 0) return [];
  const members = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
    ...wrongValues(member).map((edit) => ({ ...edit, path: [...path, name] })),
    ...editsOf(member, [...path, name], depth - 1),
  ]);
  const dropped = (schema.required ?? []).map((name) => ({
    path: [...path, name],
    what: 'missing',
  }));
  const inItems =
    schema.items === undefined
      ? []
      : [
          ...wrongValues(schema.items).map((edit) => ({ ...edit, path: [...path, 0] })),
          ...editsOf(schema.items, [...path, 0], depth - 1),
        ];
  const options = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [
    ...members,
    ...dropped,
    ...inItems,
    ...options.flatMap((option) => editsOf(option, path, depth - 1)),
  ];
}

/** The body with one value changed; missing members of the path are created. */
function edited(value: unknown, [part, ...rest]: Edit['path'], edit: Edit): unknown {
  if (part === undefined) return edit.value;
  if (typeof part === 'number') {
    const list = Array.isArray(value) ? (value as unknown[]) : [];
    return [edited(list[0], rest, edit), ...list.slice(1)];
  }
  const object = (
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  ) as Record<string, unknown>;
  if (rest.length === 0 && !('value' in edit))
    return Object.fromEntries(Object.entries(object).filter(([name]) => name !== part));
  return { ...object, [part]: edited(object[part], rest, edit) };
}

const nameOf = ({ path }: Edit): string =>
  path
    .map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`))
    .join('');

/** The path itself, or its parent: for several accepted forms the error lists them. */
const isAbout = (found: string, wanted: string): boolean =>
  found === wanted ||
  wanted.startsWith(`${found}.`) ||
  wanted.startsWith(`${found}[`) ||
  found === '';

const bodied = routes.filter(([, { body, path }]) => body !== undefined && !items.has(path));

test('every route that takes a body is broken here', () => {
  expect(bodied.map(([, { path }]) => path).filter((path) => !(path in bodies))).toEqual([]);
});

test('every route that rejects items one by one is a batch here', () => {
  const batches = httpRoutes.filter(({ answers }) =>
    Object.values(answers).some(
      (schema) => schema !== null && 'shape' in schema && 'rejected' in (schema.shape as object),
    ),
  );
  // Its items are ids of turns, and the rejected ones are the missing ones.
  const byId = ['/v1/datasets/{slug}/items/from'];
  expect([...new Set(batches.map(({ path }) => path))].sort()).toEqual(
    [...items.keys(), ...byId].sort(),
  );
});

describe('a body that breaks the description', () => {
  test.each(bodied)('%s names the field, the problem and the limit', async (_name, route) => {
    const schema = described.paths[route.path]?.[route.method]?.requestBody?.content;
    const edits = editsOf(schema?.['application/json']?.schema ?? {});
    expect(edits.length).toBeGreaterThan(0);
    let refused = 0;
    for (const edit of edits) {
      const { status, body } = await send(route, edited(bodies[route.path], edit.path, edit));
      const wanted = nameOf(edit);
      const what = `${route.path}: ${wanted} ${edit.what} → ${JSON.stringify(body)}`.slice(0, 900);
      // A description may be stricter than its route: for example, JSON of any type for a text.
      if (status < 400 || status === 404) continue;
      refused++;
      expect([400, 409, 422], what).toContain(status);
      const error = body.error as ReadableError;
      expectReadableError(error, what);
      const isNamed = error.details.some(({ path }) => isAbout(path, wanted));
      expect(status !== 400 || isNamed, what).toBe(true);
    }
    expect(refused, `of ${edits.length}`).toBeGreaterThan(edits.length / 2);
  });

  test.each(bodied)(
    '%s names the problem of a body that is not an object',
    async (_name, route) => {
      for (const body of [null, [], 'text', 7]) {
        const { status, body: answer } = await send(route, body);
        expect(status).toBe(400);
        expectReadableError(answer.error as ReadableError, route.path);
        expect((answer.error as ReadableError).message).toMatch(/^The body (?:must be|is) /);
      }
    },
  );

  test.each(bodied)('%s gives the position at which a body is not JSON', async (_name, route) => {
    const response = await appOf(runtime).request(pathOf(route.path), {
      method: route.method.toUpperCase(),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{\n"a": 1\n"b": 2}',
    });
    const { error } = (await response.json()) as { error: ReadableError };
    expect(error.message).toBe(
      'The body is not valid JSON: line 3, column 1: a comma or a closing bracket is missing.',
    );
  });
});

describe('a query that breaks the description', () => {
  const queried = routes.filter(([, { query }]) => query !== undefined);
  test.each(queried)('%s names the parameter, the problem and the limit', async (_name, route) => {
    const parameters = described.paths[route.path]?.[route.method]?.parameters ?? [];
    for (const { name, schema } of parameters.filter((each) => each.in === 'query')) {
      const texts = wrongValues(schema).flatMap(({ value }) =>
        typeof value === 'string' || typeof value === 'number' ? [`${value}`] : [],
      );
      const isNumber = typesOf(resolve(schema)).some((type) => /number|integer/.test(type));
      for (const text of [...texts, ...(isNumber ? ['many'] : [])]) {
        const query = `?${name}=${encodeURIComponent(text)}`;
        const { status, body } = await send(route, undefined, query);
        if (status === 200 || status === 404) continue;
        const what = `${route.path}${query} → ${JSON.stringify(body)}`.slice(0, 900);
        expect(status, what).toBe(400);
        expectReadableError(body.error as ReadableError, what);
        expect((body.error as ReadableError).details[0]?.path, what).toBe(name);
      }
    }
  });
});

test.each([...items])(
  'an item of %s that breaks the description is rejected in words',
  async (path, batch) => {
    const route = httpRoutes.find((each) => each.path === path);
    if (route === undefined) throw new Error(`no route ${path}`);
    const schema = described.paths[path]?.post?.requestBody?.content['application/json']?.schema;
    const list = resolve(schema ?? {}).properties?.[batch.list];
    const edits = editsOf(list?.items ?? {}).filter(({ path: [first] }) => first !== undefined);
    expect(edits.length).toBeGreaterThan(10);
    const bad = edits.map((edit) => edited(batch.good, edit.path, edit));
    const { status, body } = await send(route, {
      [batch.list]: bad.flatMap((item) => [item, batch.good]),
    });
    expect([201, 202]).toContain(status);
    const rejected = body.rejected as { index: number; message: string }[];
    expect(rejected.length).toBeGreaterThan(bad.length / 2);
    for (const { index, message } of rejected) {
      expect(index % 2, 'a good neighbour is stored').toBe(0);
      const edit = edits[index / 2];
      const what = `${path} ${edit === undefined ? '' : nameOf(edit)}: ${message}`;
      expectReadable(message, what);
      expect(message, what).toMatch(/^`/);
    }
  },
);

test.each(routes)('%s names a missing key or object in words', async (_name, route) => {
  const method = route.method.toUpperCase();
  const unknown = await appOf(runtime).request(pathOf(route.path), { method });
  const answers = [
    { status: unknown.status, body: (await unknown.json()) as Record<string, unknown> },
    await send(route, route.method === 'get' ? undefined : bodies[route.path]),
  ];
  for (const { status, body } of answers) {
    if (status < 400) continue;
    expect(body).toHaveProperty('error');
    expectReadableError(body.error as ReadableError, `${route.path}: ${status}`);
  }
});
