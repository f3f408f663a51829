import { describe, expect, it } from 'vitest';
import { type MatchedClaim, matchClaims, type TracedFigure } from './match';
import type { ClaimOutput } from './output';
import { splitClaims } from './split';
import { processorMs } from '../../../testing/processor-time';

interface Read {
  readonly from: number;
  readonly to: number;
  readonly value: string;
  readonly unit: string | null;
}

/** Plain numbers, as the figure evaluator reads them. */
const readFigures = (text: string): readonly Read[] =>
  Array.from(
    text.matchAll(/(?<![\p{L}\d_.-])\d+(?:\.\d+)?(?![\p{L}\d_])(%| GB| MB| hours)?/gu),
    ({ 0: whole, 1: unit, index }) => ({
      from: index,
      to: index + whole.length,
      value: String(Number.parseFloat(whole)),
      unit: unit?.trim() ?? null,
    }),
  );

const output = (summary: string, more: Partial<ClaimOutput> = {}): ClaimOutput => ({
  id: 'o1',
  agent: 'analyst',
  summary,
  data: null,
  ...more,
});

/** Traces a number to any summary that contains it. */
function match(
  answer: string,
  outputs: readonly ClaimOutput[],
  more: { readonly query?: string } = {},
): readonly MatchedClaim[] {
  const stated = outputs.flatMap(({ summary }) => readFigures(summary).map(({ value }) => value));
  const figures = readFigures(answer).map(
    ({ from, to, value, unit }): TracedFigure => ({
      from,
      to,
      unit,
      text: answer.slice(from, to),
      status: stated.includes(value) ? 'sourced' : 'unsourced',
      inQuery: readFigures(more.query ?? '').some((figure) => figure.value === value),
    }),
  );
  return matchClaims({
    answer,
    claims: splitClaims(answer),
    outputs,
    query: more.query ?? 'How is it?',
    figures,
  });
}

const stateOf = (
  answer: string,
  outputs: readonly ClaimOutput[],
  more?: Parameters<typeof match>[2],
): string =>
  match(answer, outputs, more).map((each) =>
    each.state === 'left' ? 'left' : `${each.state} by ${each.by}`,
  )[0] ?? 'no claim';

const disk = 'The disk of web-1 is 91.4% full since Monday.';

describe('SOAR-21 SOAR-24 a statement that an output makes', () => {
  it.each<readonly [string, string, string, string]>([
    ['in the same words', disk, disk, 'supported by figures'],
    [
      'without its stop, in bold',
      '**The disk of web-1 is 91.4% full since Monday**',
      `So it is. ${disk}`,
      'supported by figures',
    ],
    [
      'a figure that occurs nowhere',
      'The disk of web-1 is 48.2% full.',
      disk,
      'unsupported by figures',
    ],
    ['a count that stands nowhere', 'There are 517 hosts.', disk, 'unsupported by figures'],
    [
      'a count that may be written otherwise',
      'There are 5 hosts.',
      'There are five hosts.',
      'left',
    ],
    ['a time in another unit', 'It took 1.5 hours.', 'It took 90 minutes.', 'left'],
    [
      'digits that occur with another sign',
      'A loss of 517 million.',
      'The result is -517 million.',
      'left',
    ],
    [
      'a quotation that occurs nowhere',
      'It says “the disk is nearly empty now”.',
      disk,
      'unsupported by quote',
    ],
    ['a quotation that stands there', 'It says “the disk of web-1 is 91.4%”.', disk, 'left'],
    ['two words in quotation marks', 'The “big disk” is 91.4% full.', disk, 'left'],
    [
      'a quotation across two sentences',
      'It says “is down the backup works”.',
      'It is down. The backup works.',
      'left',
    ],
    ['most of the words in a row', 'The disk of web-1 is 91.4% full.', disk, 'left'],
    [
      'another small word',
      'The stake in Acme of Globex rose.',
      'The stake of Acme in Globex rose.',
      'left',
    ],
    ['another letter', 'Vitamin E lowers the risk.', 'Vitamin A lowers the risk.', 'left'],
    ['another sign', 'The service is written in C#.', 'The service is written in C++.', 'left'],
    ['another case', 'The WHO met.', 'The who met.', 'left'],
    [
      'a denial',
      'The server accepted the new key.',
      'It is a lie that the server accepted the new key.',
      'left',
    ],
    [
      'a doubt',
      'The server accepted the new key.',
      'Bob doubts the server accepted the new key.',
      'left',
    ],
    ['a bound', '40 hosts run it.', 'Fewer than 40 hosts run it.', 'left'],
    ['a quantifier', 'The hosts in Berlin passed.', 'Few of the hosts in Berlin passed.', 'left'],
    [
      'a tail',
      'The build passed on every platform.',
      'The build passed on every platform excluding Windows.',
      'left',
    ],
    ['a question', 'The server accepted the new key.', 'The server accepted the new key?', 'left'],
    [
      'a label',
      'The server accepted the new key.',
      'Rumours:\n- The server accepted the new key.',
      'left',
    ],
    [
      'an introduction',
      'The server accepted the new key.',
      'This is false:\n\nThe server accepted the new key.',
      'left',
    ],
    [
      'a figure in brackets that is not there',
      'The company laid off [900] staff.',
      'The company laid off staff.',
      'unsupported by figures',
    ],
  ])('%s', (_title, answer, summary, expected) => {
    expect(stateOf(answer, [output(summary)])).toBe(expected);
  });

  it('figures and quotations of the query are left to a judge: they are not invented', () => {
    expect(
      stateOf('For 317 hosts the disk is full.', [output(disk)], {
        query: 'Are the 317 hosts fine?',
      }),
    ).toBe('left');
    expect(
      stateOf('On “is the disk of mine full” nothing was found.', [output(disk)], {
        query: 'Is the disk of mine full?',
      }),
    ).toBe('left');
  });

  it('a claim lists the outputs that support it, with positions', () => {
    const outputs = [output('Nothing.'), output(`It is so. ${disk}`, { id: 'o2' })];
    expect(match(disk, outputs)).toEqual([
      {
        state: 'supported',
        by: 'figures',
        places: [{ index: 1, start: 10, end: 10 + disk.length }],
      },
    ]);
  });

  it('a cited output must support the claim', () => {
    const outputs = [output(disk), output('Nothing.', { id: 'o2' })];
    expect(stateOf('The disk of web-1 is 91.4% full since Monday [o1].', outputs)).toBe(
      'supported by figures',
    );
    expect(stateOf('The disk of web-1 is 91.4% full since Monday [o2].', outputs)).toBe('left');
  });

  it('data alone supports nothing without a judge, and its texts are not inventions', () => {
    const data = {
      not_approved_by: 'Alice',
      note: 'Mia called. The user asked for a refund of the second flight.',
    };
    for (const each of [data, JSON.stringify(data)]) {
      expect(stateOf('Approved by Alice.', [output('', { data: each })])).toBe('left');
      expect(stateOf('It says “the user asked for a refund”.', [output('', { data: each })])).toBe(
        'left',
      );
      expect(
        stateOf('It says “the user asked for a new seat”.', [output('', { data: each })]),
      ).toBe('unsupported by quote');
    }
  });
});

