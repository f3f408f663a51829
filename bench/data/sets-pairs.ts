import type { DataSet } from './data-set';
import type { Figures } from './figures';
import { type Judges, readJudges, type WordsJudge } from './read-judges';

/**
 * Judges' choices of the better of two answers. The output of a turn is the first answer; the
 * second is in another member. `recorded_winner` is 1 or 2 independently of the order of the
 * answers, and null if the reply names none.
 */
function inTwoOrders(name: string): DataSet {
  return {
    name,
    mapping: {
      id: 'id',
      source: 'subset',
      input: 'input',
      output: 'output_1',
      context: [{ id: 'output_2', path: 'output_2' }],
      labels: [{ value: 'human_label', as: 'category' }],
      judgements: [
        {
          each: 'replies',
          judge: ['@@.judge', '@@.strategy'],
          value: '@@.recorded_winner',
          as: 'category',
          categories: ['1', '2'],
          presentation: '@@.order',
          reason: '@@.text',
          when_empty: 'no_verdict',
        },
      ],
    },
    async figures(client, { rows }) {
      const whole = await readJudges(client);
      const subsets = new Map<string, Judges>([['all', whole]]);
      for (const source of whole.sources) subsets.set(source, await readJudges(client, source));
      const inSubset = ({ words }: Judges): number => Math.max(...words.map(({ items }) => items));
      return {
        rows,
        by_subset: Object.fromEntries(
          whole.sources.map((source) => [source, inSubset(subsets.get(source) ?? whole)]),
        ),
        replies: whole.words.reduce((sum, { items }) => sum + 2 * items, 0),
        judges: Object.fromEntries(
          whole.words.map(({ judge }) => [
            judge,
            Object.fromEntries(
              [...subsets].map(([source, { words }]) => [
                source,
                pairFigures(words.find((each) => each.judge === judge)),
              ]),
            ),
          ]),
        ),
      };
    },
  };
}

const pairFigures = (judge: WordsJudge | undefined): Figures => ({
  n: judge?.items ?? null,
  accuracy: judge?.accuracy.value ?? null,
  order_agreement: judge?.order_agreement.value ?? null,
  unparsed_replies: judge?.no_verdict ?? null,
});

/**
 * Three people per pair, as numbers of which 0 is a tie. Any other reply of a judge counts as a
 * tie. Some answers are not texts, and therefore not outputs.
 */
const pandalm: DataSet = {
  name: 'judge-pairwise-pandalm',
  mapping: {
    id: 'id',
    source: 'app',
    output: 'instruction',
    context: ['input', 'response_1', 'response_2'].map((path) => ({ id: path, path })),
    labels: [
      { each: 'human', value: '@@', as: 'category', rater: { key: true }, words: { 0: 'tie' } },
    ],
    judgements: [
      {
        each: 'replies',
        judge: '@@.judge',
        value: '@@.recorded_verdict',
        as: 'category',
        words: { 0: 'tie', Tie: 'tie' },
        categories: ['1', '2', 'tie'],
        unparseable_as: 'tie',
        reason: '@@.reason',
      },
    ],
  },
  async figures(client, { rows }) {
    const { words, people } = await readJudges(client);
    const [agreement] = people;
    const kappa = (one: string, other: string): number | null =>
      agreement?.pairs.find(
        (pair) => pair.one === `imported:${one}` && pair.other === `imported:${other}`,
      )?.kappa.value ?? null;
    return {
      rows,
      majority: Object.fromEntries(
        (agreement?.truths ?? []).map(({ word, items }) => [word === 'tie' ? '0' : word, items]),
      ),
      human_kappa_1_2: kappa('0', '1'),
      human_kappa_1_3: kappa('0', '2'),
      human_kappa_2_3: kappa('1', '2'),
      ...Object.fromEntries(
        words.map((each) => [
          each.judge,
          {
            accuracy: each.accuracy.value,
            macro_precision: each.macro_precision,
            macro_recall: each.macro_recall,
            macro_f1: each.macro_f1,
            kappa: each.kappa.value,
            garbage: each.no_verdict,
          },
        ]),
      ),
    };
  },
};

/**
 * Decisions only; those of the second order are about the exchanged answers. The right answer is
 * the one that both orders together favour.
 */
const judgebench: DataSet = {
  name: 'judge-pairwise-judgebench-decisions',
  mapping: {
    id: 'id',
    source: 'source',
    model: 'response_model',
    output: 'template',
    labels: [{ value: 'truth', as: 'category' }],
    judgements: [
      decision('decision_as_is', 'as-is', { 'A=B': 'tie' }),
      decision('decision_swapped', 'swapped', { 'A>B': 'B>A', 'B>A': 'A>B', 'A=B': 'tie' }),
    ],
  },
  async figures(client) {
    const { words } = await readJudges(client);
    return Object.fromEntries(
      words.map(({ judge, items, together, order_agreement: order }) => [
        judge,
        { n: items, accuracy: together.value, order_consistency: order.value },
      ]),
    );
  },
};

function decision(
  value: string,
  order: string,
  words: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const categories = ['A>B', 'B>A', 'tie'];
  return {
    judge: 'judge',
    value,
    as: 'category',
    presentation: { const: order },
    words,
    categories,
    when_empty: 'no_verdict',
  };
}

export const pairSets: readonly DataSet[] = [
  pandalm,
  inTwoOrders('judge-pairwise-llmbar'),
  inTwoOrders('judge-pairwise-mtbench-human'),
  judgebench,
];
