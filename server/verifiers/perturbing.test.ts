import { describe, expect, test } from 'vitest';
import { splitClaims } from '../evaluators/claims';
import { screenOutput } from '../evaluators/judges';
import { kinds } from './index';
import { emptyTexts, filler, swayingTexts } from './perturbing';

const perturbed = [...kinds].flatMap(([slug, kind]) =>
  kind.perturb === undefined ? [] : [[slug, kind, kind.perturb] as const],
);

const samples: Readonly<Record<string, unknown>> = {
  task: {
    success_criteria: ['Is clear', { check: 'keywords', value: ['disk'] }, 'Is short'],
    task_output: 'The disk is full.',
  },
  consistency: {
    outputs: [
      { task_id: 'a', output: 'The disk is full.' },
      { task_id: 'b', output: 'The disk is empty.' },
    ],
  },
  mission: {
    description: 'Clean up',
    tasks: [
      { task_id: 'a', output: 'Deleted the logs.' },
      { task_id: 'b', output: 'Wrote a report.' },
    ],
  },
  decomposition: {
    query: 'Clean up',
    decomposition: {
      goal: 'Clean up',
      subgoals: [
        { id: 'a', description: 'Find what is old', agent: 'x' },
        { id: 'b', description: 'Delete it', agent: 'x', depends_on: ['a'] },
      ],
      execution_order: [{ phase: 'sequential', subgoals: ['a', 'b'] }],
    },
    agents: [{ name: 'x' }, { name: 'y' }],
  },
  synthesis: {
    query: 'How full is it?',
    answer: 'The disk is half full.',
    agent_outputs: [
      { id: 'one', summary: 'The disk is half full.' },
      { id: 'two', summary: 'The fan runs.' },
    ],
  },
  turn: { messages: [{ role: 'user', content: 'Is it full?' }], completion: 'It is half full.' },
};

test('every kind that asks a judge about whole work can be perturbed', () => {
  expect(perturbed.map(([slug]) => slug).toSorted()).toEqual(Object.keys(samples).toSorted());
});

describe.each(perturbed)('calibration.md 5.8 %s', (slug, kind, perturb) => {
  const config = kind.config.parse({});
  const subject = kind.subject.parse(samples[slug]);

  test('a perturbed subject parses as a subject of the kind', () => {
    for (const changed of [perturb.reordered?.(subject), perturb.padded?.(subject, config)]) {
      if (changed === undefined) continue;
      expect(changed).not.toBeNull();
      expect(changed).not.toEqual(subject);
      expect(kind.subject.parse(JSON.parse(JSON.stringify(changed)))).toEqual(changed);
    }
  });

  test('reordering twice restores it, and padding adds only the filler', () => {
    const reordered = perturb.reordered?.(subject) ?? null;
    // A conversation has only one order.
    expect(reordered === null).toBe(slug === 'turn');
    expect(reordered === null ? subject : perturb.reordered?.(reordered)).toEqual(subject);
    const padded = perturb.padded?.(subject, config);
    const [before, after] = [
      perturb.judgedChars?.(subject) ?? 0,
      padded == null ? 0 : (perturb.judgedChars?.(padded) ?? 0),
    ];
    expect(before).toBeGreaterThan(0);
    expect((after - before) % filler.length).toBe(0);
    expect(after).toBeGreaterThan(before);
  });

  test('SOAR-37 S-26 S-27 each canary has a unique name and parses as a subject', () => {
    const canaries = perturb.canaries ?? [];
    expect(canaries.length).toBeGreaterThanOrEqual(5);
    expect(new Set(canaries.map(({ name }) => name)).size).toBe(canaries.length);
    expect(new Set(canaries.map(({ what }) => what)).size).toBe(canaries.length);
    for (const canary of canaries)
      expect(() => kind.subject.parse(canary.subject), canary.name).not.toThrow();
  });
});

test('the filler states nothing, and is not detected as an order or hidden text', () => {
  expect(splitClaims(filler)).toEqual([]);
  expect(screenOutput(`The disk is full.${filler}`)).toBeNull();
});

test('S-26 an empty text is decided without a judge, and one that tries to sway it is not', () => {
  for (const { name, text } of emptyTexts) expect(screenOutput(text), name).not.toBeNull();
  for (const { name, text } of swayingTexts('I did nothing.'))
    expect(screenOutput(text), name).toBeNull();
});

test.each([
  ['one criterion', { success_criteria: ['Is clear'], task_output: 'Full.' }, 'reordered'],
  [
    'the same criterion twice',
    { success_criteria: ['Is clear', 'Is clear'], task_output: 'Full.' },
    'reordered',
  ],
  [
    'an output that a check measures',
    { success_criteria: ['Is clear', { check: 'max_length', value: 100 }], task_output: 'Full.' },
    'padded',
  ],
  [
    'an output that would be cut off',
    { success_criteria: ['Is clear'], task_output: 'Full. '.repeat(2_000) },
    'padded',
  ],
  ['no output', { success_criteria: ['Is clear'], task_output: ' ' }, 'padded'],
] as const)('a task with %s has no form that is %s', (_title, sent, form) => {
  const kind = kinds.get('task');
  if (kind?.perturb === undefined) throw new Error('no task');
  const subject = kind.subject.parse(sent);
  expect(
    form === 'reordered'
      ? kind.perturb.reordered?.(subject)
      : kind.perturb.padded?.(subject, kind.config.parse({})),
  ).toBeNull();
});
