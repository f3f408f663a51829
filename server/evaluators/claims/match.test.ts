import { describe, expect, it } from 'vitest';
import { type MatchedClaim, matchClaims, type TracedFigure } from './match';
import type { ClaimOutput } from './output';
import { splitClaims } from './split';
import type { ReadFigure } from './words';

/** Plain numbers, as the figure evaluator would read them. */
const readFigures = (text: string): readonly ReadFigure[] =>
  Array.from(text.matchAll(/(?<![\p{L}\d_.-])\d+(?:\.\d+)?(?![\p{L}\d_])(%| GB| MB)?/gu), ({ 0: whole, 1: unit, index }) => ({
    from: index,
    to: index + whole.length,
    value: String(Number.parseFloat(whole)),
    unit: unit?.trim() ?? null,
  }));

const output = (summary: string, more: Partial<ClaimOutput> = {}): ClaimOutput => ({
  id: 'o1',
  agent: 'analyst',
  summary,
  data: null,
  ...more,
});

/** Traces a number to any summary that has it, or to a path of the data that is named. */
function match(
  answer: string,
  outputs: readonly ClaimOutput[],
  more: { readonly query?: string; readonly path?: string } = {},
): readonly MatchedClaim[] {
  const said = outputs.flatMap(({ summary }) => readFigures(summary).map(({ value }) => value));
  const figures = readFigures(answer).map((figure): TracedFigure => {
    const isThere = said.includes(figure.value) || more.path !== undefined;
    return {
      ...figure,
      text: answer.slice(figure.from, figure.to),
      status: isThere ? 'sourced' : 'unsourced',
      place: more.path === undefined ? null : { index: 0, path: more.path },
      asked: readFigures(more.query ?? '').some(({ value }) => value === figure.value),
    };
  });
  return matchClaims({ answer, claims: splitClaims(answer), outputs, query: more.query ?? 'How is it?', figures, readFigures });
}

const stateOf = (answer: string, outputs: readonly ClaimOutput[], more?: Parameters<typeof match>[2]): string =>
  match(answer, outputs, more).map((each) => (each.state === 'left' ? 'left' : `${each.state} by ${each.by}`))[0] ?? 'no claim';

const disk = 'The disk of web-1 is 91.4% full since Monday.';

describe('SOAR-21 SOAR-24 claims against prose', () => {
  it.each<readonly [string, string, string, string]>([
    ['the same words', 'The disk of web-1 is 91.4% full since Monday.', disk, 'supported by figures'],
    ['most of the words in a row', 'The disk of web-1 is 91.4% full.', disk, 'supported by figures'],
    ['other small words, case and plural', 'DISKS of Web-1 are 91.4% full.', disk, 'supported by figures'],
    ['a figure that stands nowhere', 'The disk of web-1 is 48.2% full.', disk, 'unsupported by figures'],
    ['words in another order', 'Web-1 is 91.4% full of disk.', disk, 'left'],
    ['another unit', 'The disk holds 5 MB of logs today.', 'The disk holds 5 GB of logs today.', 'left'],
    ['a denial of it', 'The disk of web-1 is not 91.4% full since Monday.', disk, 'left'],
    ['what is denied there', 'The server accepted the new key.', 'The server has not accepted the new key.', 'left'],
    ['what is only possible there', 'The server accepted the new key.', 'The server might have accepted the new key.', 'left'],
    ['what somebody merely thinks', 'The server accepted the new key.', 'Bob believes the server accepted the new key.', 'left'],
    ['another time', 'The server was up on every site.', 'The server is up on every site.', 'left'],
    ['above for below', 'The load of web-1 is above the limit.', 'The load of web-1 is below the limit.', 'left'],
    ['another thing of the trade', 'The report is deleted.', 'The tool is deleted.', 'left'],
    ['what is only asked there', 'The server accepted the new key.', 'The server accepted the new key?', 'left'],
    [
      'what holds on a condition there',
      'The backup of the main database fails at night.',
      'When the backup of the main database fails at night the server stops.',
      'left',
    ],
    ['a denial that moved', 'Alpha is not up and beta is up today.', 'Alpha is up and beta is not up today.', 'left'],
    ['two that changed places', 'Alice approved the budget and Bob refused it.', 'Bob approved the budget and Alice refused it.', 'left'],
    [
      'a word between that matters',
      'Alice approved the budget of the project.',
      'Alice said Bob approved the budget of the project.',
      'left',
    ],
    [
      'a few words of a long sentence',
      'The server failed.',
      'The backup server failed over to the second site without any loss of data.',
      'left',
    ],
    [
      'the first clause of a sentence',
      'Revenue in 2023 was 42.',
      'Revenue in 2023 was 42, up from 39 in the whole of 2022 before.',
      'left',
    ],
    [
      'the first clause of a sentence that nothing turns',
      'Revenue in 2023 was 42.',
      'Revenue in 2023 was 42, up from 39 in the whole of 2022.',
      'supported by figures',
    ],
    ['other words', 'Storage on the first host is nearly exhausted.', disk, 'left'],
    ['one whole short sentence', 'It works.', 'It works.', 'supported by text'],
    ['a quotation that stands there', 'It says “disk of web-1 is”.', disk, 'supported by quote'],
    ['a quotation that stands nowhere', 'It says “the disk is nearly empty now”.', disk, 'unsupported by quote'],
    ['two words in quotation marks are none', 'The “big disk” is 91.4% full.', disk, 'left'],
  ])('%s', (_title, answer, summary, expected) => {
    expect(stateOf(answer, [output(summary)])).toBe(expected);
  });

  it('figures and quotations of the query are for a judge: they are not made up', () => {
    expect(stateOf('For 3 hosts the disk is full.', [output(disk)], { query: 'Are the 3 hosts fine?' })).toBe('left');
    expect(stateOf('On “is the disk of mine full” nothing was found.', [output(disk)], { query: 'Is the disk of mine full?' })).toBe(
      'left',
    );
  });

  it('a claim names the outputs that say it, and where', () => {
    const outputs = [output('Nothing.'), output(disk, { id: 'o2' })];
    expect(match(disk, outputs)).toEqual([
      { state: 'supported', by: 'figures', places: [{ index: 1, part: 'summary', start: 4, end: disk.length - 1 }] },
    ]);
  });
});

