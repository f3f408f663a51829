import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseCount } from '../../../testing/case-count';
import { listPlaceholders, subjectMembers, subjectTargets } from '../../domain';
import { JudgeConfig, judgeKind } from './index';
import { JudgeDefinition } from './definition';

const definition = (judge: object = {}, more: object = {}) => ({
  name: 'Refund policy',
  mapping: { policy: '$.context[0].content' },
  judge: { output: { type: 'boolean' }, prompt: 'Policy: {{policy}}\n{{output}}', ...judge },
  ...more,
});

const faults = (value: unknown): string[] =>
  (JudgeDefinition.safeParse(value).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

describe('a definition', () => {
  it('has defaults, and is stored with the slug of its prompt', () => {
    const read = JudgeDefinition.parse(definition());
    expect(read.judge).toMatchObject({
      model: null,
      fallbacks: [],
      jury: [],
      votes: 1,
      criteria: [],
      examples: 0,
    });
    const stored = { ...read, judge: { ...read.judge, prompt: 'refund-policy' } };
    expect(JudgeConfig.parse(stored)).toEqual(stored);
    expect(JudgeConfig.safeParse(read).success).toBe(false);
    expect(judgeKind.promptSlugs(undefined as never, JudgeConfig.parse(stored))).toEqual([
      'refund-policy',
    ]);
  });

  it.each<[string, object, string]>([
    ['no votes', { votes: 0 }, 'judge.votes'],
    ['ten votes', { votes: 10 }, 'judge.votes'],
    ['half a vote', { votes: 1.5 }, 'judge.votes'],
    ['thirteen examples', { examples: 13 }, 'judge.examples'],
    ['a model that is none', { model: 'a model' }, 'judge.model'],
    ['a model twice', { fallbacks: ['a:b', 'a:b'] }, 'judge.fallbacks'],
    ['fallbacks and a jury', { fallbacks: ['a:b'], jury: ['a:c'] }, 'judge.fallbacks'],
    ['an empty prompt', { prompt: ' \n' }, 'judge.prompt'],
    ['a huge prompt', { prompt: `{{output}}${'x'.repeat(50_000)}` }, 'judge.prompt'],
    ['an unknown member', { temperature: 1 }, 'judge'],
    [
      'two criteria of one name',
      {
        criteria: [
          { name: 'a', text: 'b' },
          { name: 'a', text: 'c' },
        ],
      },
      'judge.criteria.1.name',
    ],
    [
      'criteria without weight',
      { criteria: [{ name: 'a', text: 'b', weight: 0 }] },
      'judge.criteria',
    ],
    ['an empty criterion', { criteria: [{ name: 'a', text: '\u00a0' }] }, 'judge.criteria.0.text'],
    ['no output', { output: undefined }, 'judge.output'],
  ])('refuses %s', (_name, judge, path) => {
    expect(faults(definition(judge)).map((each) => each.split(':')[0])).toContain(path);
  });

  it.each(['format', 'examples', 'criteria'])('refuses a variable named %s', (name) => {
    expect(
      faults(definition({}, { mapping: { policy: { value: 1 }, [name]: { value: 1 } } })),
    ).toEqual([`mapping.${name}: is filled in by the judge itself; rename the variable`]);
  });
});

describe('a prompt', () => {
  it.each<[string, string]>([
    ['{{polcy}} {{output}}', 'did you mean {{policy}}?'],
    ['{{outputs}}', 'did you mean {{output}}?'],
    ['{{ output }}', 'without spaces, as {{output}}'],
    ['{{output}} {{#if x}}', 'neither a variable of the mapping nor a member of the subject'],
    ['{{Tariff}} {{output}}', 'rename the variable in the mapping'],
    [
      'Is it good?',
      'shows nothing of the subject to the judge: add a placeholder such as {{output}}',
    ],
    ['Is it good? {{format}} {{examples}}', 'shows nothing of the subject'],
  ])('%s is refused with the fix', (prompt, fix) => {
    const [fault = '', ...others] = faults(
      definition({ prompt }, { mapping: { policy: '$.output', Tariff: '$.output' } }),
    );
    expect(others).toEqual([]);
    expect(fault).toMatch(/^judge\.prompt: /);
    expect(fault).toContain(fix);
  });

  it('a member that only other targets have is unknown', () => {
    const turns = definition({ prompt: '{{turns}}' }, { targets: ['turn'] });
    expect(faults(turns)).toHaveLength(1);
    expect(faults({ ...turns, targets: ['session'] })).toEqual([]);
  });

  it('is accepted exactly if every placeholder is known and one is of the subject', () => {
    const members = [...new Set(subjectTargets.flatMap((each) => subjectMembers[each]))];
    const known = new Set([...members, 'subject', 'policy', 'format', 'examples', 'criteria']);
    const ofSubject = new Set([...members, 'subject', 'policy']);
    const name = fc.oneof(
      fc.constantFrom(...known),
      fc.constantFrom('outptu', 'x', 'nobody', 'polic'),
    );
    const piece = fc.oneof(
      name.map((each) => `{{${each}}}`),
      fc.string({ maxLength: 10 }).map((text) => text.replaceAll(/[{}]/g, '')),
    );
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
        const prompt = `Judge. ${pieces.join(' ')}`;
        const used = listPlaceholders(prompt);
        const isGood = used.every((each) => known.has(each)) && used.some((e) => ofSubject.has(e));
        expect(JudgeDefinition.safeParse(definition({ prompt })).success).toBe(isGood);
      }),
      { numRuns: caseCount(2_000) },
    );
  });
});

it('the judges of a definition replace those of the project only if it names any', () => {
  const judgesOf = (judge: object) =>
    judgeKind.judgesOf?.(JudgeConfig.parse(definition({ prompt: 'p', ...judge })));
  expect(judgesOf({})).toBeNull();
  expect(judgesOf({ jury: ['a:b'] })).toEqual({ model: null, fallbacks: [], jury: ['a:b'] });
  expect(judgesOf({ model: 'a:b?temperature=0' })).toEqual({
    model: 'a:b?temperature=0',
    fallbacks: [],
    jury: [],
  });
});
