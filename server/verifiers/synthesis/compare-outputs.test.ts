import { describe, expect, test } from 'vitest';
import { compareOutputs } from './compare-outputs';
import { SynthesisSubject } from './subject';
import { traceClaims } from './trace-claims';

/**
 * Findings on imported agent runs without a judge: unused results, contradicted claims; none of
 * these is a verdict.
 */

function compare(
  answer: string,
  outputs: readonly object[],
  query = 'How is the migration going?',
) {
  const subject = SynthesisSubject.parse({ query, answer, agent_outputs: outputs });
  return compareOutputs(subject, traceClaims(subject));
}

const said = (id: string, summary: string) => ({ id, agent: 'tool', summary });

describe('SOAR-21 a contradicted claim', () => {
  test.each([
    ['another figure', 'The full migration takes 3 weeks.', 'The full migration takes 2 weeks.'],
    [
      'another amount',
      'The refund for the order is 45.50 EUR.',
      'The refund for the order is 54.50 EUR.',
    ],
    ['a date', 'The order was shipped on 3 May 2024.', 'The order was shipped on 5 May 2024.'],
    [
      'a negation in the output',
      'The ticket can be refunded in full.',
      'The ticket cannot be refunded in full.',
    ],
    [
      'a negation in the claim',
      'The host was not restored this night.',
      'The host was restored this night.',
    ],
    [
      'a short negation',
      'The host wasn’t restored this night.',
      'The host was restored this night.',
    ],
    ['German', 'Der Server wurde nicht neu gestartet.', 'Der Server wurde neu gestartet.'],
    [
      'French',
      'Le service est de nouveau disponible.',
      'Le service est pas de nouveau disponible.',
    ],
  ])('%s', (_what, claim, statement) => {
    expect(compare(claim, [said('o1', statement)]).contradicted).toMatchObject([
      { claim: 0, output: 'o1', statement },
    ]);
  });

  test.each([
    ['the same words', 'The full migration takes 2 weeks.', ['The full migration takes 2 weeks.']],
    [
      'two outputs, one of which agrees',
      'The full migration takes 2 weeks.',
      ['The full migration takes 3 weeks.', 'The full migration takes 2 weeks.'],
    ],
    ['other words', 'The full migration takes 3 weeks.', ['A whole migration took 2 weeks.']],
    ['too few words to know it again', 'It costs 3.', ['It costs 2.']],
    ['no output about it', 'The full migration takes 3 weeks.', ['The budget is spent.']],
  ])('is none with %s', (_what, claim, statements) => {
    expect(
      compare(
        claim,
        statements.map((text, i) => said(`o${i}`, text)),
      ).contradicted,
    ).toEqual([]);
  });

  test('text in the data of a tool counts, and each claim is compared', () => {
    const outputs = [
      {
        id: 'call-1',
        data: 'The order was shipped on 5 May 2024. The order weighs about 12 kg in total.',
      },
    ];
    const { contradicted } = compare(
      'The order was shipped on 3 May 2024. The order weighs about 14 kg in total.',
      outputs,
    );
    expect(contradicted.map(({ claim }) => claim)).toEqual([0, 1]);
  });
});

describe('SOAR-21 an unused output', () => {
  test.each([
    [
      'a result that the answer does not touch',
      { id: 'o', data: { temperature: 21.5, city: 'Ghent' } },
      ['o'],
    ],
    ['a figure of it stands in the answer', { id: 'o', data: { days: 14 } }, []],
    ['a word of it stands in the answer', said('o', 'Downtime is planned.'), []],
    ['it has only words of the query', said('o', 'migration going'), []],
    ['it is empty', { id: 'o', data: {} }, []],
    ['a word in another script', said('o', '停机'), ['o']],
  ])('%s', (_what, output, unused) => {
    expect(compare('It takes 14 days, with one downtime.', [output]).unused).toEqual(unused);
  });

  test('letters are the same composed and decomposed', () => {
    expect(
      compare('Das Café ist offen.'.normalize('NFD'), [said('o', 'Café'.normalize('NFC'))]).unused,
    ).toEqual([]);
  });
});

test('R-104 a large answer and large outputs are compared once', () => {
  const outputs = Array.from({ length: 100 }, (_, i) =>
    said(`o${i}`, `Host h${i} answers within ${i} ms today. `.repeat(50)),
  );
  const answer = Array.from(
    { length: 2_000 },
    (_, i) => `Host h${i % 100} answers within ${i} ms today. `,
  ).join('');
  expect(compare(answer, outputs).unused).toEqual([]);
});
