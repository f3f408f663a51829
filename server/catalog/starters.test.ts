import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readDefinition } from './read-definition';
import { starters } from './starters';

describe('starters (issue 28)', () => {
  test.each(starters.map((starter) => [starter.name, starter] as const))(
    '%s is a complete definition, as an object and as YAML',
    (_name, { slug, definition, needs, weaknesses }) => {
      const read = readDefinition(slug, definition);
      expect(read.definition.description).not.toBe('');
      expect(readDefinition(slug, parse(stringify({ slug, ...definition })))).toEqual(read);
      for (const text of [needs, weaknesses]) expect(text).toMatch(/\.$/);
    },
  );

  test('each has its own slug', () => {
    expect(new Set(starters.map(({ slug }) => slug)).size).toBe(starters.length);
  });
});
