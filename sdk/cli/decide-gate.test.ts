import { describe, expect, test } from 'vitest';
import type { Outcome, Verification } from '../client/turn';
import { decideGate, type GateRule, newestOfEach, percent } from './decide-gate';
import { describeFailure, describeVerdict } from './describe-verdict';
import { writeJunit } from './junit';
import { wilsonInterval } from './wilson';

function verdictOf(outcome: Outcome, at: number, more: Partial<Verification> = {}): Verification {
  return {
    id: `ver_${at}`,
    kind: 'integrity',
    verifier: 'integrity@1',
    state: 'settled',
    outcome,
    verdict: outcome === 'passed' ? 'sourced' : 'unsourced',
    action: 'none',
    score: 1,
    confidence: null,
    needs_human_review: false,
    issues: [],
    feedback: null,
    subject_id: `turn-${at}`,
    turn_id: `turn-${at}`,
    session_id: null,
    model: 'openai/gpt-4o',
    created_at: '2026-01-01T00:00:00.000Z',
    settled_at: '2026-01-01T00:00:01.250Z',
    url: `http://localhost:3000/p/x/verdicts/ver_${at}`,
    integrity: null,
    ...more,
  };
}

function verdicts(counts: Partial<Record<Outcome, number>>): Verification[] {
  return Object.entries(counts).flatMap(([outcome, n], kind) =>
    Array.from({ length: n }, (_, at) => verdictOf(outcome as Outcome, kind * 10_000 + at)),
  );
}

const rule: GateRule = {
  minPassRate: 0.9,
  minN: 20,
  confidence: 0.95,
  point: false,
  inconclusive: 'ignore',
};

test.each([
  [42, 50, 0.95, 0.7149, 0.9166],
  [15, 150, 0.95, 0.0615, 0.1584],
  [42, 57, 0.95, 0.6102, 0.8335],
  [0, 20, 0.95, 0, 0.1611],
  [20, 20, 0.95, 0.8389, 1],
  [0, 0, 0.95, 0, 1],
  [9, 10, 0.99, 0.4928, 0.9881],
])(
  "Wilson's interval of %i in %i at %d is %d to %d (calibration.md 5.1)",
  (passed, n, confidence, low, high) => {
    const interval = wilsonInterval(passed, n, confidence);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  },
);

describe('decideGate', () => {
  test.each([
    ['passes when the whole interval reaches the rate', { passed: 99, failed: 1 }, {}, 'passed'],
    ['fails when none of it does', { passed: 60, failed: 40 }, {}, 'failed'],
    ['cannot tell when the rate lies within', { passed: 95, failed: 5 }, {}, 'cannot_tell'],
    [
      'decides by the rate alone if the option says so',
      { passed: 95, failed: 5 },
      { point: true },
      'passed',
    ],
    ['decides by the rate alone, against', { passed: 89, failed: 11 }, { point: true }, 'failed'],
    [
      'a rate that is just reached is reached',
      { passed: 90, failed: 10 },
      { point: true },
      'passed',
    ],
    ['cannot tell with too few', { passed: 19 }, { minPassRate: 0.5 }, 'cannot_tell'],
    ['has enough at the minimum', { passed: 20 }, { minPassRate: 0.5 }, 'passed'],
    ['cannot tell with nothing', {}, { minN: 0 }, 'cannot_tell'],
    [
      'cannot tell with nothing that was decided',
      { inconclusive: 50, skipped: 50 },
      { minN: 0 },
      'cannot_tell',
    ],
    ['excludes inconclusive verdicts', { passed: 99, failed: 1, inconclusive: 900 }, {}, 'passed'],
    [
      'or counts it against',
      { passed: 99, failed: 1, inconclusive: 900 },
      { inconclusive: 'fail' },
      'failed',
    ],
    [
      'also verdicts that need review or were steered',
      { passed: 20, needs_review: 20, steered: 20 },
      { inconclusive: 'fail' },
      'failed',
    ],
    [
      'but never skipped verdicts',
      { passed: 99, skipped: 900 },
      { inconclusive: 'fail' },
      'passed',
    ],
  ] as [string, Partial<Record<Outcome, number>>, Partial<GateRule>, string][])(
    '%s',
    (_name, counts, more, result) => {
      expect(decideGate(verdicts(counts), 0, { ...rule, ...more }).result).toBe(result);
    },
  );

  test('X-3 a broken verifier is never a pass: inconclusive verdicts are in no numerator', () => {
    const decision = decideGate(verdicts({ passed: 30, inconclusive: 10 }), 0, {
      ...rule,
      inconclusive: 'fail',
    });
    expect(decision).toMatchObject({
      passed: 30,
      failed: 10,
      n: 40,
      passRate: 0.75,
      outcomes: { inconclusive: 10 },
    });
  });

  test('is undecided while a verdict is pending, regardless of the others', () => {
    expect(decideGate(verdicts({ passed: 1000 }), 1, rule)).toMatchObject({
      result: 'cannot_tell',
      reason: '1 verdicts are still pending',
    });
  });

  test('a subject counts once per verifier, by its newest verdict', () => {
    const old = { subject_id: 's', settled_at: '2026-01-01T00:00:00Z' };
    const late = { subject_id: 's', settled_at: '2026-01-02T00:00:00Z', verifier: 'integrity@2' };
    const list = [
      verdictOf('failed', 1, old),
      verdictOf('passed', 2, late),
      verdictOf('failed', 3, { ...old, verifier: 'task@1' }),
    ];
    expect(newestOfEach(list).map(({ id }) => id)).toEqual(['ver_2', 'ver_3']);
  });

  test.each([
    [0.9, '90%'],
    [0.95, '95%'],
    [0.9496, '94.9%'],
    [0.29, '29%'],
    [1, '100%'],
    [0.99999, '99.9%'],
  ])('%d is shown as %s', (rate, text) => expect(percent(rate)).toBe(text));
});

