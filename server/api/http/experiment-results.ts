import { z } from '@hono/zod-openapi';
import {
  type ComparedItem,
  type ComparedItems,
  type ComparedRun,
  compareExperiments,
  type Comparison,
  type ExperimentHead,
  type ExperimentResult,
  gateExperiment,
  getExperiment,
  listComparedItems,
  listExperiments,
} from '../../experiments';
import {
  CompareBody,
  CompareItemsBody,
  ExperimentFilters,
  experimentStates,
  GateBody,
  gateCodes,
} from '../../experiments/input';
import type { Measure } from '../../measures';
import { readBody } from './body';
import { MeasureReply, measureReply } from './metrics';
import { parse, readJsonBody } from './request-input';
import type { Route } from './route';
import { listOf } from './trace-shapes';
import { webIncoming } from './web-incoming';

const Head = {
  id: z.string(),
  name: z.string(),
  /** `slug@version`. */
  dataset: z.string(),
  split: z.string().nullable(),
  repetitions: z.number().int(),
  /** As sent, without the values of its headers. */
  target: z.record(z.string(), z.unknown()),
  verifiers: z.array(z.string()),
  branch: z.string().nullable(),
  commit: z.string().nullable(),
  baseline: z.string().nullable(),
  state: z.enum(experimentStates),
  reason: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  url: z.string(),
};
const RowCounts = {
  rows: z.number().int(),
  waiting: z.number().int(),
  asked: z.number().int(),
  answered: z.number().int(),
  failed: z.number().int(),
  lost: z.number().int(),
};
const Listed = z.object({ ...Head, counts: z.object(RowCounts) }).openapi('ExperimentListed');
/** A sum of scores is not an integer. */
const MeanReply = MeasureReply.extend({ numerator: z.number().nullable() }).openapi('MeanScore');
const Rates = {
  pass_rate: MeasureReply,
  corrected_pass_rate: MeasureReply,
  mean_score: MeanReply,
};
const Resources = {
  cost_usd: z.object({
    target: z.number(),
    judges: z.number(),
    total: z.number(),
    unknown: z.number().int(),
  }),
  latency_ms: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }),
};
const Result = z
  .object({
    ...Head,
    counts: z.object({
      ...RowCounts,
      verdicts: z.number().int(),
      verdicts_expected: z.number().int(),
      unscored: z.number().int(),
    }),
    results: z.array(z.object({ verifier: z.string(), ...Rates, unscored: z.number().int() })),
    ...Resources,
    progress: z.object({
      done: z.number().int(),
      total: z.number().int(),
      rate_per_s: z.number().nullable(),
      seconds_left: z.number().nullable(),
    }),
  })
  .openapi('ExperimentResult');

const Bounded = { value: z.number(), low: z.number().nullable(), high: z.number().nullable() };
const Difference = z.object({ ...Bounded, p: z.number() }).nullable();
const ComparisonReply = z
  .object({
    slice: z.string().nullable(),
    verifier: z.string(),
    experiment: z.string(),
    rates: z.array(z.object({ experiment: z.string(), ...Rates })),
    difference: z.object(Bounded).nullable(),
    test: z.enum(['mcnemar', 'bootstrap']),
    p: z.number().nullable(),
    p_adjusted: z.number().nullable(),
    items: z.object({
      improved: z.number().int(),
      regressed: z.number().int(),
      same: z.number().int(),
      unpaired: z.number().int(),
    }),
    items_needed: z.object({
      this_difference: z.number().int().nullable(),
      five_points: z.number().int().nullable(),
    }),
    score_difference: z
      .object({ ...Bounded, p: z.number(), p_adjusted: z.number().nullable() })
      .nullable(),
  })
  .openapi('ExperimentDifference');
const ItemReply = z
  .object({
    item_id: z.string(),
    verifier: z.string(),
    input: z.string().nullable(),
    change: z.enum(['regressed', 'improved', 'same', 'unpaired']),
    runs: z.array(
      z.object({
        experiment: z.string(),
        repetition: z.number().int(),
        turn_id: z.string().nullable(),
        outcome: z.string().nullable(),
        score: z.number().nullable(),
        output: z.string().nullable(),
        verification_id: z.string().nullable(),
      }),
    ),
  })
  .openapi('ComparedItem');
