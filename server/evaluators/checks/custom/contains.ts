import { z } from 'zod';
import { normalText } from '../../../domain';
import { type CheckFinding, listed } from '../check';
import { evidenceAt } from '../positions';
import { runWithin } from '../watchdog';
import {
  defineComparison,
  type FieldValue,
  type MemberProblem,
  type CustomCheck,
} from './definition';

/** Characters of text times characters of sought texts that are searched without a watchdog. */
const FREE_WORK = 100_000_000;
const TEXTS_MAX = 100;

const members = {
  any: z
    .boolean()
    .default(false)
    .describe('With a list: one of the texts is enough; otherwise all of them are needed.'),
  ignore_case: z.boolean().default(false).describe('Whether case is ignored.'),
};
const value = '`value` is a text, or a list of 1 to 100 texts.';

interface Sought {
  readonly there: readonly string[];
  readonly missing: readonly string[];
  readonly evidence: CheckFinding['evidence'];
}

function search({ text: given }: FieldValue, reference: FieldValue, ignoreCase: boolean): Sought {
  const { text, placesOf } = normalText(given);
  const fold = (part: string): string =>
    ignoreCase ? part.toLowerCase().normalize('NFC') : part.normalize('NFC');
  const folded = fold(text);
  const texts = textsOf(reference);
  const chars = texts.reduce((sum, part) => sum + part.length, 0);
  const find = (): number[] => texts.map((part) => folded.indexOf(fold(part)));
  const starts =
    chars * text.length > FREE_WORK ? runWithin(find, 'looking for the texts') : find();
  const isThere = (at: number): boolean => (starts[at] ?? -1) !== -1;
  const places = texts
    .map((part, at) => ({ start: starts[at] ?? -1, end: (starts[at] ?? -1) + fold(part).length }))
    .filter(({ start }) => start !== -1)
    .toSorted((a, b) => a.start - b.start);
  return {
    there: texts.filter((_, at) => isThere(at)),
    missing: texts.filter((_, at) => !isThere(at)),
    // Some letters are longer in lower case: positions then differ from those in the text.
    evidence: folded.length === text.length ? evidenceAt(given, placesOf(places)) : [],
  };
}

/** @throws Error if there are too many texts */
function textsOf({ value: sought, text }: FieldValue): readonly string[] {
  const isTexts = Array.isArray(sought) && sought.every((part) => typeof part === 'string');
  const texts = (isTexts ? (sought as string[]) : [text]).filter((part) => part !== '');
  if (texts.length > TEXTS_MAX)
    throw new Error(
      `there are ${texts.length} texts to look for; at most ${TEXTS_MAX} are allowed`,
    );
  return texts;
}

const nothing = { unscored: 'there is no text to look for: the reference is empty' };

function problemsOf(given: object): MemberProblem[] {
  const constant: unknown = 'value' in given ? given.value : undefined;
  if (constant === undefined) return [];
  const texts: readonly unknown[] = Array.isArray(constant) ? constant : [constant];
  const isUsable =
    texts.length > 0 &&
    texts.length <= TEXTS_MAX &&
    texts.every((text) => typeof text === 'string' && text !== '');
  return isUsable
    ? []
    : [{ path: ['value'], message: `must be a text, or a list of 1 to ${TEXTS_MAX} texts` }];
}

/** `contains`: the field contains the given texts, or the reference. */
export const contains: CustomCheck = defineComparison({
  name: 'contains',
  meaning:
    'The text contains `value`, or the reference. With a list, the value is the found share.',
  needs: 'a value at `field`; `value` or a reference',
  members,
  example: { value: ['refund', '14 days'], any: true, ignore_case: true },
  notes: [value],
  problems: problemsOf,
  title: (given) => titleOf('Contains', given),
  prepare:
    ({ any, ignore_case: ignoreCase }) =>
    (field, reference) => {
      const { there, missing, evidence } = search(field, reference, ignoreCase);
      if (there.length + missing.length === 0) return nothing;
      const all = there.length + missing.length;
      const met = any ? there.length > 0 : missing.length === 0;
      return {
        value: any ? (met ? 1 : 0) : there.length / all,
        met,
        reasoning: met ? `the text contains ${listed(there)}` : `missing: ${listed(missing)}`,
        evidence,
      };
    },
});

/** `not_contains`: the field contains none of the given texts. */
export const notContains: CustomCheck = defineComparison({
  name: 'not_contains',
  meaning: 'The text contains neither `value` nor, with a list, any of its texts.',
  needs: 'a value at `field`; `value` or a reference',
  members: { ignore_case: members.ignore_case },
  example: { value: ['guaranteed', 'risk-free'], ignore_case: true },
  notes: [value],
  problems: problemsOf,
  title: (given) => titleOf('Does not contain', given),
  prepare:
    ({ ignore_case: ignoreCase }) =>
    (field, reference) => {
      const { there, missing, evidence } = search(field, reference, ignoreCase);
      if (there.length + missing.length === 0) return nothing;
      const met = there.length === 0;
      return {
        value: met ? 1 : 0,
        met,
        reasoning: met ? 'the text contains none of them' : `the text contains ${listed(there)}`,
        evidence,
      };
    },
});

function titleOf(verb: string, given: object): string {
  const constant = 'value' in given ? given.value : undefined;
  if (constant === undefined) return `${verb} the reference`;
  const texts = Array.isArray(constant) ? constant : [constant];
  return `${verb} ${listed(texts.map((text) => (typeof text === 'string' ? text : JSON.stringify(text))))}`;
}
