import { z } from 'zod';
import { isBlank } from '../../domain';
import { defineCheck, type CheckFinding, listed } from './check';
import { type Heading, listHeadings, plainTitle } from './headings';
import { evidenceAt } from './positions';

const Name = z
  .string()
  .max(300)
  .refine((name) => !isBlank(name));
const Names = z.array(Name).min(1).max(100);
const Value = z.union([Names, Name.transform((name) => [name])]);

/**
 * `required_sections`: each name is a heading of the text, ignoring case; the word in running prose
 * is not a section (VS-12).
 */
export const requiredSections = defineCheck({
  name: 'required_sections',
  value: Value,
  expects: 'a list of 1 to 100 section names',
  describe: (names) => `Has the ${names.length === 1 ? 'section' : 'sections'} ${listed(names)}`,
  prepare:
    (names) =>
    (text): CheckFinding => {
      const byTitle = new Map<string, Heading>();
      for (const heading of listHeadings(text)) {
        const key = keyOf(heading.title);
        if (!byTitle.has(key)) byTitle.set(key, heading);
      }
      const missing = names.filter(
        (name) => !byTitle.has(keyOf(plainTitle(name.replace(/^#+\s*/, '')))),
      );
      const there = names.flatMap(
        (name) => byTitle.get(keyOf(plainTitle(name.replace(/^#+\s*/, '')))) ?? [],
      );
      const inOrder = [...new Set(there)].toSorted((a, b) => a.start - b.start);
      const reasoning =
        missing.length === 0
          ? `all ${names.length} sections are there`
          : `no heading says ${listed(missing)}`;
      return {
        value: (names.length - missing.length) / names.length,
        met: missing.length === 0,
        reasoning,
        evidence: evidenceAt(text, inOrder),
      };
    },
});

function keyOf(title: string): string {
  return title.normalize('NFKC').toLowerCase();
}
