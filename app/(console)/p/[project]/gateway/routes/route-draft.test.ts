import { expect, test } from 'vitest';
import { RouteSettings } from '@/server/gateway/input';
import {
  type DraftErrors,
  draftOf,
  fieldAt,
  pathOf,
  readDraft,
  type RouteDraft,
  sourceOf,
} from './route-draft';

const defaults = RouteSettings.parse({});
const changed = RouteSettings.parse({
  upstream: 'http://127.0.0.1:11434',
  api: 'anthropic',
  allow_paths: ['/files/*', 'batches'],
  quality_verifier: {
    model: 'judge:m?temperature=0.3',
    frequency: 3,
    max_history: 8,
    control_share: 0.125,
    deferred: true,
  },
  integrity: {
    mode: 'hold',
    allow_user_figures: true,
    deadline_ms: 80,
    sources_footer: false,
    sources: { blocks: [{ by: 'tag', tag: 'context' }], documents: true, earlier_messages: true },
  },
  verify: { verifier: 'refund-policy', mode: 'steer', frequency: 5 },
  fail_closed: true,
  total_seconds: 90,
});

test.each([
  ['the default', defaults],
  ['all changed', changed],
])('settings are filled into the form and read back unchanged: %s', (_name, settings) => {
  expect(readDraft(draftOf('local', settings))).toEqual({ name: 'local', settings });
});

test("QV-2 QV-5 the form of a new route has the release's defaults: every 10 turns, follow-ups a fifth", () => {
  expect(draftOf('x', defaults)).toMatchObject({
    frequency: '10',
    followupWeight: '0.2',
    minTurn: '1',
    maxHistory: '',
    model: '',
  });
});

test.each([
  [{ name: 'Not A Name' }, ['name']],
  [{ frequency: '0' }, ['frequency']],
  [{ frequency: '1.5' }, ['frequency']],
  [{ frequency: '' }, ['frequency']],
  [
    { frequency: 'ten', followupWeight: '1.1', controlShare: '101' },
    ['frequency', 'followupWeight', 'controlShare'],
  ],
  [{ maxHistory: '0' }, ['maxHistory']],
  [{ verifier: 'refund-policy', verifyEvery: '0' }, ['verifyEvery']],
  [{ sourceBlocks: '<context>\nno block' }, ['sourceBlocks']],
  [{ allowPaths: '/files/*\n/a?b' }, ['allowPaths']],
  [{ maxFailures: '0', cooldown: '-1' }, ['maxFailures', 'cooldown']],
  [
    { firstTokenTimeout: '0', deadline: '0.5', firstToken: '0', total: '4000' },
    ['firstTokenTimeout', 'deadline', 'firstToken', 'total'],
  ],
] satisfies [Partial<RouteDraft>, (keyof RouteDraft)[]][])(
  'QV-8 the form shows errors next to the field: %o',
  (change, fields) => {
    const read = readDraft({ ...draftOf('x', defaults), ...change });
    const errors: DraftErrors = 'errors' in read ? read.errors : {};
    expect(new Set(Object.keys(errors))).toEqual(new Set(fields));
    expect(Object.values(errors).every((text) => text.length > 10)).toBe(true);
  },
);

test('a comma is a decimal point, and blanks are no value', () => {
  const read = readDraft({
    ...draftOf(' x ', defaults),
    followupWeight: '0,5',
    upstream: '  ',
    model: ' ',
  });
  expect(read).toMatchObject({
    name: 'x',
    settings: { upstream: null, quality_verifier: { tool_followup_weight: 0.5, model: null } },
  });
});

test('each field of the form has its setting, and each setting its field', () => {
  const leaves = (value: object, before = ''): string[] =>
    Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? leaves(inner, `${before}${name}.`)
        : [`${before}${name}`],
    );
  expect(Object.values(pathOf).sort()).toEqual(leaves(changed).sort());
  expect(fieldAt('settings.quality_verifier.model')).toBe('model');
  expect(fieldAt('upstream')).toBe('upstream');
  expect(fieldAt('settings.allow_paths.3')).toBe('allowPaths');
  expect(fieldAt('integrity.sources.blocks[0].pattern')).toBe('sourceBlocks');
  expect(fieldAt('settings.integrity.sources.blocks.0.tag')).toBe('sourceBlocks');
  expect(fieldAt('nowhere')).toBeNull();
});

test('S-122 paths are read one per line, without blank lines', () => {
  expect(
    readDraft({ ...draftOf('x', defaults), allowPaths: ' /files/* \n\n/batches\n' }),
  ).toMatchObject({
    settings: { allow_paths: ['/files/*', '/batches'] },
  });
  expect(sourceOf('allowPaths', defaults, true)).toBe('default');
  expect(sourceOf('allowPaths', changed, true)).toBe('project');
});

test('QV-39 a value comes from the release, the environment or the project', () => {
  expect(sourceOf('frequency', defaults, false)).toBe('default');
  expect(sourceOf('frequency', changed, false)).toBe('environment');
  expect(sourceOf('frequency', changed, true)).toBe('project');
  expect(sourceOf('minTurn', changed, true)).toBe('default');
  expect(sourceOf('verifier', defaults, true)).toBe('default');
  expect(sourceOf('verifier', changed, true)).toBe('project');
});
