import { expect, test } from 'vitest';
import type { ConfigField } from './config-field';
import { builtIn } from './registry';

const all = [...builtIn.values()].map((kind) => [kind.name, kind] as const);

/** Values at and beyond the limits of a field. */
function edgesOf(field: ConfigField): { good: unknown[]; bad: unknown[] } {
  switch (field.type) {
    case 'switch':
      return { good: [true, false], bad: ['yes', 1, null] };
    case 'choice':
      return { good: field.options.map(({ value }) => value), bad: ['nobodys', '', 1, null] };
    case 'choices':
      return {
        good: [[], field.options.map(({ value }) => value)],
        bad: [['nobodys'], 'nobodys', null],
      };
    case 'texts':
      return {
        good: [[], ['a'], Array.from({ length: field.itemsMax }, () => 'x'.repeat(field.charsMax))],
        bad: [
          Array.from({ length: field.itemsMax + 1 }, () => 'x'),
          ['x'.repeat(field.charsMax + 1)],
          [' '],
          'x',
          null,
        ],
      };
    case 'number':
      return {
        good: [field.min, field.max],
        bad: [
          field.min - 1,
          field.max + 1,
          String(field.min),
          null,
          ...(field.whole ? [field.min + 0.5] : []),
        ],
      };
  }
}

test.each(all)('VS-40 every member of the config of %s can be set, and is explained', (_, kind) => {
  expect(kind.fields.map(({ key }) => key).sort()).toEqual(
    Object.keys(kind.config.parse({}) as object).sort(),
  );
  for (const field of kind.fields) {
    expect(field.name.length).toBeGreaterThan(3);
    expect(field.meaning).toMatch(/\.$/);
    const options = 'options' in field ? field.options : [];
    expect(options.filter(({ meaning }) => !meaning.endsWith('.'))).toEqual([]);
  }
});

test.each(all)('the ends that a field of %s names are those of its config', (_, kind) => {
  for (const field of kind.fields) {
    const { good, bad } = edgesOf(field);
    for (const value of good)
      expect(
        kind.config.safeParse({ [field.key]: value }).success,
        `${field.key} ${JSON.stringify(value)}`,
      ).toBe(true);
    for (const value of bad)
      expect(
        kind.config.safeParse({ [field.key]: value }).success,
        `${field.key} ${JSON.stringify(value)}`,
      ).toBe(false);
  }
});
