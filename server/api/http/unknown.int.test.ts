// S-127: unknown members are refused by name, on every route of the description, behind both
// addresses.
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { createApp, httpRoutes } from './index';
import { intakePaths } from './intake';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  ({ key } = await createKey(project, {
    name: 'all',
    scopes: ['ingest', 'verify', 'read', 'write', 'gateway'],
  }));
});

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

interface Operation {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

async function send(
  base: string,
  path: string,
  method: string,
  body?: unknown,
): Promise<{ status: number; error: Refusal }> {
  const init = {
    method: method.toUpperCase(),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const response = await appOf(runtime, base).request(`${base}${path}`, init);
  const { error } = (await response.json()) as { error: Refusal };
  return { status: response.status, error };
}

interface Refusal {
  readonly message: string;
  readonly details: readonly { readonly path: string; readonly message: string }[];
}

async function describeApp(): Promise<Description> {
  return (await (await appOf(runtime).request('/openapi.json')).json()) as Description;
}

function namesOf(description: Description, schema: Schema): string[] {
  const named =
    schema.$ref === undefined
      ? undefined
      : description.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  const parts = [
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(named === undefined ? [] : [named]),
  ];
  return [
    ...Object.keys(schema.properties ?? {}),
    ...parts.flatMap((part) => namesOf(description, part)),
  ];
}

/** OTLP, and batches whose events are refused one by one. */
const exempt = [...intakePaths.keys()].filter((path) => path !== '/v1/turns');
const routes = httpRoutes
  .filter(({ path }) => !exempt.includes(path))
  .map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);
/** The routes of verifiers that a project defines; the slug of the others is of the release. */
const ownRoute = /^\/v1\/(verify\/\{verifier\}|verifiers\/\{verifier\}\/try)$/;
const pathOf = (path: string): string =>
  path
    .replaceAll(/\{(\w+)\}/g, 'some-$1')
    .replace('some-verifier', ownRoute.test(path) ? 'some-verifier' : 'task');

/** One typing error in a name. */
function misspelt(name: string, at: number, edit: number): string {
  const place = at % name.length;
  const [head, letter, tail] = [name.slice(0, place), name[place] ?? '', name.slice(place + 1)];
  if (edit === 0) return head + tail;
  if (edit === 1) return `${head}${letter}${letter}${tail}`;
  if (edit === 2) return `${head}q${tail}`;
  return `${head}${tail[0] ?? 'q'}${letter}${tail.slice(1)}`;
}

test('S-127: every route is described, so that what it knows is known', () => {
  const described = new Set(
    httpRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path}`),
  );
  const routed = createApp(runtime).routes.filter(({ method }) => method !== 'ALL');
  const names = routed.map(
    ({ method, path }) =>
      `${method} ${path.replace('/:id{.+\\.md}', '/{id}.md').replaceAll(/:(\w+)/g, '{$1}')}`,
  );
  expect([...new Set(names)].filter((name) => !described.has(name))).toEqual(['GET /metrics']);
});

describe.each([{ base: '' }, { base: '/api' }])('below "$base"', ({ base }) => {
  test.each(routes)(
    'S-127: %s refuses a query parameter that is not known',
    async (_name, route) => {
      const known = Object.keys(route.query?.shape ?? {});
      const body = route.body === undefined ? undefined : {};
      const none = await send(base, `${pathOf(route.path)}?zzzzzzzzzzzzzzzz=1`, route.method, body);
      expect(none.status).toBe(400);
      expect(none.error.message).toMatch(
        /^`zzzzzzzzzzzzzzzz` is not known; (the known names are|none is allowed)/,
      );
      expect(none.error.details[0]?.path).toBe('zzzzzzzzzzzzzzzz');
      for (const name of known) {
        const odd = misspelt(name, name.length - 1, 1);
        const { status, error } = await send(
          base,
          `${pathOf(route.path)}?${odd}=1`,
          route.method,
          body,
        );
        expect([status, error.message]).toEqual([
          400,
          `\`${odd}\` is not known; did you mean \`${name}\`?`,
        ]);
        expect(error.details[0]?.path).toBe(odd);
      }
    },
  );
});

