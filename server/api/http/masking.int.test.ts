// Masking at intake (S-102, S-129): a masked value is in no table after any route has stored it,
// and the same value has the same token in all of them.
import fc from 'fast-check';
import { beforeEach, describe, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { type Json, createCaller } from '../../../testing/call';
import { findSecretsIn } from '../../../testing/canary';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { contentTypes, exportOf, otlpFormats, plainSpan, text } from '../../../testing/otlp';
import { plantedText, plantedValues } from '../../../testing/planted';
import { caseCount } from '../../../testing/case-count';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { isMasked } from './mask-body';
import { httpRoutes } from './routes';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';
let call: ReturnType<typeof createCaller>;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

const types = ['key', 'email', 'iban', 'card', 'phone'];
const masking = { types, regions: ['DE'], paths: ['$.metadata.customer'] };

beforeEach(async () => {
  project = await createTestProject(runtime);
  const made = await createKey(project, {
    name: 'k',
    scopes: ['ingest', 'verify', 'read', 'write'],
  });
  key = made.key;
  call = createCaller(runtime, key);
  expect(await put({ masking })).toMatchObject({ status: 200, body: { masking } });
});

const put = (body: Json) => call('/v1/settings', body, {}, 'PUT');
const stored = () => findSecretsIn(runtime.ctx.sql, plantedValues);

describe('the setting', () => {
  test('is off by default, can be turned off, and names a bad path', async () => {
    expect((await put({ masking: null })).body.masking).toBeNull();
    const { status, body } = await put({ masking: { paths: ['$.a', '$.b[?@.c]'] } });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('masking.paths[1]');
    expect((await call('/v1/settings')).body.masking).toBeNull();
  });
});

test('every route that takes data of a project is masked, or says why not', () => {
  const open = httpRoutes.filter(
    (route) =>
      ['ingest', 'verify'].includes(route.scope ?? '') &&
      route.method !== 'get' &&
      !isMasked(route),
  );
  // The import masks the rows of its file, not the form around them.
  // A preview and a gate store nothing, and a preview's filter is read as that of a stored rule.
  // The settings of an experiment may have keys for its target.
  expect(open.map(({ path }) => path).sort()).toEqual([
    '/v1/experiments',
    '/v1/experiments/{id}/gate',
    '/v1/import',
    '/v1/rules/preview',
  ]);
  const others = httpRoutes.filter((route) => route.scope === 'write' && isMasked(route));
  expect(others.map(({ path }) => path).sort()).toEqual([
    '/v1/datasets/{slug}',
    '/v1/datasets/{slug}/items',
    '/v1/datasets/{slug}/items/from',
    '/v1/deletions',
    '/v1/findings/{id}/acknowledge',
    '/v1/labels',
    '/v1/verifications/{id}/overrides',
  ]);
});

const bodies: readonly (readonly [string, (value: string, n: number) => Json])[] = [
  [
    '/v1/turns',
    (value, n) => ({
      turns: [
        {
          id: `t-${n}`,
          session_id: value,
          input: value,
          output: value,
          tags: [value],
          metadata: { note: value, [value]: { deep: [value] } },
          tools: [
            { id: 'c', name: 'find', arguments: { value }, result: JSON.stringify({ value }) },
          ],
        },
        { id: `bad-${n}`, output: 7, input: value },
      ],
    }),
  ],
  [
    '/v1/outcomes',
    (value, n) => ({
      outcomes: [{ turn_id: `t-${n}`, success: true, note: value, source: value }],
    }),
  ],
  [
    '/v1/verify/integrity',
    (value) => ({ input: value, output: `It is ${value}, 91%.`, tools: [], session_id: value }),
  ],
  [
    '/v1/labels',
    (value, n) => ({ turn_id: `t-${n}`, verifier: 'integrity', verdict: 'pass', reason: value }),
  ],
  ['/v1/contracts', (value) => ({ request: value })],
  ['/v1/deletions', (value) => ({ kind: 'user', id: value })],
];

test('S-102 no table has a planted value after any route has taken it', async () => {
  let n = 0;
  await fc.assert(
    fc.asyncProperty(plantedText, async (value) => {
      n++;
      for (const [path, bodyOf] of bodies) {
        const { status } = await call(path, bodyOf(value, n), {
          'idempotency-key': `${path}-${n}`,
        });
        expect([200, 201, 202]).toContain(status);
      }
      for (const format of otlpFormats) {
        const span = plainSpan(`${format}-${n}`, 0, [
          text('output.value', value),
          text(value, 'x'),
        ]);
        const sent = await appOf(runtime).request('/v1/traces', {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': contentTypes[format] },
          body: new Uint8Array(exportOf(format, [span])),
        });
        expect(sent.status).toBe(200);
      }
      const row = JSON.stringify({ id: `r-${n}`, answer: value });
      const mapping = encodeURIComponent(JSON.stringify({ id: '$.id', output: '$.answer' }));
      await call(`/v1/import?mapping=${mapping}`, row, { 'content-type': 'application/x-ndjson' });
    }),
    { numRuns: caseCount(15), endOnFailure: true },
  );
  await drainWork(runtime);
  expect(await stored()).toEqual([]);
}, 120_000);

test('one value has one token in a turn, a label and a path, and figures keep their sources', async () => {
  const output = 'Write to Ann.Lee@example.com: the disk is 91.4% full.';
  const tools = [
    { id: 'c', name: 'disk', arguments: {}, result: { to: 'ann.lee@example.com', pct: 91.4 } },
  ];
  const metadata = { customer: 'Ann Lee' };
  await call('/v1/turns', { turns: [{ id: 't-1', output, tools, metadata }] });
  await drainWork(runtime);
  const turn = (await call('/v1/turns/t-1')).body;
  const [token = ''] = /\[email:[a-z]{12}\]/.exec(JSON.stringify(turn)) ?? [];
  expect(JSON.stringify(turn).split(token)).toHaveLength(3);
  expect(JSON.stringify(turn)).toMatch(/"customer":"\[masked:[a-z]{12}\]"/);
  expect(turn).toMatchObject({ verdicts: [{ verdict: 'sourced' }] });
  const label = {
    turn_id: 't-1',
    verifier: 'integrity',
    verdict: 'pass',
    reason: 'ANN.LEE@EXAMPLE.COM',
  };
  expect((await call('/v1/labels', label)).body.reason).toBe(token);
});

test('while masking is off, everything is stored as it was sent', async () => {
  await put({ masking: null });
  const other = await createTestProject(runtime);
  const { key: otherKey } = await createKey(other, { name: 'k', scopes: ['ingest', 'read'] });
  const send = createCaller(runtime, otherKey);
  await send('/v1/turns', { turns: [{ id: 't-1', output: `to ${plantedValues[0]}` }] });
  expect(JSON.stringify((await send('/v1/turns/t-1')).body)).toContain(plantedValues[0]);
  expect(await stored()).not.toEqual([]);
});
