import { z } from '@hono/zod-openapi';
import {
  type ThresholdCandidate,
  type Flip,
  simulateThreshold,
  type Simulation,
} from '../../experiments';
import { SimulateBody } from '../../experiments/input';
import { Outcome } from '../../domain';
import { refused } from '../../platform';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { MeasureReply, measureReply } from './metrics';
import { webIncoming } from './web-incoming';

const Ruling = z.object({ verdict: z.string().nullable(), outcome: Outcome });

const FlipReply = z.object({
  verification_id: z.string(),
  excerpt: z.string(),
  score: z.number().nullable(),
  before: Ruling,
  after: Ruling,
  good: z.boolean().nullable(),
  settled_at: z.string(),
});

const CandidateReply = z
  .object({
    value: z.number(),
    flips: z.object({
      total: z.number().int(),
      to_passed: z.number().int(),
      to_failed: z.number().int(),
      to_review: z.number().int(),
      better: z.number().int(),
      worse: z.number().int(),
      /** Newest first. */
      sample: z.array(FlipReply),
    }),
    flips_of_all: MeasureReply,
    catch_rate: MeasureReply,
    false_positive_rate: MeasureReply,
    false_rejection_rate: MeasureReply,
    review_load: MeasureReply,
    cost: z.number(),
  })
  .openapi('SimulatedValue');

const SimulationReply = z
  .object({
    verifier: z.string(),
    key: z.string(),
    scope: z.object({ mission_id: z.string().nullable(), task_id: z.string().nullable() }),
    from: z.string().nullable(),
    to: z.string(),
    current: z.number(),
    labelled: z.number().int(),
    good: z.number().int(),
    bad: z.number().int(),
    looked: z.number().int(),
    unknown: z.number().int(),
    recorded: z.object({
      catch_rate: MeasureReply,
      false_positive_rate: MeasureReply,
      false_rejection_rate: MeasureReply,
    }),
    base: CandidateReply,
    values: z.array(CandidateReply),
    suggestions: z.array(
      z.object({
        rule: z.enum([
          'false_positives',
          'false_negatives',
          'least_cost',
          'max_youden',
          'catch_within_limit',
        ]),
        value: z.number().nullable(),
        direction: z.enum(['lower', 'raise']),
        why: z.string(),
      }),
    ),
  })
  .openapi('Simulation');

export const simulateRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/thresholds/{verifier}/{key}/simulate',
    scope: 'read',
    summary: 'Simulate values of a threshold on labelled verdicts; nothing is changed',
    params: z.object({ verifier: z.string(), key: z.string() }),
    body: SimulateBody,
    answers: { 200: SimulationReply },
    handle: async (c, project) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const body = parse(SimulateBody, readJsonBody(bytes), 'body');
      const [verifier, key] = [c.req.param('verifier') ?? '', c.req.param('key') ?? ''];
      const found = await simulateThreshold(project, { verifier, key, body });
      refuseFaults(found.candidates);
      return c.json(simulationReply(found));
    },
  },
];

/**
 * Refuses a value that could not be set, with the error of setting it, regardless of the other
 * values.
 */
function refuseFaults(candidates: readonly ThresholdCandidate[]): void {
  const faults = candidates.flatMap(({ fault }, i) =>
    fault === null ? [] : [{ path: `values[${i}]`, message: fault }],
  );
  const [first] = faults;
  if (first !== undefined) throw refused(`${first.path}: ${first.message}`, faults);
}

function simulationReply(found: Simulation): z.infer<typeof SimulationReply> {
  return {
    verifier: found.verifier,
    key: found.key,
    scope: { mission_id: found.scope.missionId, task_id: found.scope.taskId },
    from: found.from?.toISOString() ?? null,
    to: found.to.toISOString(),
    current: found.current,
    labelled: found.labelled,
    good: found.good,
    bad: found.bad,
    looked: found.looked,
    unknown: found.unknown,
    recorded: {
      catch_rate: measureReply(found.recorded.catchRate),
      false_positive_rate: measureReply(found.recorded.falsePositiveRate),
      false_rejection_rate: measureReply(found.recorded.falseRejectionRate),
    },
    base: candidateReply(found.base),
    values: found.candidates.map(candidateReply),
    suggestions: found.suggestions.map(({ rule, value, direction, why }) => ({
      rule,
      value,
      direction,
      why,
    })),
  };
}

function candidateReply(candidate: ThresholdCandidate): z.infer<typeof CandidateReply> {
  const { toPassed, toFailed, toReview, sample, ...flips } = candidate.flips;
  return {
    value: candidate.value,
    flips: {
      ...flips,
      to_passed: toPassed,
      to_failed: toFailed,
      to_review: toReview,
      sample: sample.map(flipReply),
    },
    flips_of_all: measureReply(candidate.flipsOfAll),
    catch_rate: measureReply(candidate.catchRate),
    false_positive_rate: measureReply(candidate.falsePositiveRate),
    false_rejection_rate: measureReply(candidate.falseRejectionRate),
    review_load: measureReply(candidate.reviewLoad),
    cost: candidate.cost,
  };
}

function flipReply({
  verdictId,
  excerpt,
  score,
  before,
  after,
  good,
  settledAt,
}: Flip): z.infer<typeof FlipReply> {
  return {
    verification_id: verdictId,
    excerpt,
    score,
    before,
    after,
    good,
    settled_at: settledAt.toISOString(),
  };
}
