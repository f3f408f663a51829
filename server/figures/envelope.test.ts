import { describe, expect, test } from 'vitest';
import type { Envelope, Figure, Source } from '../domain';
import { matchCitations } from './citations';
import { parseEnvelope } from './envelope';
import { scanFigures } from './scan';
import { SourceIndex } from './source-index';
import { traceFigures } from './trace';

const disk: Source = {
  id: 'tc1',
  label: 'disk',
  format: 'json',
  text: '{"rows":[{"host":"web-1","disk_pct":91.4},{"host":"web-2","disk_pct":40}],"a key":7}',
};
const note: Source = { id: 'ctx1', label: 'context', format: 'text', text: 'The limit is 85%.' };

function settle(answer: string, facts: Envelope['facts'], repromptUsed = false): readonly Figure[] {
  const index = new SourceIndex([disk, note]);
  return matchCitations(
    traceFigures(scanFigures(answer), answer, index),
    facts,
    index,
    repromptUsed,
  );
}

const fact = (value: string, path: string, source = 'tc1'): Envelope['facts'][number] => ({
  value,
  source_id: source,
  path,
});

describe('INT-3 envelopes', () => {
  const envelope = { answer: 'It is 91.4%.', facts: [fact('91.4%', 'rows[0].disk_pct')] };
  test.each([
    ['an object', envelope],
    ['text', JSON.stringify(envelope)],
    ['fenced text', `\`\`\`json\n${JSON.stringify(envelope)}\n\`\`\``],
    ['no facts', { answer: '', facts: [] }, { answer: '', facts: [] }],
    [
      'a number as value',
      { answer: 'x', facts: [{ ...fact('', 'p'), value: 91.4 }] },
      { answer: 'x', facts: [fact('91.4', 'p')] },
    ],
  ])('%s', (_, sent, expected = envelope) => {
    expect(parseEnvelope(sent)).toEqual(expected);
  });

  test.each([
    ['null', null],
    ['prose', 'web-1 is at 91.4%.'],
    ['no answer', { facts: [] }],
    ['no facts', { answer: 'x' }],
    ['broken', '{"answer":"x","facts":['],
    ['an array', '[]'],
    ['a fact without path', { answer: 'x', facts: [{ value: '1', source_id: 'a' }] }],
    ['prose around', `Here: ${JSON.stringify(envelope)}`],
    ['a number', 5],
    ['deep text', '['.repeat(200_000)],
    ['deep object text', `{"answer":${'['.repeat(200_000)}`],
  ])('what is not one gives null: %s', (_, sent) => {
    expect(parseEnvelope(sent)).toBeNull();
  });

  test('R-89 digits of a fact survive', () => {
    const sent =
      '{"answer":"12345678901234567890","facts":[{"value":12345678901234567890,"source_id":"a","path":"b"}]}';
    expect(parseEnvelope(sent)?.facts[0]?.value).toBe('12345678901234567890');
  });
});

describe('INT-4 citations', () => {
  test.each([
    'rows[0].disk_pct',
    '$.rows[0].disk_pct',
    'rows.0.disk_pct',
    'result.rows[0].disk_pct',
    '/rows/0/disk_pct',
    "rows[0]['disk_pct']",
    '$["rows"][0]["disk_pct"]',
  ])('a right value at its path in the spelling %s', (path) => {
    expect(settle('It is 91.4%.', [fact('91.4%', path)])).toMatchObject([
      {
        sourced: true,
        citation_ok: true,
        source: { id: 'tc1', path: 'rows[0].disk_pct' },
        source_text: '91.4',
        cited: null,
        reason: null,
      },
    ]);
  });

  test('odd keys and plain text', () => {
    expect(settle('7', [fact('7', '["a key"]')])).toMatchObject([{ citation_ok: true }]);
    for (const path of ['', 'text', 'text[13:16]'])
      expect(settle('85%', [fact('85%', path, 'ctx1')])).toMatchObject([{ citation_ok: true }]);
    expect(settle('85%', [fact('85%', 'text[0:3]', 'ctx1')])).toMatchObject([
      { citation_ok: false },
    ]);
  });

  test('a right value at a wrong path is refused before the re-prompt', () => {
    expect(settle('It is 91.4%.', [fact('91.4%', 'rows[1].disk_pct')])).toMatchObject([
      {
        sourced: false,
        citation_ok: false,
        reason: 'wrong_path',
        cited: { id: 'tc1', path: 'rows[1].disk_pct' },
        source: { id: 'tc1', path: 'rows[0].disk_pct' },
      },
    ]);
  });

  test('an unknown source is refused before the re-prompt', () => {
    expect(settle('It is 91.4%.', [fact('91.4%', 'rows[0].disk_pct', 'tc9')])).toMatchObject([
      { sourced: false, citation_ok: false, reason: 'unknown_source' },
    ]);
  });

  test('after the re-prompt it is delivered with the corrected source', () => {
    expect(settle('It is 91.4%.', [fact('91.4%', 'rows[1].disk_pct')], true)).toMatchObject([
      {
        sourced: true,
        citation_ok: false,
        reason: null,
        cited: { id: 'tc1', path: 'rows[1].disk_pct' },
        source: { id: 'tc1', path: 'rows[0].disk_pct' },
      },
    ]);
  });

  test.each([false, true])(
    'a value without a place stays unsourced (re-prompt used: %s)',
    (used) => {
      expect(settle('It is 99.9%.', [fact('99.9%', 'rows[0].disk_pct')], used)).toMatchObject([
        { sourced: false, citation_ok: false, reason: 'not_in_sources', source: null },
      ]);
    },
  );

  test('a fact covers every occurrence, and for the rounded display of its value', () => {
    expect(
      settle('91% of 91.4%, 91.4%', [fact('91.4', 'rows[0].disk_pct')]).map(
        (figure) => figure.citation_ok,
      ),
    ).toEqual([true, true, true]);
    expect(
      settle('91.4%', [fact('91.4', 'rows[1].disk_pct'), fact('91.4', 'rows[0].disk_pct')]),
    ).toMatchObject([{ citation_ok: true, cited: null }]);
  });

  test('INT-5 figures that no fact covers are scanned', () => {
    expect(
      settle('40% and 99.9%', []).map(({ sourced, citation_ok }) => [sourced, citation_ok]),
    ).toEqual([
      [true, null],
      [false, null],
    ]);
    expect(
      settle('91.4% and 99.9%', [fact('91.4%', 'rows[0].disk_pct')]).map(({ sourced }) => sourced),
    ).toEqual([true, false]);
  });

  test('R-94 prototype keys in facts are text', () => {
    for (const path of [
      '__proto__',
      'constructor.prototype',
      'rows.__proto__.length',
      'toString',
    ]) {
      expect(settle('91.4%', [fact('91.4%', path)])).toMatchObject([
        { citation_ok: false, reason: 'wrong_path' },
      ]);
      expect(settle('91.4%', [fact('91.4%', 'rows', path)])).toMatchObject([
        { reason: 'unknown_source' },
      ]);
    }
  });
});
