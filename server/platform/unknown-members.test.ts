import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { nearestName, unknownName } from './nearest-name';
import { unknownMembers, unknownParameters } from './unknown-members';

describe('the most similar name', () => {
  const known = [
    'success_criteria',
    'task_output',
    'task_description',
    'mode',
    'id',
    'limit',
    'verifier',
  ];

  test.each([
    ['succes_criteria', 'success_criteria'],
    ['successCriteria', 'success_criteria'],
    ['SUCCESS-CRITERIA', 'success_criteria'],
    ['task_ouptut', 'task_output'],
    ['task_descripton', 'task_description'],
    ['mdoe', 'mode'],
    ['dI', 'id'],
    ['limt', 'limit'],
    ['verifer', 'verifier'],
    ['project_id', null],
    ['x', null],
    ['', null],
    ['output', null],
    ['s'.repeat(1_000_000), null],
  ])('S-127: of %.40s is %s', (name, near) => {
    expect(nearestName(name, known)).toBe(near);
  });

  test('S-127: any single edit of a long name is recognised', () => {
    const name = fc.constantFrom('success_criteria', 'task_description', 'verifier');
    fc.assert(
      fc.property(name, fc.nat(30), fc.constantFrom('', 'q', 'zz'), (wanted, at, put) => {
        const place = at % wanted.length;
        expect(nearestName(wanted.slice(0, place) + put + wanted.slice(place + 1), known)).toBe(
          wanted,
        );
      }),
    );
  });

  test('S-127: a name similar to none lists the known names, and is repeated only in part', () => {
    const many = new Set(Array.from({ length: 100 }, (_, n) => `member_${n}`));
    const message = unknownName(`\u202e\u0000${'z'.repeat(10_000)}`, many);
    expect(message.length).toBeLessThan(500);
    expect(message).not.toMatch(/\p{C}/u);
    expect(message).toMatch(/known names are `member_0`, .* and 90 more$/);
  });
});

const Tree: z.ZodType = z.lazy(() =>
  z.object({ label: z.string(), children: z.array(Tree).optional() }),
);
const Body = z
  .object({
    title: z.string(),
    items: z
      .array(z.object({ weight: z.number(), must_pass: z.boolean().default(false) }))
      .nullish(),
    either: z
      .union([z.string(), z.object({ text: z.string() }), z.strictObject({ check: z.string() })])
      .optional(),
    nested: z
      .union([
        z.union([z.string(), z.strictObject({ const: z.string() })]),
        z.strictObject({ key: z.literal(true) }),
      ])
      .optional(),
    free: z.record(z.string(), z.unknown()).optional(),
    any: z.unknown(),
    tree: Tree.optional(),
    read: z
      .object({ amount: z.number() })
      .transform(({ amount }) => amount)
      .optional(),
  })
  .refine(() => true);

describe('unknown members', () => {
  const paths = (value: unknown): string[] => unknownMembers([Body], value).map(({ path }) => path);

  test.each<[string, unknown, string[]]>([
    ['none', { title: 'x', items: [{ weight: 1 }], free: { titel: 1 }, any: { titel: 1 } }, []],
    ['one at the top, near or not', { titel: 1, zzzzzz: 1 }, ['titel', 'zzzzzz']],
    ['a misspelling in an item', { items: [{ weight: 1 }, { wieght: 1 }] }, ['items[1].wieght']],
    ['no misspelling of what is there', { items: [{ weight: 1, weights: 2, unit: 'g' }] }, []],
    ['a misspelling in an option', { either: { txet: 'x' } }, ['either.txet']],
    ['an option that has it', { either: { check: 'x' } }, []],
    ['an option next to a union within the union', { nested: { key: true } }, []],
    ['an option of a union within the union', { nested: { const: 'x' } }, []],
    [
      'a misspelling deep in a schema that holds itself',
      { tree: { label: 'x', children: [{ labl: 'y' }] } },
      ['tree.children[0].labl'],
    ],
    ['a misspelling before a transform', { read: { amuont: 1 } }, ['read.amuont']],
    [
      'a name of the prototype',
      JSON.parse('{"__proto__":{},"constructor":1}'),
      ['__proto__', 'constructor'],
    ],
    ['nothing of what is no object', ['title'], []],
  ])('S-127: %s', (_what, value, found) => {
    expect(paths(value)).toEqual(found);
  });

  test('S-127: several schemas of one body share their known members', () => {
    const schemas = [z.object({ mode: z.string() }), Body, z.object({ facts: z.number() })];
    expect(unknownMembers(schemas, { mode: 'x', title: 'x', facts: 1 })).toEqual([]);
    expect(unknownMembers(schemas, { fact: 1 })).toEqual([
      { path: 'fact', message: 'is not known; did you mean `facts`?' },
    ]);
    expect(
      unknownMembers([z.intersection(schemas[0] ?? Body, Body)], { mode: 'x', title: 'x' }),
    ).toEqual([]);
    expect(unknownMembers([z.looseObject({}), Body], { whatever: 1 })).toEqual([]);
  });

  test('S-127: a body of a million unknown members is answered with twenty', () => {
    const odd = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`member_${n}`, 1]));
    const items = Array.from({ length: 10_000 }, () => odd);
    expect(unknownMembers([Body], { items })).toEqual([]);
    expect(unknownMembers([Body], { items: items.map(() => ({ wieght: 1 })) })).toHaveLength(20);
    expect(unknownMembers([Body], odd)).toHaveLength(20);
  });
});

test('S-127: query parameters, each once', () => {
  expect(
    unknownParameters(new Set(['limit', 'cursor']), ['limit', 'limt', 'limt']).map(
      ({ path }) => path,
    ),
  ).toEqual(['limt']);
});
