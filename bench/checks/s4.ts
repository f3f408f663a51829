import { Ajv2020 } from 'ajv/dist/2020.js';
import { RE2JS } from 're2js';
import { countCodePoints } from '../../server/domain';
import { prepareCheck } from '../../server/evaluators/checks';
import { type Contender, runRounds } from '../rounds';
import { compare, type Row } from '../row';
import type { RowMaker, Settings } from '../run';

/**
 * S4: each check over the same answers of 2 KB, compared with the bare function that does its work:
 * a compiled pattern, a counted string, a compiled schema. A check adds a score with a reason for
 * people, and the location of its findings. Processor time.
 */
const TEXTS = 200;
const REPEATS = 100;

interface Pair {
  readonly check: string;
  readonly value: unknown;
  readonly texts: readonly string[];
  /** Whether the text passes, by the bare function. */
  readonly bare: (text: string) => boolean;
}

const prose = Array.from({ length: TEXTS }, (_, i) => {
  const section = `The harbour handled ${i + 7} thousand containers in the quarter, as https://port.example/report/${i} tells.\n`;
  return `## Summary\n\n${section.repeat(9)}\n## Findings\n\n${section.repeat(9)}Order #${1000 + i} is closed.\n`;
});
const json = Array.from({ length: TEXTS }, (_, i) =>
  JSON.stringify({ id: `o-${i}`, items: Array.from({ length: 200 }, (_item, n) => n * i) }),
);
const schema = {
  type: 'object',
  required: ['id', 'items'],
  properties: { id: { type: 'string' }, items: { type: 'array', items: { type: 'number' } } },
};

function pairs(): readonly Pair[] {
  const pattern = RE2JS.compile(String.raw`Order #\d{4,8}`);
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
  const words = ['harbour', 'containers', 'quarter'];
  return [
    {
      check: 'regex',
      value: String.raw`Order #\d{4,8}`,
      texts: prose,
      bare: (text) => pattern.matcher(text).find(),
    },
    { check: 'min_length', value: 100, texts: prose, bare: (text) => countCodePoints(text) >= 100 },
    {
      check: 'max_length',
      value: 10_000,
      texts: prose,
      bare: (text) => countCodePoints(text) <= 10_000,
    },
    {
      check: 'json_schema',
      value: schema,
      texts: json,
      bare: (text) => validate(JSON.parse(text)),
    },
    {
      check: 'keywords',
      value: words,
      texts: prose,
      bare(text) {
        const folded = text.toLowerCase();
        return words.every((word) => folded.includes(word));
      },
    },
  ];
}

export const s4: RowMaker = {
  name: 'S4',
  async make(_stage, settings) {
    const rows: Row[] = [];
    for (const pair of pairs()) {
      const check = prepareCheck(pair);
      const measured = await runRounds(
        `S4 ${pair.check}`,
        [
          contender('bare', settings, pair, pair.bare),
          contender('check', settings, pair, (text) => check(text).met === true),
        ],
        settings,
      );
      rows.push(
        compare({
          figure: `S4 ${pair.check} against the bare function`,
          unit: 'µs of CPU',
          assayValues: measured('check', 'us'),
          floor: measured('bare', 'us'),
          goal: { max: 1.2 },
          notes: [`texts of ${pair.texts[0]?.length ?? 0} characters`],
        }),
      );
    }
    return rows;
  },
};

/**
 * Runs over all texts repeatedly.
 * @throws Error if a text does not pass: a wrong answer voids the run
 */
function contender(
  name: string,
  { smoke }: Settings,
  { check, texts }: Pair,
  passes: (text: string) => boolean,
): Contender {
  return {
    name,
    run() {
      const repeats = smoke ? 2 : REPEATS;
      const before = process.cpuUsage();
      for (let i = 0; i < repeats; i++) {
        for (const text of texts)
          if (!passes(text)) throw new Error(`${check}, ${name}: a text that passes did not`);
      }
      const { user, system } = process.cpuUsage(before);
      return Promise.resolve({ us: (user + system) / repeats / texts.length });
    },
  };
}