describe("SOAR-24 an agent's name is no support", () => {
  const agents = [output('The build passed on every platform.', { agent: 'code-analyzer', id: 'build' })];
  it.each([
    ['a name and nothing else', 'According to code-analyzer.', 'unsupported by text'],
    ['a name that says so', 'The code-analyzer reports this.', 'unsupported by text'],
    ['a name with a statement that is there', 'According to code-analyzer, the build passed on every platform.', 'supported by text'],
    ['a name with another statement', 'According to code-analyzer, the release is blocked.', 'left'],
    ['a citation of the output', 'The build passed on every platform [build].', 'supported by text'],
    ['a citation of anything', 'The release is blocked [build].', 'left'],
  ])('SOAR-24 %s', (_title, answer, expected) => {
    expect(stateOf(answer, agents)).toBe(expected);
  });
});

describe('SOAR-21 claims against data', () => {
  const flights = output('', {
    data: [
      { flight_number: 'HAT069', status: 'available', prices: { basic_economy: 51, economy: 121 }, origin: 'JFK' },
      { flight_number: 'HAT083', status: 'available', prices: { basic_economy: 87, economy: 100 }, origin: 'JFK' },
    ],
  });
  it.each([
    ['its object is named', 'HAT069 has an economy price of 121.', '[0].prices.economy', 'supported by figures'],
    ['the label of its list names its object', '**Flight HAT069**\n- Economy price: 121', '[0].prices.economy', 'supported by figures'],
    ['another object is named', 'HAT083 has an economy price of 121.', '[0].prices.economy', 'left'],
    ['no object is named, and several have such a value', 'The economy price is 121.', '[0].prices.economy', 'left'],
    ['another key is nearer', 'HAT069 has an economy price of 51.', '[0].prices.basic_economy', 'left'],
    ['a word has no key', 'HAT069 has a refundable economy price of 121.', '[0].prices.economy', 'left'],
    ['it is denied', 'HAT069 has no economy price of 121.', '[0].prices.economy', 'left'],
  ])('%s', (_title, answer, path, expected) => {
    expect(stateOf(answer, [flights], { path })).toBe(expected);
  });

  it.each([
    ['a value under its key', 'The user id is mia_li_3668.', 'supported by text'],
    ['values of one list', 'Reservations: NO6JO3, AIXC49.', 'supported by text'],
    ['a value under another key', 'The reservation id is mia_li_3668.', 'left'],
    ['what is false', 'The account is blocked.', 'left'],
    ['a sentence in a value', 'The user asked for a refund of the second flight.', 'supported by text'],
  ])('%s', (_title, answer, expected) => {
    const data = {
      user_id: 'mia_li_3668',
      reservations: ['NO6JO3', 'AIXC49', 'HKEG34'],
      blocked: false,
      note: 'Mia called. The user asked for a refund of the second flight. It was granted on the same day.',
    };
    expect(stateOf(answer, [output('', { data })])).toBe(expected);
    expect(stateOf(answer, [output('', { data: JSON.stringify(data) })])).toBe(expected);
  });
});

describe('R-102 matching is bounded', () => {
  const took = (run: () => unknown): number => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };

  it('R-102 5,000 claims against 50 outputs', () => {
    const answer = Array.from({ length: 5_000 }, (_, i) => `Host h${i} has a load of ${i % 97} and belongs to group g${i % 50}.`).join(' ');
    const outputs = Array.from({ length: 50 }, (_, k) =>
      output(
        Array.from(
          { length: 100 },
          (_, i) => `Host h${k * 100 + i} has a load of ${(k * 100 + i) % 97} and belongs to group g${i % 50}.`,
        ).join(' '),
        {
          id: `o${k}`,
          agent: `agent ${k}`,
          data: Array.from({ length: 40 }, (_, i) => ({ host: `h${i}`, load: i, tags: ['a', 'b'] })),
        },
      ),
    );
    expect(took(() => match(answer, outputs))).toBeLessThan(8_000);
  }, 30_000);

  it.each([
    ['one word', 'a '],
    ['sentences of one word', 'a. '],
    ['quotations', '“a a a a a” '],
    ['figures', '7 '],
  ])(
    'R-102 much of the same: %s',
    (_title, piece) => {
      const answer = `${piece.repeat(20_000)}. `.repeat(3);
      const claims = splitClaims(answer).slice(0, 5_000);
      const outputs = Array.from({ length: 20 }, (_, i) => output(piece.repeat(10_000), { id: `o${i}`, agent: 'a' }));
      expect(took(() => matchClaims({ answer, claims, outputs, query: 'a', figures: [], readFigures: () => [] }))).toBeLessThan(8_000);
    },
    30_000,
  );
});
