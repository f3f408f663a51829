import { z } from '@hono/zod-openapi';
import type { ProjectCtx } from '../../access';
import { listTrust } from '../../trust';
import { type Measure, measureVerifiers, type VerifierMeasures } from '../../measures';
import { ModelTier } from '../../domain';
import { invalid } from '../../platform';
import { type Trust, trustGaps, trustStateNames } from '../../thresholds';
import { listModelPerformance, type ModelPerformance } from '../../verdicts';
import type { Route } from './route';
import { parse } from './request-input';

/** RFC 3339, or a day, which means its first moment in UTC. */
const Moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be a time such as 2026-01-31T12:00:00Z, or a date',
  })
  .transform((text) => new Date(text))
  .refine((at) => at.getUTCFullYear() >= 1970, { message: 'must be in 1970 or later' });

const MetricsQuery = z.object({
  from: Moment.optional(),
  to: Moment.optional(),
  verifier: z.string().min(1).max(300).optional(),
  judge: z.string().min(1).max(500).optional(),
});

export const MeasureReply = z
  .object({
    value: z.number().nullable(),
    numerator: z.number().int().nullable(),
    denominator: z.number().int(),
    low: z.number().nullable(),
    high: z.number().nullable(),
    state: z.enum(['no_data', 'on_target', 'off_target', 'alerting', 'insufficient']),
  })
  .openapi('Measure');

const TrustReply = z
  .object({
    state: z.enum(trustStateNames),
    /** The verifier's setting: without `qualified` it may neither block nor steer. */
    enforced: z.boolean(),
    may_block: z.boolean(),
    version: z.number().int(),
    judge: z.string().nullable(),
    /** Requirements it lacks for the next state, or no longer meets. */
    gaps: z.array(
      z.object({
        what: z.enum(trustGaps),
        text: z.string(),
        have: z.number().nullable(),
        need: z.number().nullable(),
      }),
    ),
    since: z.string().nullable(),
  })
  .openapi('Trust');

const VerifierReply = z
  .object({
    verifier: z.string(),
    kind: z.string(),
    catch_rate: MeasureReply,
    false_positive_rate: MeasureReply,
    false_rejection_rate: MeasureReply,
    retry_success: MeasureReply,
    agreement: MeasureReply,
    kappa: MeasureReply,
    override_rate: MeasureReply,
    correlation: MeasureReply,
    pass_rate: MeasureReply,
    corrected_pass_rate: MeasureReply,
    matrix: z.object({
      caught: z.number(),
      missed: z.number(),
      false_rejections: z.number(),
      right_passes: z.number(),
    }),
    undecided: z.number().int(),
    unparseable: z.number().int(),
    /**
     * Accounts whose rulings outnumber all others' and disagree with them: only the first `counted`
     * count.
     */
    outweighing: z.array(
      z.object({
        by: z.string(),
        rulings: z.number().int(),
        overruled: z.number().int(),
        counted: z.number().int(),
      }),
    ),
    /**
     * The current state, regardless of the period; null for a judge whose verdicts were imported.
     */
    trust: TrustReply.nullable(),
  })
  .openapi('VerifierMeasures');

const RateReply = z.object({
  value: z.number().nullable(),
  numerator: z.number().int(),
  denominator: z.number().int(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  state: z.enum(['no_data', 'insufficient', 'measured']),
});

const ModelsQuery = z.object({ verifier: z.string().min(1).max(100).optional() });

const ModelReply = z
  .object({
    model: z.string(),
    verifier: z.string(),
    tier: z.enum(ModelTier.options).nullable(),
    pass_rate: RateReply,
    average: z.number().nullable(),
    consecutive_failures: z.number().int(),
    cost_usd: z.number().nullable(),
    judging_cost_usd: z.number(),
    last_at: z.string(),
  })
  .openapi('ModelMeasures');

export const metricRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/metrics/verifiers',
    scope: 'read',
    summary: 'Accuracy of each verifier, measured by human labels and reported outcomes',
    query: z.object({
      from: z.string().optional(),
      to: z.string().optional(),
      verifier: z.string().optional(),
      judge: z.string().optional(),
    }),
    answers: { 200: z.object({ data: z.array(VerifierReply) }).openapi('VerifierMetrics') },
    handle: async (c, project) => c.json({ data: await readMetrics(project, c.req.query()) }),
  },
  {
    method: 'get',
    path: '/v1/metrics/models',
    scope: 'read',
    summary: 'Results of each model in its last 100 verifications by each verifier and tier',
    query: ModelsQuery,
    answers: { 200: z.object({ data: z.array(ModelReply) }).openapi('ModelMetrics') },
    handle: async (c, project) => {
      const { verifier = null } = parse(ModelsQuery, c.req.query(), 'query');
      return c.json({ data: (await listModelPerformance(project, verifier)).map(modelReply) });
    },
  },
];

