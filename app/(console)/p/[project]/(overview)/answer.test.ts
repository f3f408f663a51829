import { describe, expect, test } from 'vitest';
import { type AnswerFacts, answerOf, type Fall, nextStepOf } from './answer';

const from = new Date('2026-11-23T00:00:00Z');

const facts: AnswerFacts = {
  project: 'p',
  days: 7,
  from,
  passed: 714,
  decided: 940,
  weight: 1,
  verifiers: [],
  falls: null,
  locale: 'en-GB',
};

const fall = (part: string | null, value: number | null, verifier = 'task'): Fall => ({
  findingId: `alr_${part}`,
  verifier,
  part,
  since: new Date('2026-11-10T00:00:00Z'),
  now: { numerator: 168, denominator: 350 },
  before: { numerator: 1292, denominator: 1700 },
  difference: value === null ? null : { value, low: value - 0.05, high: value + 0.05 },
  href: `/verdicts?verifier=${verifier}&outcome=failed`,
  changes: [],
});

const trusted = (
  ...states: AnswerFacts['verifiers'][number]['state'][]
): AnswerFacts['verifiers'] =>
  states.map((state, at) => ({
    verifier: ['integrity', 'task', 'code', 'plan'][at] ?? `v${at}`,
    state,
  }));

describe('the answer', () => {
  test.each<[string, Partial<AnswerFacts>, string]>([
    ['nothing yet', { passed: 0, decided: 0 }, 'Nothing passed or failed in the last 7 days.'],
    ['nothing today', { days: 1, passed: 0, decided: 0 }, 'Nothing passed or failed today.'],
    ['one verdict', { passed: 1, decided: 1 }, '1 of 1 verdict passed, too few for a rate.'],
    ['under 20', { passed: 3, decided: 19 }, '3 of 19 verdicts passed, too few for a rate.'],
    ['a rate', {}, '76% of 940 verdicts passed (73 to 79%).'],
    ['sessions widen the interval', { weight: 0.25 }, '76% of 940 verdicts passed (70 to 81%).'],
    ['all', { passed: 940 }, '100% of 940 verdicts passed (99.6 to 100%).'],
    ['all but one', { passed: 939 }, '99.9% of 940 verdicts passed (99 to 99.9%).'],
    ['none passed', { passed: 0 }, '0% of 940 verdicts passed (0 to 0.4%).'],
    [
      'one verifier',
      { verifiers: trusted('qualified') },
      '76% of 940 verdicts passed (73 to 79%); integrity is qualified.',
    ],
    [
      'each in its state, the best first',
      { verifiers: trusted('stale', 'qualified') },
      '76% of 940 verdicts passed (73 to 79%); task is qualified, integrity is stale.',
    ],
    [
      'two of one state',
      { verifiers: trusted('unmeasured', 'qualified', 'unmeasured') },
      '76% of 940 verdicts passed (73 to 79%); task is qualified, integrity and code are unmeasured.',
    ],
    [
      'all qualified',
      { verifiers: trusted('qualified', 'qualified', 'qualified') },
      '76% of 940 verdicts passed (73 to 79%); all 3 verifiers are qualified.',
    ],
    [
      'many',
      { verifiers: trusted('qualified', 'stale', 'qualified', 'unmeasured') },
      '76% of 940 verdicts passed (73 to 79%); integrity and code are qualified, 2 other verifiers are not.',
    ],
    [
      'many, most qualified',
      { verifiers: trusted('qualified', 'stale', 'qualified', 'qualified') },
      '76% of 940 verdicts passed (73 to 79%); 3 of 4 verifiers are qualified.',
    ],
    [
      'many, none qualified',
      { verifiers: trusted('stale', 'stale', 'provisional', 'unmeasured') },
      '76% of 940 verdicts passed (73 to 79%); none of 4 verifiers is qualified.',
    ],
    [
      'no fall',
      { falls: [] },
      '76% of 940 verdicts passed (73 to 79%); no pass rate fell significantly.',
    ],
    [
      'one fall',
      { falls: [fall('ops-small', -0.28)] },
      '76% of 940 verdicts passed (73 to 79%); ops-small fell 28 points on task since 10 Nov.',
    ],
    [
      'two verifiers fell on the same work at about the same time',
      { falls: [fall('ops-small', -0.28), fall('ops-small', -0.12, 'integrity')] },
      '76% of 940 verdicts passed (73 to 79%); ops-small fell 28 points on task and 12 points on integrity since 10 Nov.',
    ],
    [
      'three verifiers, one of them with too few verdicts to compare',
      {
        falls: [
          fall('ops-small', -0.28),
          fall('ops-small', null, 'code'),
          fall('ops-small', -0.12, 'integrity'),
          fall('ops-large', -0.12),
        ],
      },
      '76% of 940 verdicts passed (73 to 79%); ops-small fell 28 points on task and on 2 other verifiers since 10 Nov, ops-large fell 12 points on task since 10 Nov.',
    ],
    [
      'the same work weeks later',
      {
        falls: [
          fall('ops-small', -0.28),
          { ...fall('ops-small', -0.12, 'integrity'), since: new Date('2026-11-13T00:00:00Z') },
        ],
      },
      '76% of 940 verdicts passed (73 to 79%); ops-small fell 28 points on task since 10 Nov, ops-small fell 12 points on integrity since 13 Nov.',
    ],
    [
      'no model named, too few to compare',
      { falls: [fall(null, null)] },
      '76% of 940 verdicts passed (73 to 79%); task fell since 10 Nov.',
    ],
    [
      'several falls, after the trust',
      {
        verifiers: trusted('qualified'),
        falls: [fall('a', -0.28), fall('b', -0.012), fall('c', -0.01), fall('d', -0.01)],
      },
      '76% of 940 verdicts passed (73 to 79%); integrity is qualified; a fell 28 points on task since 10 Nov, b fell 1 point on task since 10 Nov, 2 more fell.',
    ],
  ])('%s', (_, some, sentence) => {
    expect(
      answerOf({ ...facts, ...some })
        .map(({ text }) => text)
        .join(''),
    ).toBe(sentence);
  });

  test('every part but the separators leads to its rows', () => {
    const parts = answerOf({
      ...facts,
      verifiers: trusted('qualified', 'stale'),
      falls: [fall('ops-small', -0.28)],
    });
    expect(parts.filter(({ text }) => /\w/.test(text)).map(({ href }) => href)).toEqual([
      '/p/p/verdicts?outcome=passed,failed&from=2026-11-23T00:00:00.000Z',
      '/p/p/verifiers/integrity#trust',
      '/p/p/verifiers/task#trust',
      '/p/p/verdicts?verifier=task&outcome=failed',
    ]);
  });
});

