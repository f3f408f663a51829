import { expect, it } from 'vitest';
import { exampleBands, examplesText, exampleWarnings, PromptExample } from './prompt-example';

const example: PromptExample = {
  band: 'good',
  complexity: 'SIMPLE',
  query: 'q',
  decomposition: 'a [coder] Do a.',
  score: 0.9,
  reasoning: 'r',
};

it.each<[PromptExample['band'], readonly number[], readonly number[]]>([
  ['good', [0.9, 0.89999, 1], [0.8999, 0.7, 0]],
  ['mediocre', [0.6, 0.65, 0.7], [0.5999, 0.7001, 0.9, 0.5]],
  ['bad', [0, 0.4999], [0.5, 0.6, 1]],
])('SOAR-35 X-6 the band %s holds %j and not %j', (band, inside, outside) => {
  for (const score of inside)
    expect(PromptExample.safeParse({ ...example, band, score }).success, String(score)).toBe(true);
  for (const score of outside) {
    const { error } = PromptExample.safeParse({ ...example, band, score });
    expect(error?.issues).toMatchObject([
      { path: ['score'], message: expect.stringContaining(`band "${band}"`) as string },
    ]);
  }
});

it('SOAR-35 the gaps of a set are reported: each missing band, and other complexities', () => {
  const all = exampleBands.map(
    (band, i): PromptExample => ({ ...example, band, complexity: i === 0 ? 'SIMPLE' : 'COMPLEX' }),
  );
  expect(exampleWarnings(all)).toEqual([]);
  expect(exampleWarnings([])).toHaveLength(3);
  expect(exampleWarnings(all.slice(0, 2))).toEqual([
    expect.stringContaining('No example is bad (below 0.5)'),
  ]);
  expect(exampleWarnings(all.map((each) => ({ ...each, complexity: 'MEDIUM' as const })))).toEqual([
    expect.stringContaining('All examples are MEDIUM'),
  ]);
});

it('SOAR-35 a judge is shown each with its band, score and reasons', () => {
  expect(examplesText([])).toBe('None are given.');
  expect(examplesText([example, { ...example, band: 'bad', score: 0.2 }])).toContain(
    '### Example 2: bad, overall 0.2\n\nComplexity: SIMPLE\nQuery: q\n\na [coder] Do a.\n\nWhy it has 0.2: r',
  );
});