const ItemsReply = listOf(ItemReply, 'ComparedItems');
const ComparisonsReply = z
  .object({
    baseline: z.string(),
    experiments: z.array(
      z.object({
        ...Head,
        ...Resources,
        cost_difference: Difference,
        latency_difference: Difference,
      }),
    ),
    comparisons: z.array(ComparisonReply),
    slices: z.array(ComparisonReply).nullable(),
    items: ItemsReply,
  })
  .openapi('ExperimentComparison');
const GateReply = z
  .object({
    passed: z.boolean(),
    baseline: z.string().nullable(),
    reasons: z.array(
      z.object({
        code: z.enum(gateCodes),
        severity: z.enum(['error', 'warning']),
        message: z.string(),
        verifier: z.string().nullable(),
        items_needed: z.number().int().nullable(),
      }),
    ),
  })
  .openapi('ExperimentGateResult');

/** Separated by commas. */
const Ids = z.string().max(2_000);
// The required member comes last, so that another fault is named first.
const { ids: _ids, ...comparison } = CompareBody.shape;
const { ids: _otherIds, ...comparisonItems } = CompareItemsBody.shape;
const CompareQuery = z.object({ ...comparison, ids: Ids });
const ItemsQuery = z.object({ ...comparisonItems, ids: Ids });
const PathId = z.object({ id: z.string() });

/** A query with its ids as a list, as the console sends it. */
const withIds = <Query extends { readonly ids: string }>({ ids, ...query }: Query) => ({
  ...query,
  ids: ids.split(',').map((id) => id.trim()),
});

export const experimentResultRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/experiments',
    scope: 'read',
    summary: 'List experiments, newest first',
    query: z.object(ExperimentFilters.shape),
    answers: { 200: listOf(Listed, 'Experiments') },
    handle: async (c, project) => {
      const filters = parse(ExperimentFilters, c.req.query(), 'query');
      const { items, nextCursor } = await listExperiments(project, filters);
      const data = items.map((each) => ({ ...headReply(each), counts: each.counts }));
      return c.json({ data, next_cursor: nextCursor });
    },
  },
  // Before the route of one experiment, whose parameter would match this path too.
  {
    method: 'get',
    path: '/v1/experiments/compare',
    scope: 'read',
    summary: 'Compare two to six experiments by item; the first is the baseline',
    query: CompareQuery,
    answers: { 200: ComparisonsReply },
    handle: async (c, project) => {
      const wanted = parse(
        CompareBody,
        withIds(parse(CompareQuery, c.req.query(), 'query')),
        'query',
      );
      const { runs, comparisons, slices, items } = await compareExperiments(project, wanted);
      return c.json({
        baseline: runs[0]?.id ?? '',
        experiments: runs.map(runReply),
        comparisons: comparisons.map(comparisonReply),
        slices: slices?.map(comparisonReply) ?? null,
        items: itemsReply(items),
      } satisfies z.infer<typeof ComparisonsReply>);
    },
  },
  {
    method: 'get',
    path: '/v1/experiments/compare/items',
    scope: 'read',
    summary: 'The items of a comparison, regressed first',
    query: ItemsQuery,
    answers: { 200: ItemsReply },
    handle: async (c, project) => {
      const wanted = parse(
        CompareItemsBody,
        withIds(parse(ItemsQuery, c.req.query(), 'query')),
        'query',
      );
      return c.json(itemsReply(await listComparedItems(project, wanted)));
    },
  },
  {
    method: 'get',
    path: '/v1/experiments/{id}',
    scope: 'read',
    summary: 'One experiment with its results',
    params: PathId,
    answers: { 200: Result },
    handle: async (c, project) =>
      c.json(resultReply(await getExperiment(project, c.req.param('id') ?? ''))),
  },
  {
    method: 'post',
    path: '/v1/experiments/{id}/gate',
    scope: 'verify',
    masking: 'none',
    summary: 'Check a finished experiment by pass rates, a baseline and its cost; changes nothing',
    params: PathId,
    body: GateBody,
    answers: { 200: GateReply },
    handle: async (c, project) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const gate = parse(GateBody, readJsonBody(bytes), 'body');
      const { passed, baselineId, reasons } = await gateExperiment(project, {
        id: c.req.param('id') ?? '',
        gate,
      });
      return c.json({
        passed,
        baseline: baselineId,
        reasons: reasons.map(({ itemsNeeded, ...each }) => ({
          ...each,
          items_needed: itemsNeeded,
        })),
      } satisfies z.infer<typeof GateReply>);
    },
  },
];