test.each(routes.filter(([, { body }]) => body !== undefined))(
  'S-127: %s refuses each member that is misspelt',
  async (_name, route) => {
    const description = await describeApp();
    const operation = description.paths[route.path]?.[route.method];
    const names = namesOf(
      description,
      operation?.requestBody?.content['application/json']?.schema ?? {},
    );
    expect(names.length).toBeGreaterThan(0);
    const known = new Set(names);
    const edits = fc.record({ name: fc.constantFrom(...names), at: fc.nat(40), edit: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(edits, async ({ name, at, edit }) => {
        const odd = misspelt(name, at, edit);
        fc.pre(odd !== '' && !known.has(odd));
        const { status, error } = await send('', pathOf(route.path), route.method, { [odd]: 1 });
        expect(status, odd).toBe(400);
        expect(error.message).toContain(`\`${odd}\` is not known; `);
        // A short name may be as near to another one that is known.
        expect(error.message).toMatch(name.length > 6 ? /did you mean `\w+`\?$/ : /known/);
        expect(error.details[0]).toEqual({ path: odd, message: error.message });
      }),
      { numRuns: process.env.ASSAY_LONG === '1' ? 40 : 12 },
    );
  },
);

test.each(
  routes.filter(
    ([, { body, method, path }]) =>
      body === undefined &&
      method !== 'get' &&
      // A body that Slack did not sign is not read.
      !['/v1/import', '/v1/destinations/{id}/actions'].includes(path),
  ),
)('S-127: %s, which takes no body, refuses a member', async (_name, route) => {
  const { status, error } = await send('', pathOf(route.path), route.method, { reason: 'x' });
  expect([status, error.message]).toEqual([400, '`reason` is not known; none is allowed here.']);
});

const turn = { output: 'x' };
const batches = [
  { path: '/v1/turns', list: 'turns', good: turn, known: 'session_id' },
  { path: '/v1/turns', list: 'turns', good: turn, known: 'metadata' },
  {
    path: '/v1/outcomes',
    list: 'outcomes',
    good: { subject_id: 's', success: true },
    known: 'score',
  },
  {
    path: '/v1/outcomes',
    list: 'outcomes',
    good: { subject_id: 's', success: true },
    known: 'created_at',
  },
];

test.each(batches)(
  'S-127: an item of $path with a misspelt $known is rejected, its neighbours are stored',
  async (batch) => {
    const odd = misspelt(batch.known, 3, 0);
    const items = [0, 1, 2].map((n) => ({
      ...batch.good,
      id: `${batch.known}-${n}`,
      ...(n === 1 && { [odd]: 1 }),
    }));
    const response = await appOf(runtime).request(batch.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ [batch.list]: items }),
    });
    expect(response.status).toBe(202);
    const message = `\`${odd}\` is not known; did you mean \`${batch.known}\`?`;
    expect(await response.json()).toMatchObject({
      accepted: 2,
      rejected: [{ index: 1, code: 'invalid', message }],
    });
    const letters = await runtime.ctx.sql`
    select message, convert_from(body, 'UTF8') as body from dead_letters
    where project_id = ${project.projectId} and route = ${batch.path} and message = ${message}`;
    expect(letters.map((row) => ({ ...row }))).toEqual([
      { message, body: JSON.stringify(items[1]) },
    ]);
  },
);

test('S-127: the file of an import has no part and no member of its mapping that is not known', async () => {
  const post = async (parts: Readonly<Record<string, string>>): Promise<string> => {
    const body = new FormData();
    for (const [name, text] of Object.entries(parts)) body.set(name, text);
    const response = await appOf(runtime).request('/v1/import', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body,
    });
    expect(response.status).toBe(400);
    return ((await response.json()) as { error: Refusal }).error.message;
  };
  const mapping = '{"format":"jsonl","output":"o"}';
  expect(await post({ file: '{"o":"x"}', mapping, mappin: mapping })).toBe(
    '`mappin` is not known; did you mean `mapping`?',
  );
  expect(
    await post({ file: '{"o":"x"}', mapping: '{"format":"jsonl","output":"o","modle":"m"}' }),
  ).toBe('`modle` is not known; did you mean `model`?');
});
