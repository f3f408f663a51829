import { z } from '@hono/zod-openapi';
import type { ProjectCtx } from '../../access';
import {
  type CategoricalJudge,
  type ImportedJudge,
  measureImportedJudges,
  type NumericJudge,
  type PeopleAgreement,
} from '../../measures';
import { ImportedWanted } from '../../measures/input';
import type { Route } from './route';
import { parse } from './request-input';
import { MeasureReply, measureReply } from './metrics';

const EstimateReply = z
  .object({
    value: z.number().nullable(),
    low: z.number().nullable(),
    high: z.number().nullable(),
    n: z.number().int(),
  })
  .openapi('Estimate');

const Judged = {
  judge: z.string(),
  dimension: z.string().nullable(),
  measured: z.number().int(),
  items: z.number().int(),
  labelled: z.number().int(),
  no_verdict: z.number().int(),
};

const WordsReply = z
  .object({
    ...Judged,
    form: z.enum(['pass_fail', 'category']),
    presentations: z.array(z.string()),
    accuracy: EstimateReply,
    together: MeasureReply,
    order_agreement: MeasureReply,
    macro_precision: z.number().nullable(),
    macro_recall: z.number().nullable(),
    macro_f1: z.number().nullable(),
    kappa: EstimateReply,
    classes: z.array(
      z.object({
        word: z.string(),
        is_true: z.number().int(),
        said: z.number().int(),
        right: z.number().int(),
        precision: MeasureReply,
        recall: MeasureReply,
        f1: z.number().nullable(),
      }),
    ),
  })
  .openapi('CategoricalJudge');

const GradesReply = z
  .object({
    ...Judged,
    form: z.literal('grade'),
    pairs: z.number().int(),
    kendall: EstimateReply,
    pearson: EstimateReply,
    spearman: EstimateReply,
    exact: MeasureReply,
    within_1: MeasureReply,
    mean_judge: z.number().nullable(),
    mean_truth: z.number().nullable(),
  })
  .openapi('GradingJudge');

const PeopleReply = z
  .object({
    dimension: z.string().nullable(),
    form: z.enum(['pass_fail', 'category', 'grade']),
    items: z.number().int(),
    raters: z.number().int(),
    labels: z.number().int(),
    alpha: EstimateReply,
    pairs: z.array(z.object({ one: z.string(), other: z.string(), kappa: EstimateReply })),
    truths: z.array(z.object({ word: z.string(), items: z.number().int() })),
  })
  .openapi('PeopleAgreement');

const JudgesReply = z
  .object({
    data: z.array(z.union([WordsReply, GradesReply])),
    people: z.array(PeopleReply),
    sources: z.array(z.string()),
  })
  .openapi('JudgeMetrics');

export const judgeMetricRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/metrics/judges',
    scope: 'read',
    summary:
      'Accuracy of imported judges that give words or grades, and the agreement between people on the same items',
    query: ImportedWanted,
    answers: { 200: JudgesReply },
    handle: async (c, project) => c.json(await readJudgeMetrics(project, c.req.query())),
  },
];

/** @throws AssayError invalid_request naming the field */
async function readJudgeMetrics(
  project: ProjectCtx,
  query: Record<string, string>,
): Promise<z.infer<typeof JudgesReply>> {
  const { judges, people, sources } = await measureImportedJudges(
    project,
    parse(ImportedWanted, query, 'query'),
  );
  return { data: judges.map(judgeReply), people: people.map(peopleReply), sources: [...sources] };
}

function judgeReply(each: ImportedJudge): z.infer<typeof JudgesReply>['data'][number] {
  const { judge, dimension, measured, items, labelled, noVerdict } = each;
  const judged = { judge, dimension, measured, items, labelled, no_verdict: noVerdict };
  return each.form === 'grade'
    ? { ...judged, ...gradesReply(each) }
    : { ...judged, ...wordsReply(each) };
}

function wordsReply(each: CategoricalJudge): Omit<z.infer<typeof WordsReply>, keyof typeof Judged> {
  return {
    form: each.form,
    presentations: [...each.presentations],
    accuracy: each.accuracy,
    together: measureReply(each.together),
    order_agreement: measureReply(each.orderAgreement),
    macro_precision: each.macroPrecision,
    macro_recall: each.macroRecall,
    macro_f1: each.macroF1,
    kappa: each.kappa,
    classes: each.classes.map(({ word, isTrue, said, right, precision, recall, f1 }) => ({
      word,
      is_true: isTrue,
      said,
      right,
      precision: measureReply(precision),
      recall: measureReply(recall),
      f1,
    })),
  };
}

function gradesReply(each: NumericJudge): Omit<z.infer<typeof GradesReply>, keyof typeof Judged> {
  return {
    form: each.form,
    pairs: each.pairs,
    kendall: each.kendall,
    pearson: each.pearson,
    spearman: each.spearman,
    exact: measureReply(each.exact),
    within_1: measureReply(each.within1),
    mean_judge: each.meanJudge,
    mean_truth: each.meanTruth,
  };
}

const peopleReply = ({ pairs, truths, ...each }: PeopleAgreement): z.infer<typeof PeopleReply> => ({
  ...each,
  pairs: [...pairs],
  truths: [...truths],
});