const headReply = (head: ExperimentHead) => ({
  id: head.id,
  name: head.name,
  dataset: `${head.datasetSlug}@${head.datasetVersion}`,
  split: head.split,
  repetitions: head.repetitions,
  target: head.target,
  verifiers: [...head.verifiers],
  branch: head.branch,
  commit: head.commit,
  baseline: head.baselineId,
  state: head.state,
  reason: head.reason,
  created_by: head.createdBy,
  created_at: head.createdAt.toISOString(),
  finished_at: head.finishedAt?.toISOString() ?? null,
  url: head.url,
});

interface RatesOf {
  readonly passRate: Measure;
  readonly correctedPassRate: Measure;
  readonly meanScore: Measure;
}
const ratesReply = ({ passRate, correctedPassRate, meanScore }: RatesOf) => ({
  pass_rate: measureReply(passRate),
  corrected_pass_rate: measureReply(correctedPassRate),
  mean_score: measureReply(meanScore),
});

function resultReply(result: ExperimentResult): z.infer<typeof Result> {
  const { verdictsExpected, unscored, verdicts, ...counts } = result.counts;
  const { done, total, ratePerS, secondsLeft } = result.progress;
  return {
    ...headReply(result),
    counts: { ...counts, verdicts, verdicts_expected: verdictsExpected, unscored },
    results: result.results.map((each) => ({
      verifier: each.verifier,
      ...ratesReply(each),
      unscored: each.unscored,
    })),
    cost_usd: result.costUsd,
    latency_ms: result.latencyMs,
    progress: { done, total, rate_per_s: ratePerS, seconds_left: secondsLeft },
  };
}

const runReply = (run: ComparedRun) => ({
  ...headReply(run),
  cost_usd: run.costUsd,
  latency_ms: run.latencyMs,
  cost_difference: run.costDifference,
  latency_difference: run.latencyDifference,
});

function comparisonReply(found: Comparison): z.infer<typeof ComparisonReply> {
  const { difference, itemsNeeded, scoreDifference } = found;
  return {
    slice: found.slice,
    verifier: found.verifier,
    experiment: found.experiment,
    rates: found.rates.map((each) => ({ experiment: each.experiment, ...ratesReply(each) })),
    difference:
      difference === null
        ? null
        : { value: difference.value, low: difference.low, high: difference.high },
    test: found.test,
    p: found.p,
    p_adjusted: found.pAdjusted,
    items: found.items,
    items_needed: {
      this_difference: itemsNeeded.thisDifference,
      five_points: itemsNeeded.fivePoints,
    },
    score_difference:
      scoreDifference === null ? null : { ...scoreDifference, p_adjusted: found.scorePAdjusted },
  };
}

const itemsReply = ({ data, nextCursor }: ComparedItems) => ({
  data: data.map(itemReply),
  next_cursor: nextCursor,
});

const itemReply = (item: ComparedItem): z.infer<typeof ItemReply> => ({
  item_id: item.itemId,
  verifier: item.verifier,
  input: item.input,
  change: item.change,
  runs: item.runs.map((run) => ({
    experiment: run.experiment,
    repetition: run.repetition,
    turn_id: run.turnId,
    outcome: run.outcome,
    score: run.score,
    output: run.output,
    verification_id: run.verificationId,
  })),
});
