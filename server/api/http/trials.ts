import { z } from '@hono/zod-openapi';
import {
  type GateFindings,
  type GatePart,
  getTrial,
  planTrial,
  startTrial,
  type Trial,
  type TrialPlan,
  type TrialSide,
} from '../../experiments';
import { TrialBody } from '../../experiments/input';
import { derivedId, notFound } from '../../platform';
import { answerRequestOnce } from '../../ingest';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { readIdempotencyKey } from './idempotency';
import { JobReply, jobReply } from './jobs';
import { MeasureReply, measureReply } from './metrics';
import { webIncoming } from './web-incoming';

/** Estimate of a trial. US dollars; null when a price is unknown. */
const Plan = z
  .object({
    slug: z.string(),
    version: z.number().int(),
    judge: z.string().nullable(),
    production_version: z.number().int().nullable(),
    against_judge: z.string().nullable(),
    held_out: z.boolean(),
    subjects: z.number().int(),
    good: z.number().int(),
    bad: z.number().int(),
    looked_at: z.number().int(),
    production_runs: z.number().int(),
    judges: z.array(z.string()),
    why_none: z.string().nullable(),
    tokens: z.number().int(),
    cost_usd: z.number().nullable(),
  })
  .openapi('PromptTrialPlan');

const Side = z
  .object({
    agreement: MeasureReply,
    catch_rate: MeasureReply,
    false_positive_rate: MeasureReply,
    false_rejection_rate: MeasureReply,
    kappa: MeasureReply,
    matrix: z.object({
      caught: z.number(),
      missed: z.number(),
      false_rejections: z.number(),
      right_passes: z.number(),
    }),
    /** Neither passed nor failed; excluded from every rate. */
    undecided: z.number().int(),
    /** Those without a result, for instance in an outage of a judge. */
    inconclusive: z.number().int(),
  })
  .openapi('PromptTrialSide');

const Result = {
  outcome: z.string(),
  verdict: z.string().nullable(),
  score: z.number().nullable(),
  reason: z.string().nullable(),
};

const Paired = { better: z.number().int(), worse: z.number().int(), mid_p: z.number().nullable() };
const Part = z.object({
  tried: MeasureReply,
  other: MeasureReply,
  items: z.number().int(),
  ...Paired,
  detectable: z.number().nullable(),
});

/** The promotion gate's decision on replacing the other option with the candidate. */
const Gate = z
  .object({
    verdict: z.enum(['better', 'not_worse', 'worse', 'insufficient', 'could_not_run']),
    items: z.number().int(),
    inconclusive: z.number().int(),
    good: z.number().int(),
    bad: z.number().int(),
    catch_rate: Part,
    false_rejection_rate: Part,
    undecided: z.object({ tried: z.number().int(), other: z.number().int(), ...Paired }),
    slices: z.array(
      z.object({
        by: z.string(),
        value: z.string(),
        items: z.number().int(),
        ...Paired,
        adjusted_p: z.number().nullable(),
        required: z.boolean(),
        lost: z.boolean(),
      }),
    ),
    /** Mean per subject: US dollars, milliseconds. */
    cost_usd: z.object({
      tried: z.number().nullable(),
      other: z.number().nullable(),
      ratio: z.number().nullable(),
    }),
    latency_ms: z.object({ tried: z.number().nullable(), other: z.number().nullable() }),
    reasons: z.array(z.string()),
  })
  .openapi('PromptTrialGate');

const TrialReply = z
  .object({
    id: z.string(),
    slug: z.string(),
    version: z.number().int(),
    judge: z.string().nullable(),
    production_version: z.number().int().nullable(),
    against_judge: z.string().nullable(),
    held_out: z.boolean(),
    state: z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']),
    reason: z.string().nullable(),
    done: z.number().int(),
    total: z.number().int(),
    tried: Side,
    production: Side.nullable(),
    /** Among subjects that both decided: those that only one of the two got right. */
    paired: z
      .object({
        both_decided: z.number().int(),
        better: z.number().int(),
        worse: z.number().int(),
        mid_p: z.number().nullable(),
        exact_p: z.number().nullable(),
      })
      .nullable(),
    gate: Gate.nullable(),
    calls: z.number().int(),
    tokens: z.number().int(),
    cost_usd: z.number(),
    unpriced: z.number().int(),
    estimate_usd: z.number().nullable(),
    reused: z.number().int(),
    subjects: z.array(
      z.object({
        subject_id: z.string(),
        verification_id: z.string().nullable(),
        good: z.boolean(),
        truth_of: z.string(),
        ...Result,
        judge: z.string().nullable(),
        production: z
          .object({
            source: z.enum(['stored', 'run', 'same']),
            judge: z.string().nullable(),
            ...Result,
          })
          .nullable(),
        flip: z.boolean(),
      }),
    ),
    created_at: z.string(),
    finished_at: z.string().nullable(),
  })
  .openapi('PromptTrial');

/** `dry_run` returns the estimate, and starts no trial. */
const Body = TrialBody.omit({ heldOut: true }).extend({
  held_out: TrialBody.shape.heldOut,
  dry_run: z.boolean().default(false),
});