describe('the next step', () => {
  const finding = {
    kind: 'drift',
    name: 'Task',
    href: '/calibration',
    acknowledged: null,
  } as const;
  const acknowledged = { by: 'a', at: from, reason: null };
  const stale = trusted('qualified', 'stale');
  test.each<[string, Parameters<typeof nextStepOf>, string | null]>([
    [
      'a fall comes first',
      [{ project: 'p', locale: 'en-GB', falls: [fall('m', -0.2)], verifiers: stale }, [finding], 3],
      'Read the failed verdicts of m since 10 Nov',
    ],
    [
      'then another finding',
      [{ project: 'p', locale: 'en-GB', falls: [], verifiers: stale }, [finding], 3],
      'Investigate Drift: Task',
    ],
    [
      'unless it is acknowledged: then reviews',
      [
        { project: 'p', locale: 'en-GB', falls: null, verifiers: stale },
        [{ ...finding, acknowledged }],
        3,
      ],
      'Review 3 open items',
    ],
    [
      'then labels',
      [{ project: 'p', locale: 'en-GB', falls: [], verifiers: stale }, [], 0],
      'Label verdicts of task, which is stale',
    ],
    [
      'else nothing',
      [{ project: 'p', locale: 'en-GB', falls: [], verifiers: trusted('qualified') }, [], 0],
      null,
    ],
  ])('%s', (_, input, text) => {
    expect(nextStepOf(...input)?.text ?? null).toBe(text);
  });
});