describe("SOAR-24 an agent's name is not support", () => {
  const agents = [
    output('The build passed on every platform.', { agent: 'code-analyzer', id: 'build' }),
    output('', { agent: 'billing' }),
  ];
  it.each([
    ['a name and nothing else', 'According to code-analyzer.', 'unsupported by text'],
    ['a name that says so', 'The code-analyzer reports this.', 'unsupported by text'],
    [
      'a name with a statement',
      'According to code-analyzer, the build passed on every platform.',
      'left',
    ],
    ['a name in place of another', 'The billing build passed on every platform.', 'left'],
    [
      'a citation of the output',
      'The build passed on every platform [build].',
      'supported by text',
    ],
    ['a citation of anything', 'The release is blocked [build].', 'left'],
  ])('SOAR-24 %s', (_title, answer, expected) => {
    expect(stateOf(answer, agents)).toBe(expected);
  });
});

describe('R-102 matching is bounded', () => {
  it('R-102 5,000 claims against 50 outputs', () => {
    const answer = Array.from(
      { length: 5_000 },
      (_, i) => `Host h${i} has a load of ${i % 97} and belongs to group g${i % 50}.`,
    ).join(' ');
    const outputs = Array.from({ length: 50 }, (_, k) =>
      output(
        Array.from(
          { length: 100 },
          (_, i) =>
            `Host h${k * 100 + i} has a load of ${(k * 100 + i) % 97} and belongs to group g${i % 50}.`,
        ).join(' '),
        {
          id: `o${k}`,
          agent: `agent ${k}`,
          data: Array.from({ length: 40 }, (_, i) => ({
            host: `h${i}`,
            load: i,
            tags: ['a', 'b'],
          })),
        },
      ),
    );
    expect(processorMs(() => match(answer, outputs))).toBeLessThan(8_000);
  }, 30_000);

  it.each([
    ['one word', 'a '],
    ['sentences of one word', 'a. '],
    ['quotations', '“a a a a a” '],
    ['figures', '7 '],
  ])(
    'R-102 repetitive input: %s',
    (_title, piece) => {
      const answer = `${piece.repeat(20_000)}. `.repeat(3);
      const claims = splitClaims(answer).slice(0, 5_000);
      const outputs = Array.from({ length: 20 }, (_, i) =>
        output(piece.repeat(10_000), { id: `o${i}`, agent: 'a' }),
      );
      expect(
        processorMs(() => matchClaims({ answer, claims, outputs, query: 'a', figures: [] })),
      ).toBeLessThan(8_000);
    },
    30_000,
  );
});