/**
 * `average` on the verifier's own scale, 0 to 100 for code; `cost_usd` is the cost of the work, null
 * if it is unknown.
 */
function modelReply(each: ModelPerformance): z.infer<typeof ModelReply> {
  return {
    model: each.model,
    verifier: each.verifier,
    tier: each.tier,
    pass_rate: each.passRate,
    average: each.averagePoints,
    consecutive_failures: each.consecutiveFailures,
    cost_usd: each.workCostUsd,
    judging_cost_usd: each.judgingCostUsd,
    last_at: each.lastAt.toISOString(),
  };
}

/** @throws AssayError invalid_request naming the field */
async function readMetrics(
  project: ProjectCtx,
  query: Record<string, string>,
): Promise<z.infer<typeof VerifierReply>[]> {
  const wanted = parse(MetricsQuery, query, 'query');
  if (wanted.from !== undefined && wanted.to !== undefined && wanted.from > wanted.to) {
    throw invalid('to: must not be before `from`', [
      { path: 'to', message: 'must not be before `from`' },
    ]);
  }
  const [measured, trusts] = await Promise.all([
    measureVerifiers(project, wanted),
    listTrust(project),
  ]);
  return measured.map((each) =>
    verifierReply(each, each.origin === 'verifier' ? findTrust(trusts, each.verifier) : null),
  );
}

const findTrust = (trusts: readonly Trust[], verifier: string): Trust | null =>
  trusts.find((each) => each.verifier === verifier) ?? null;

function trustReply({
  state,
  enforced,
  mayBlock,
  version,
  judge,
  gaps,
  since,
}: Trust): z.infer<typeof TrustReply> {
  return {
    state,
    enforced,
    may_block: mayBlock,
    version,
    judge,
    gaps: [...gaps],
    since: since?.toISOString() ?? null,
  };
}

function verifierReply(
  { verifier, kind, counts, rates, outweighing }: VerifierMeasures,
  trust: Trust | null,
): z.infer<typeof VerifierReply> {
  return {
    verifier,
    kind,
    catch_rate: measureReply(rates.catchRate),
    false_positive_rate: measureReply(rates.falsePositiveRate),
    false_rejection_rate: measureReply(rates.falseRejectionRate),
    retry_success: measureReply(rates.retrySuccess),
    agreement: measureReply(rates.agreement),
    kappa: measureReply(rates.kappa),
    override_rate: measureReply(rates.overrideRate),
    correlation: measureReply(rates.correlation),
    pass_rate: measureReply(rates.passRate),
    corrected_pass_rate: measureReply(rates.correctedPassRate),
    matrix: {
      caught: counts.caught,
      missed: counts.missed,
      false_rejections: counts.rejected,
      right_passes: counts.passed,
    },
    undecided: counts.undecided,
    unparseable: counts.unparseable,
    outweighing: outweighing.map(({ account, rulings, overruled, counted }) => ({
      by: account,
      rulings,
      overruled,
      counted,
    })),
    trust: trust === null ? null : trustReply(trust),
  };
}

/** Members are in the order of the API description. */
export function measureReply({
  value,
  numerator,
  denominator,
  low,
  high,
  state,
}: Measure): z.infer<typeof MeasureReply> {
  return { value, numerator, denominator, low, high, state };
}
