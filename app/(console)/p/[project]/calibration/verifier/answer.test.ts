import { expect, test } from 'vitest';
import type { Measure } from '@/app/_trpc/outputs';
import { rate } from '@/server/domain';
import { type AnswerOf, answerText } from './answer';

const measure = (k: number, n: number): Measure => {
  const { state, ...numbers } = rate(k, n);
  return { ...numbers, state: state === 'measured' ? 'on_target' : state };
};
const since = new Date('2026-11-12T12:00:00Z');
const catches = 'Integrity catches 84.2% of bad work (95% interval 76.6–89.6%, 120 labels)';

test.each<[string, [number, number], [number, number], AnswerOf['trust'], string]>([
  [
    'trusted',
    [101, 120],
    [6, 200],
    { state: 'qualified', since, mayBlock: true },
    `${catches} and wrongly fails 3.0% of good work (95% interval 1.4–6.4%, 200 labels); trusted since 12 Nov 2026.`,
  ],
  [
    'of unknown trust',
    [101, 120],
    [6, 200],
    undefined,
    `${catches} and wrongly fails 3.0% of good work (95% interval 1.4–6.4%, 200 labels).`,
  ],
  [
    'stale',
    [101, 120],
    [1, 4],
    { state: 'stale', since, mayBlock: true },
    `${catches} and wrongly failed 1 of 4 labelled pieces of good work; no longer trusted since 12 Nov 2026.`,
  ],
  [
    'stale and enforced',
    [3, 4],
    [1, 5],
    { state: 'stale', since, mayBlock: false },
    'Integrity caught 3 of 4 labelled pieces of bad work and wrongly failed 1 of 5 labelled pieces of good work; no longer trusted since 12 Nov 2026, so it only advises.',
  ],
  [
    'labelled bad only',
    [101, 120],
    [0, 0],
    { state: 'provisional', since, mayBlock: true },
    `${catches}; its false rejections are unknown, because no good work is labelled; not trusted yet.`,
  ],
  [
    'labelled good only, and few',
    [0, 0],
    [1, 5],
    { state: 'provisional', since, mayBlock: false },
    'Integrity wrongly failed 1 of 5 labelled pieces of good work; its catch rate is unknown, because no bad work is labelled; not trusted yet, so it only advises.',
  ],
  [
    'without labels',
    [0, 0],
    [0, 0],
    { state: 'unmeasured', since: null, mayBlock: true },
    'No label in this period shows how often Integrity is right; not trusted yet.',
  ],
  [
    'without labels in the period, trusted by older ones',
    [0, 0],
    [0, 0],
    { state: 'qualified', since: null, mayBlock: true },
    'No label in this period shows how often Integrity is right; trusted.',
  ],
])(
  'the answer about a verifier that is %s',
  (_, [caught, bad], [rejected, good], trust, wanted) => {
    expect(
      answerText({
        name: 'Integrity',
        catchRate: measure(caught, bad),
        falseRejectionRate: measure(rejected, good),
        trust,
        locale: 'en-GB',
      }),
    ).toBe(wanted);
  },
);