export const trialRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/prompts/{slug}/versions/{version}/trials',
    scope: 'write',
    summary:
      'Try a version or a judge on labelled subjects, compared with the current or another option (dry_run: only return the estimate)',
    params: z.object({ slug: z.string(), version: z.string() }),
    body: Body.openapi('StartPromptTrial'),
    answers: { 200: Plan, 202: JobReply },
    handle: async (c, project, { subjects }) => {
      const slug = c.req.param('slug') ?? '';
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const key = readIdempotencyKey(incoming);
      const {
        dry_run: isDry,
        held_out: heldOut,
        ...body
      } = parse(Body, readJsonBody(bytes), 'body');
      const named = c.req.param('version') ?? '';
      if (!/^\d{1,7}$/.test(named)) throw notFound('version');
      const input = { ...body, heldOut, slug, version: Number(named) };
      const route = `/v1/prompts/${slug}/versions/${named}/trials`;
      const answer = await answerRequestOnce(project, key, route, bytes, async () => {
        if (isDry)
          return { status: 200, body: planReply((await planTrial(project, subjects, input)).plan) };
        const jobId = key === null ? undefined : derivedId('job', project.projectId, route, key);
        return {
          status: 202,
          body: jobReply(await startTrial(project, subjects, { ...input, jobId })),
        };
      });
      return c.json(answer.body as object, answer.status === 200 ? 200 : 202);
    },
  },
  {
    method: 'get',
    path: '/v1/prompts/{slug}/trials/{id}',
    scope: 'read',
    summary:
      'The result of a trial: agreement next to the version in production, and the subjects that flip',
    params: z.object({ slug: z.string(), id: z.string() }),
    answers: { 200: TrialReply },
    handle: async (c, project) =>
      c.json(
        trialReply(
          await getTrial(project, { slug: c.req.param('slug') ?? '', id: c.req.param('id') ?? '' }),
        ),
      ),
  },
];

function planReply(plan: TrialPlan): z.infer<typeof Plan> {
  return {
    slug: plan.slug,
    version: plan.version,
    judge: plan.judge,
    production_version: plan.production,
    against_judge: plan.againstJudge,
    held_out: plan.heldOut,
    subjects: plan.subjects,
    good: plan.good,
    bad: plan.bad,
    looked_at: plan.looked,
    production_runs: plan.productionRuns,
    judges: [...plan.judges],
    why_none: plan.whyNone,
    tokens: plan.tokens,
    cost_usd: plan.costUsd,
  };
}

function trialReply(trial: Trial): z.infer<typeof TrialReply> {
  const { paired, production } = trial;
  return {
    id: trial.id,
    slug: trial.slug,
    version: trial.version,
    judge: trial.judge,
    production_version: trial.productionVersion,
    against_judge: trial.againstJudge,
    held_out: trial.heldOut,
    state: trial.state,
    reason: trial.reason,
    done: trial.done,
    total: trial.total,
    tried: sideReply(trial.tried),
    production: production === null ? null : sideReply(production),
    paired:
      paired === null
        ? null
        : {
            both_decided: paired.both,
            better: paired.better,
            worse: paired.worse,
            mid_p: paired.midP,
            exact_p: paired.exactP,
          },
    gate: trial.findings === null ? null : gateReply(trial.findings),
    calls: trial.calls,
    tokens: trial.tokens,
    cost_usd: trial.costUsd,
    unpriced: trial.unpriced,
    estimate_usd: trial.estimateUsd,
    reused: trial.reused,
    subjects: trial.rows.map((row) => ({
      subject_id: row.subjectId,
      verification_id: row.verdictId,
      good: row.good,
      truth_of: row.truthOf,
      outcome: row.outcome,
      verdict: row.verdict,
      score: row.score,
      reason: row.reason,
      judge: row.judge,
      production: row.production,
      flip: row.isFlip,
    })),
    created_at: trial.createdAt.toISOString(),
    finished_at: trial.finishedAt?.toISOString() ?? null,
  };
}

function gateReply({
  falseRejectionRate,
  catchRate,
  undecided,
  slices,
  cost,
  latency,
  ...gate
}: GateFindings): z.infer<typeof Gate> {
  const { midP, ...left } = undecided;
  return {
    ...gate,
    reasons: [...gate.reasons],
    catch_rate: partReply(catchRate),
    false_rejection_rate: partReply(falseRejectionRate),
    undecided: { ...left, mid_p: midP },
    slices: slices.map(({ midP: p, adjustedP, isRequired, isLost, ...slice }) => ({
      ...slice,
      mid_p: p,
      adjusted_p: adjustedP,
      required: isRequired,
      lost: isLost,
    })),
    cost_usd: cost,
    latency_ms: latency,
  };
}

function partReply({ tried, other, midP, ...part }: GatePart): z.infer<typeof Part> {
  return { ...part, tried: measureReply(tried), other: measureReply(other), mid_p: midP };
}

function sideReply({ rates, matrix, undecided, inconclusive }: TrialSide): z.infer<typeof Side> {
  return {
    agreement: measureReply(rates.agreement),
    catch_rate: measureReply(rates.catchRate),
    false_positive_rate: measureReply(rates.falsePositiveRate),
    false_rejection_rate: measureReply(rates.falseRejectionRate),
    kappa: measureReply(rates.kappa),
    matrix: {
      caught: matrix.caught,
      missed: matrix.missed,
      false_rejections: matrix.rejected,
      right_passes: matrix.passed,
    },
    undecided,
    inconclusive,
  };
}
