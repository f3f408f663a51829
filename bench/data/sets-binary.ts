import { z } from 'zod';
import type { DataSet } from './data-set';
import { readJudges } from './read-judges';

/**
 * The verdicts "error" or "no error" of twelve judges and an expert on 448 answers. `verdicts` has
 * four letters per judge, one for each prompt; the first is used, and any other text counts as "no
 * error". The judged answers are not in the file: a turn has its task instead. Six judges appear a
 * second time, with the text of their replies.
 */
const realmistake: DataSet = {
  name: 'judge-binary-realmistake',
  mapping: {
    id: 'id',
    output: 'task',
    model: 'response_model',
    human_label: 'human_label',
    rater: { const: 'expert' },
    pass_values: ['N', 'no_error'],
    fail_values: ['E', 'error'],
    judgements: [
      { each: 'verdicts', judge: { key: true }, value: '@@[0]', unparseable_as: 'pass' },
      {
        each: 'replies',
        judge: ['@@.judge', '@@.prompt'],
        value: '@@.recorded_verdict',
        reason: '@@.text',
        when_empty: 'no_verdict',
      },
    ],
  },
  async figures(client, { rows }) {
    const { data } = Verifiers.parse(await client.read('/v1/metrics/verifiers'));
    const { words } = await readJudges(client);
    const rates = new Map(data.map((each) => [each.verifier, each]));
    const judges = words.filter(({ judge }) => !judge.endsWith('/p1'));
    const truths = new Map(judges[0]?.classes.map((each) => [each.word, each.is_true]));
    return {
      rows,
      human_error: truths.get('fail') ?? null,
      human_no_error: truths.get('pass') ?? null,
      judges_prompt1: Object.fromEntries(
        judges.map(({ judge, classes }) => {
          const failing = classes.find(({ word }) => word === 'fail');
          const rate = rates.get(judge);
          const figures = {
            catch_rate: rate?.catch_rate.value ?? null,
            // The data's "false-positive rate" is relative to the good answers: the product calls
            // it the false-rejection rate.
            false_positive_rate: rate?.false_rejection_rate.value ?? null,
            precision: failing?.precision.value ?? null,
            f1: failing?.f1 ?? null,
            agreement: rate?.agreement.value ?? null,
            kappa: rate?.kappa.value ?? null,
            unparseable: rate?.unparseable ?? null,
          };
          return [judge, figures];
        }),
      ),
      replies_with_text: words
        .filter(({ judge }) => judge.endsWith('/p1'))
        .reduce((sum, { measured }) => sum + measured, 0),
    };
  },
};

const Share = z.object({ value: z.number().nullable() });
const Verifiers = z.object({
  data: z.array(
    z.object({
      verifier: z.string(),
      catch_rate: Share,
      false_rejection_rate: Share,
      agreement: Share,
      kappa: Share,
      unparseable: z.number(),
    }),
  ),
});

export const binarySets: readonly DataSet[] = [realmistake];
