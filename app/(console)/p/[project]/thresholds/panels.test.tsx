import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Measure, SimulatedCandidate, Simulation } from '@/app/_trpc/outputs';
import { rate } from '@/server/domain';
import { ComparePanel } from './compare-panel';
import { FlipPanel } from './flip-panel';
import { OutcomePanel } from './outcome-panel';
import { ScoreSlider } from './score-slider';
import { SuggestionPanel } from './suggestion-panel';

const measure = (k: number, n: number): Measure => {
  const { state, ...numbers } = rate(k, n);
  return {
    ...numbers,
    numerator: k,
    denominator: n,
    state: state === 'no_data' || state === 'insufficient' ? state : 'on_target',
  };
};

const flip = {
  verdictId: 'ver_1',
  excerpt: '<b>web-1</b> is full',
  score: 0.65,
  before: { verdict: 'RETRY', outcome: 'needs_review' },
  after: { verdict: 'PASS', outcome: 'passed' },
  good: false,
  settledAt: new Date('2026-01-02T03:04:05Z'),
} as const;

const candidate = (over: Partial<SimulatedCandidate> = {}): SimulatedCandidate => ({
  value: 0.7,
  fault: null,
  flips: { total: 0, toPassed: 0, toFailed: 0, toReview: 0, better: 0, worse: 0, sample: [] },
  flipsOfAll: measure(0, 300),
  matrix: { caught: 40, missed: 10, rejected: 9, passed: 91 },
  catchRate: measure(40, 50),
  falsePositiveRate: measure(9, 150),
  falseRejectionRate: measure(9, 100),
  reviewLoad: measure(30, 150),
  cost: 139,
  ...over,
});

const simulation = (over: Partial<Simulation> = {}): Simulation => ({
  verifier: 'agent-output',
  key: 'pass_threshold',
  scope: { missionId: null, taskId: null },
  from: null,
  to: new Date('2026-01-03T00:00:00Z'),
  current: 0.7,
  labelled: 150,
  good: 100,
  bad: 50,
  looked: 300,
  unknown: 2,
  recorded: {
    catchRate: measure(31, 48),
    falsePositiveRate: measure(8, 148),
    falseRejectionRate: measure(8, 100),
  },
  base: candidate(),
  candidates: [
    candidate({
      value: 0.6,
      catchRate: measure(35, 50),
      falseRejectionRate: measure(3, 100),
      cost: 172.5,
      flips: {
        total: 32,
        toPassed: 32,
        toFailed: 0,
        toReview: 0,
        better: 21,
        worse: 11,
        sample: [flip],
      },
      flipsOfAll: measure(61, 300),
    }),
  ],
  suggestions: [],
  histogram: null,
  ...over,
});

const compare = (over?: Partial<Simulation>, isBehind = false): string =>
  renderToStaticMarkup(<ComparePanel simulation={simulation(over)} isBehind={isBehind} />);
const flips = (over?: Partial<Simulation>): string =>
  renderToStaticMarkup(
    <FlipPanel project="p" simulation={simulation(over)} isBehind={false} allHref="/all" />,
  );
const suggest = (over?: Partial<Simulation>, at = 0.7): string =>
  renderToStaticMarkup(
    <SuggestionPanel simulation={simulation(over)} candidate={at} onTry={() => undefined} />,
  );

test('SOAR-26 SOAR-27 both values are side by side, each rate with its interval and counts, and the number of changed verdicts', () => {
  const shown = compare();
  expect(shown).toContain('Current, 0.7');
  expect(shown).toContain('As decided');
  expect(shown).toContain('31/48');
  expect(shown).toContain('Candidate, 0.6');
  expect(shown).toContain('80.0% (67.0–88.8%)');
  expect(shown).toContain('70.0% (56.2–80.9%)');
  expect(shown).toContain('−5');
  expect(shown).toContain('+33.5');
  expect(shown).toContain('2 more were stored by a release without recomputation');
  expect(shown).not.toMatch(/false positive/i);
});

test('X-12 under 20 there are only counts, and of zero nothing is measured', () => {
  const few = compare({
    base: candidate({ catchRate: measure(3, 4), reviewLoad: measure(0, 0) }),
    candidates: [candidate()],
  });
  expect(few).toContain('3/4');
  expect(few).not.toContain('75.0%');
  // Two of the four rates also have no strip; three also show the original decisions.
  const strips = (shown: string): number => shown.split('<svg').length - 1;
  expect(strips(few)).toBe(5);
  expect(strips(compare({ candidates: [candidate()] }))).toBe(7);
  expect(few).toContain('unmeasured');
});

