import { z } from 'zod';
import type { Check } from '../check';
import { jsonSchema } from '../json-schema';
import { keywords } from '../keywords';
import { maxLength, minLength } from '../length';
import { regex } from '../regex';
import { requiredSections } from '../required-sections';
import { misspeltOptions } from '../run';
import { urlsValid } from '../urls-valid';
import { wordCount } from '../word-count';
import { defineFieldCheck, type MemberProblem, type CustomCheck } from './definition';

/** The checks of tasks, with the same `value`, on any field of the subject. */

function ofText(check: Check, meaning: string, value: unknown): CustomCheck {
  const { name, expects } = check;
  return defineFieldCheck({
    name,
    meaning,
    needs: 'a value at `field`',
    members: { value: z.unknown().optional().describe(`Must be ${expects}.`) },
    example: value === undefined ? {} : { value },
    problems: ({ value: given }) => problemsOf(check, given),
    title: ({ value: given }) => check.prepare(given).title,
    prepare: ({ value: given }) => {
      const { run } = check.prepare(given);
      return ({ text }) => run(text);
    },
  });
}

function problemsOf(check: Check, value: unknown): MemberProblem[] {
  const [misspelt] = misspeltOptions({ check: check.name, value });
  if (misspelt !== undefined)
    return [{ path: ['value', misspelt.path], message: misspelt.message }];
  if (!check.value.safeParse(value).success)
    return [
      value === undefined
        ? { path: ['value'], message: `is required and must be ${check.expects}` }
        : { path: ['value'], message: `must be ${check.expects}` },
    ];
  try {
    // Patterns and schemas are compiled by the first run.
    check.prepare(value).run('');
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ path: ['value'], message: `cannot be used: ${reason}` }];
  }
}

export const textChecks: readonly CustomCheck[] = [
  ofText(regex, 'The pattern (RE2) matches somewhere in the text; with `absent`, nowhere.', {
    pattern: 'order #\\d+',
    flags: 'i',
  }),
  ofText(
    keywords,
    'Each word occurs in the text, ignoring case. The value is the share that occurs.',
    ['refund', '14 days'],
  ),
  ofText(minLength, 'The text has at least this many characters.', 20),
  ofText(maxLength, 'The text has at most this many characters.', 2_000),
  ofText(wordCount, 'The number of words is in the range.', { min: 10, max: 200 }),
  ofText(
    requiredSections,
    'Each name is a heading of the Markdown text. The value is the share that is there.',
    ['Summary', 'Next steps'],
  ),
  ofText(jsonSchema, 'The value is JSON that the JSON Schema (drafts 06 to 2020-12) allows.', {
    type: 'object',
    required: ['status'],
  }),
  ofText(urlsValid, 'Each address in the text is well formed. Nothing is fetched.', undefined),
];
