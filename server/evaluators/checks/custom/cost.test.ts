import { describe, expect, it } from 'vitest';
import { processorMsOf } from '../../../../testing/processor-time';
import { EvaluationSubject } from '../../../domain';
import { CheckEntry, prepareEntry } from '.';

function score(entry: object, output: string) {
  const subject = EvaluationSubject.parse({ output });
  return prepareEntry(CheckEntry.parse(entry)).run({ subject, root: { ...subject } });
}

describe('cost', () => {
  const entries = [
    { check: 'contains', value: ['x', 'aab'], ignore_case: true },
    { check: 'equals', value: 'a', normalized: true },
    { check: 'bleu', value: 'a b' },
    { check: 'rouge', value: 'a b', variant: 'rouge-1' },
    { check: 'language', expected: ['en'] },
    { check: 'refusal' },
    { check: 'pii' },
    { check: 'valid_json' },
    { check: 'valid_links' },
  ];

  it.each(['a', '](', '[a](', '](<', 'https://(', "I can't ", 'je ne peux pas ', '`', '[1,'])(
    'of ten times the text %j is about ten times as high',
    async (unit) => {
      for (const entry of entries) {
        const cost = (chars: number): Promise<number> =>
          processorMsOf(() => score(entry, unit.repeat(Math.ceil(chars / unit.length))));
        await cost(1_000);
        const small = Math.max(await cost(20_000), 10);
        // Quadratic work would take a hundred times as long.
        expect(await cost(200_000), entry.check).toBeLessThan(small * 40);
      }
    },
  );
});
