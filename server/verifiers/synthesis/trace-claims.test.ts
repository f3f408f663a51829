import { describe, expect, it } from 'vitest';
import { SynthesisSubject } from './subject';
import { readGiven, traceClaims } from './trace-claims';
import { processorMs } from '../../../testing/processor-time';

const subjectOf = (
  answer: string,
  agent_outputs: readonly object[],
  more: object = {},
): SynthesisSubject =>
  SynthesisSubject.parse({ query: 'How is it?', answer, agent_outputs, ...more });

describe('SOAR-21 figures of claims, by the figure evaluator', () => {
  const outputs = [
    {
      id: 'o1',
      agent: 'monitor',
      summary: 'The disk of web-1 is 91.4% full. Revenue was $1,200 in May.',
      data: { rows: [{ host: 'web-1', disk_pct: 91.4 }] },
    },
  ];
  it.each([
    ['as in the summary', 'The disk of web-1 is 91.4% full.', 'supported'],
    ['written in another way', 'Revenue was 1200 dollars in May.', 'undecided'],
    ['that stands nowhere', 'The disk of web-1 is 91.5% full.', 'unsupported'],
    [
      'one of them in no output',
      'The disk of web-1 is 91.4% full and 17 hosts are down.',
      'unsupported',
    ],
    ['in data', 'The disk_pct of host web-1 is 91.4.', 'undecided'],
  ])('SOAR-21 a figure %s: %s is %s', (_title, answer, state) => {
    expect(traceClaims(subjectOf(answer, outputs)).map(({ claim }) => claim.state)).toEqual([
      state,
    ]);
  });

  it('places are code points, in the answer and in summaries', () => {
    const answer = '😀 It is blue. The disk of web-1 is 91.4% full.';
    const [, second] = traceClaims(
      subjectOf(answer, [
        { id: 'o1', agent: 'm', summary: '😀 All of it. The disk of web-1 is 91.4% full.' },
      ]),
    );
    expect(second?.claim).toMatchObject({ start: 14, end: 46, state: 'supported' });
    expect(Array.from(answer).slice(14, 46).join('')).toBe(second?.claim.text);
    expect(second?.evidence.map(({ ref }) => ref)).toEqual(['answer:14-46', 'o1:13-45']);
  });

  it('an output without figures or text supports nothing', () => {
    expect(
      traceClaims(subjectOf('It is 517.', [{ id: 'o1' }])).map(({ claim }) => claim),
    ).toMatchObject([{ state: 'unsupported', by: 'figures' }]);
  });
});

describe('R-102 hostile texts', () => {
  const outputs = Array.from({ length: 50 }, (_, k) => ({
    id: `o${k}`,
    agent: `agent-${k}`,
    summary: Array.from(
      { length: 100 },
      (_each, i) =>
        `Host h${k * 100 + i} has a load of ${(k * 100 + i) % 97} percent in zone ${k}.`,
    ).join(' '),
    data: Array.from({ length: 40 }, (_each, i) => ({ host: `h${k * 40 + i}`, load: i, zone: k })),
  }));

  it('R-102 5,000 claims with figures against 50 outputs', () => {
    const answer = Array.from(
      { length: 5_000 },
      (_, i) => `Host h${i} has a load of ${i % 97} percent in zone ${Math.floor(i / 100)}.`,
    ).join(' ');
    let found: ReturnType<typeof traceClaims> = [];
    expect(processorMs(() => (found = traceClaims(subjectOf(answer, outputs))))).toBeLessThan(
      25_000,
    );
    expect(found).toHaveLength(5_000);
  }, 60_000);

  it.each(['a', '"', '. ', '- a ', 'o1 '])(
    'R-102 a megabyte of %j',
    (piece) => {
      const answer = piece.repeat(1_048_576 / piece.length);
      expect(processorMs(() => traceClaims(subjectOf(answer, outputs)))).toBeLessThan(10_000);
    },
    30_000,
  );

  it('R-102 submitted claims that occur nowhere', () => {
    const claims = Array.from({ length: 5_000 }, (_, i) => ({
      text: `${'a'.repeat(50)} ${i}`,
      supported_by: ['o1'],
    }));
    const subject = subjectOf('a'.repeat(1_048_576), outputs, { claims });
    expect(processorMs(() => readGiven(subject))).toBeLessThan(5_000);
  }, 30_000);
});