describe('the report', () => {
  const figures = [
    { text: '77 <GB>', start: 0, end: 7, kind: 'metric', sourced: false, source: null },
    {
      text: '91.4%',
      start: 9,
      end: 14,
      kind: 'percent',
      sourced: true,
      source: { id: 'tc1', path: 'x' },
    },
  ];
  const integrity = {
    mode: 'fallback_scan' as const,
    unsourced: 1,
    parse_ok: false,
    reprompt_used: false,
    figures,
    answer: '',
    sources_footer: '',
    reprompt: null,
  };
  const hostile = verdictOf('failed', 1, {
    turn_id: 'a"]]>&<\u0000\ud800\u001b[31m\n😀',
    integrity,
  });
  const listed = [
    hostile,
    verdictOf('passed', 2),
    verdictOf('skipped', 3),
    verdictOf('inconclusive', 4, { feedback: 'too long' }),
  ];

  test('is well-formed XML for any names', () => {
    const xml = writeJunit(listed, decideGate(listed, 0, { ...rule, minN: 1 }), rule);
    expect(xml).toContain(
      '<testcase classname="integrity@1" name="a&quot;]]&gt;&amp;&lt;\ufffd\ufffd\ufffd[31m&#10;😀" time="1.250"><failure message="no source for 77 &lt;GB&gt;" type="failed">',
    );
    expect(xml).toContain(
      '<testsuite name="assay gate" tests="5" failures="1" errors="1" skipped="2">',
    );
    expect(xml).toContain('<skipped message="inconclusive"/>');
    const tags = [...xml.matchAll(/<(\/?)([a-z]+)(?: [a-z]+="[^"<]*")*(\/?)>/g)].filter(
      ([, , , empty]) => empty === '',
    );
    const open: string[] = [];
    const crossed = tags.filter(([, closes = '', name = '']) =>
      closes === '' ? open.push(name) === 0 : open.pop() !== name,
    );
    const rest = xml.replace(/<\?xml[^?]*\?>|<\/?[a-z]+(?: [a-z]+="[^"<]*")*\/?>/g, '');
    expect(crossed).toEqual([]);
    expect(open).toEqual([]);
    expect(rest).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;|apos;|#\d+;)/);
  });

  test('counts inconclusive verdicts as the gate does', () => {
    const strict: GateRule = { ...rule, inconclusive: 'fail' };
    const xml = writeJunit(listed, decideGate(listed, 0, strict), strict);
    expect(xml).toContain('failures="2"');
    expect(xml).toContain('<failure message="inconclusive: too long" type="inconclusive">');
  });

  test('a line on a terminal moves no cursor', () => {
    expect(describeVerdict({ ...hostile, model: 'evil\u001b[2J\nmodel\u202e' })).toBe(
      '✗ failed        integrity@1   evil\ufffd[2J model\ufffd       1/2 sourced  http://localhost:3000/p/x/verdicts/ver_1',
    );
  });

  test.each([
    [{ integrity }, 'no source for 77 <GB>'],
    [
      { issues: [{ code: 'x', message: 'missing part', severity: 'high' as const, path: null }] },
      'missing part',
    ],
    [{ feedback: 'do it again' }, 'do it again'],
    [{ verdict: null }, 'no reason was given'],
  ])('describes the failure: %j', (more, text) =>
    expect(describeFailure(verdictOf('failed', 1, more))).toBe(text),
  );
});
