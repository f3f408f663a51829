import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { readDefinition } from './read-definition';
import { verifierStarters } from './starters';

describe('starters', () => {
  test.each(verifierStarters.map((starter) => [starter.name, starter] as const))(
    '%s is a complete definition, as an object and as YAML',
    (_name, { slug, definition, needs, weaknesses }) => {
      const read = readDefinition(slug, definition);
      expect(read.definition.description).not.toBe('');
      expect(readDefinition(slug, parse(stringify({ slug, ...definition })))).toEqual(read);
      for (const text of [needs, weaknesses]) expect(text).toMatch(/\.$/);
    },
  );

  test('each has its own slug', () => {
    expect(new Set(verifierStarters.map(({ slug }) => slug)).size).toBe(verifierStarters.length);
  });
});