test('the current value, or an invalid one, has no comparison', () => {
  expect(compare({ candidates: [candidate()] })).not.toContain('Candidate,');
  const crossed = { candidates: [candidate({ value: 0.3, fault: 'pass below fail' })] };
  expect(compare(crossed)).not.toContain('Candidate,');
  expect(flips(crossed)).toContain('pass below fail');
  expect(flips({ candidates: [candidate()] })).toContain('None: 0.7 is the current value');
});

test('numbers of the previous value are marked until the next ones arrive', () => {
  expect(compare({}, true)).toContain('calculating');
  expect(compare({}, true)).toContain('aria-busy="true"');
});

test('X-1 flips are counted by target and effect, with verdicts to read', () => {
  const shown = flips();
  for (const part of [
    'would flip, of 150 labelled',
    'to passed',
    'become right',
    'become wrong',
    'The newest 1 of 32',
    '61',
    'All 32',
  ])
    expect(shown).toContain(part);
  expect(shown).toContain('href="/p/p/verdicts/ver_1"');
  expect(shown).toContain('becomes a missed failure');
  expect(shown).not.toContain('<b>');
});

test('SOAR-33 under 100 labelled subjects there is a note instead of a suggestion', () => {
  expect(suggest({ labelled: 99 })).toContain('Suggestions need at least 100 labelled verdicts');
  expect(suggest({ labelled: 150 })).toContain('no other value is better');
});

test('SOAR-34 a suggestion is a sentence with a button to try it; one without a value gives only the direction', () => {
  const suggestions = [
    {
      rule: 'least_cost',
      value: 0.62,
      direction: 'lower',
      why: 'At 0.62 they cost 98 instead of 139.',
    },
    {
      rule: 'false_positives',
      value: null,
      direction: 'lower',
      why: 'Many good subjects are rejected.',
    },
  ] as const;
  const shown = suggest({ suggestions: [...suggestions] });
  expect(shown).toContain('At 0.62 they cost 98 instead of 139.');
  expect(shown.match(/aria-label="Try /g)).toHaveLength(1);
  expect(suggest({ suggestions: [...suggestions] }, 0.62)).toContain('shown now');
});

test('the matrix of a value has its change from the current one, and both rates with their formulas', () => {
  const shown = renderToStaticMarkup(
    <OutcomePanel
      value={0.6}
      figures={candidate({
        value: 0.6,
        matrix: { caught: 35, missed: 12, rejected: 3, passed: 97 },
        catchRate: measure(35, 47),
        falseRejectionRate: measure(3, 100),
      })}
      base={candidate()}
      labelled={150}
    />,
  );
  expect(shown).toContain('At 0.6');
  expect(shown.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')).toContain(
    'Flagged 35 −5 caught 3 −6 false rejections Passed 12 +2 missed failures 97 +6 correct passes',
  );
  expect(shown).toContain('catch rate = caught ÷ (caught + missed failures) = 35/47');
  expect(shown).toContain('3.0% (1.0–8.5%)');
  expect(shown).toContain('3 more neither pass nor fail');
});

test('the slider covers the labelled scores, good and bad in a side each, and speaks its effect', () => {
  const slide = (histogram: Simulation['histogram'] | undefined): string =>
    renderToStaticMarkup(
      <ScoreSlider
        id="s"
        threshold={{ min: 0, max: 1 }}
        histogram={histogram}
        current={0.7}
        candidate={0.6}
        effect="catches 35 of 47 bad, rejects 3 of 100 good"
        onChange={() => undefined}
      />,
    );
  const shown = slide({ bins: [{ low: 0.6, high: 0.62, good: 8, bad: 4 }], unscored: 2 });
  expect(shown).toContain('aria-valuetext="0.6: catches 35 of 47 bad, rejects 3 of 100 good"');
  const bars = [...shown.matchAll(/<rect x="60%"[^>]*fill="([^"]*)"/g)].map(([, fill]) => fill);
  expect(bars).toEqual(['var(--color-pass)', 'var(--color-fail)']);
  expect(shown).toMatch(/8 labelled.*4 labelled/);
  expect(shown).toContain('2 without a score');
  // Without scores it is a plain slider. While loading, the plot's space is reserved.
  expect(slide(null)).not.toContain('range-line');
  expect(slide(undefined)).toContain('range-line');
});
