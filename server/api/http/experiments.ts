import { z } from '@hono/zod-openapi';
import {
  cancelExperiment,
  finishOutputs,
  resumeExperiment,
  sendOutputs,
  startExperiment,
  type StartedExperiment,
} from '../../experiments';
import {
  experimentLimits,
  OutputsBody,
  ResumeExperimentBody,
  SentOutput,
  StartExperimentBody,
} from '../../experiments/input';
import type { ProjectCtx } from '../../access';
import { answerRequestOnce } from '../../ingest';
import { derivedId } from '../../platform';
import { readBody } from './body';
import { readIdempotencyKey } from './idempotency';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { webIncoming } from './web-incoming';

const Started = z
  .object({ id: z.string(), job_id: z.string().nullable(), url: z.string() })
  .openapi('StartedExperiment');
const Taken = z
  .object({
    accepted: z.number().int(),
    duplicates: z.number().int(),
    rejected: z.array(z.object({ index: z.number().int(), code: z.string(), message: z.string() })),
  })
  .openapi('OutputsTaken');
/** The handler reads the outputs one by one: a bad one does not affect the others. */
const DescribedOutputs = OutputsBody.extend({
  outputs: z.array(SentOutput).min(1).max(experimentLimits.outputsPerRequest),
});
const PathId = z.object({ id: z.string() });

export const experimentRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/experiments',
    scope: 'verify',
    // Settings, which may have keys for the target; outputs are masked when they are stored.
    masking: 'none',
    summary: 'Start an experiment: a target over a version of a dataset, with verifiers',
    body: StartExperimentBody,
    answers: { 202: Started },
    handle: async (c, project, { subjects }) => {
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const key = readIdempotencyKey(incoming);
      const input = parse(StartExperimentBody, readJsonBody(bytes), 'body');
      const id = key === null ? undefined : derivedId('exp', project.projectId, 'start', key);
      const answer = await answerRequestOnce(project, key, '/v1/experiments', bytes, async () => ({
        status: 202,
        body: reply(project, await startExperiment(project, subjects, { ...input, id })),
      }));
      return c.json(answer.body as object, 202);
    },
  },
  {
    method: 'post',
    path: '/v1/experiments/{id}/outputs',
    scope: 'verify',
    summary: 'Send outputs of your own program for an experiment with a target of type outputs',
    params: PathId,
    body: DescribedOutputs,
    answers: { 202: Taken },
    handle: async (c, project, { writer, masks }) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const { outputs } = parse(OutputsBody, readJsonBody(bytes), 'body');
      const id = c.req.param('id') ?? '';
      const body = bytes.toString('utf8');
      return c.json(await sendOutputs(project, { writer, masks }, { id, body, outputs }), 202);
    },
  },
  {
    method: 'post',
    path: '/v1/experiments/{id}/finish',
    scope: 'verify',
    summary: 'End the sending of outputs; rows without one have failed',
    params: PathId,
    answers: { 202: Started },
    handle: async (c, project) =>
      c.json(reply(project, await finishOutputs(project, c.req.param('id') ?? '')), 202),
  },
  {
    method: 'post',
    path: '/v1/experiments/{id}/cancel',
    scope: 'verify',
    summary: 'Stop an experiment and keep its outputs and verdicts',
    params: PathId,
    answers: { 200: Started },
    handle: async (c, project) => {
      const id = c.req.param('id') ?? '';
      const { jobId } = await cancelExperiment(project, id);
      return c.json(reply(project, { id, jobId }));
    },
  },
  {
    method: 'post',
    path: '/v1/experiments/{id}/resume',
    scope: 'verify',
    summary: 'Continue an experiment that was cancelled, failed or used up its budget',
    params: PathId,
    body: ResumeExperimentBody,
    answers: { 202: Started },
    handle: async (c, project) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const sent = bytes.length === 0 ? {} : readJsonBody(bytes);
      const input = parse(ResumeExperimentBody, sent, 'body');
      const resumed = await resumeExperiment(project, c.req.param('id') ?? '', input);
      return c.json(reply(project, resumed), 202);
    },
  },
];

const reply = (
  { env, projectSlug }: ProjectCtx,
  { id, jobId }: StartedExperiment,
): z.infer<typeof Started> => ({
  id,
  job_id: jobId,
  url: `${env.webUrl}/p/${projectSlug}/experiments/${id}`,
});
