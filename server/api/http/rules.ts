import { z } from '@hono/zod-openapi';
import { Mapping, SourceSettings } from '../../domain';
import { derivedId } from '../../platform';
import {
  backfillRule,
  draftRule,
  deleteRule,
  getRule,
  listRules,
  putRule,
  type RuleSummary,
} from '../../rules';
import { RuleBody, RuleFilter, RuleName } from '../../rules/input';
import { answerRequestOnce } from '../../ingest';
import { previewRule, type RulePreview } from '../../verdicts';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { readIdempotencyKey } from './idempotency';
import { JobReply, jobReply } from './jobs';
import { webIncoming } from './web-incoming';

const Rule = z
  .object({
    name: z.string(),
    version: z.number().int(),
    verifier: z.string(),
    target: z.string(),
    filter: RuleFilter.nullable(),
    mapping: Mapping.nullable(),
    sampling: z.number(),
    sample_by: z.enum(['subject', 'session']),
    every: z.number().int().nullable(),
    delay_seconds: z.number().int(),
    daily_budget: z.number().int().nullable(),
    daily_budget_usd: z.number().nullable(),
    sources: SourceSettings.nullable(),
    enabled: z.boolean(),
    spent_today: z.number().int().nullable(),
    /** In the last seven UTC days. */
    decisions: z.record(z.string(), z.number().int()),
    updated_at: z.string(),
  })
  .openapi('Rule');

const Time = z.iso.datetime({ offset: true }).transform((time) => new Date(time));
const BackfillBody = z.strictObject({
  from: Time.optional(),
  to: Time.optional(),
  /** If true, returns the result without making the change. */
  dry_run: z.boolean().default(false),
});
const Named = z.object({ name: z.string() });

const previewMax = 10_000;
const PreviewBody = RuleBody.extend({
  name: RuleName.default('preview'),
  /** The number of latest subjects to check. */
  limit: z.number().int().min(1).max(previewMax).default(1000),
});
const Estimate = z.object({
  matched: z.number().int(),
  of: z.number().int(),
  sampled: z.number().int(),
  judge_calls: z.number().int(),
  cost_usd: z.number().nullable(),
});
const Preview = Estimate.extend({
  subjects: z.array(z.record(z.string(), z.unknown())),
  prompt: z.string().nullable(),
}).openapi('RulePreview');

export const ruleRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/v1/rules/preview',
    scope: 'verify',
    // As the stored rule: filters are not masked.
    masking: 'none',
    summary: 'Preview the decisions of a rule on received turns; calls no model and stores nothing',
    body: PreviewBody.openapi('RulePreviewBody'),
    answers: { 200: Preview },
    handle: async (c, project, { subjects }) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const { name, limit, ...body } = parse(PreviewBody, readJsonBody(bytes), 'body');
      const preview = await previewRule(project, subjects, await draftRule(project, name, body), {
        limit,
      });
      return c.json({
        ...estimateReply(preview),
        subjects: preview.subjects,
        prompt: preview.prompt,
      });
    },
  },
  {
    method: 'get',
    path: '/v1/rules',
    scope: 'read',
    summary: 'List rules by name, with their decisions of the last seven days',
    answers: { 200: z.object({ data: z.array(Rule), next_cursor: z.null() }).openapi('Rules') },
    handle: async (c, project) =>
      c.json({ data: (await listRules(project)).map(ruleReply), next_cursor: null }),
  },
  {
    method: 'get',
    path: '/v1/rules/{name}',
    scope: 'read',
    summary: 'One rule',
    params: Named,
    answers: { 200: Rule },
    handle: async (c, project) =>
      c.json(ruleReply(await getRule(project, c.req.param('name') ?? ''))),
  },
  {
    method: 'put',
    path: '/v1/rules/{name}',
    scope: 'write',
    summary: 'Create or replace a rule, which sends matching turns to a verifier',
    params: Named,
    body: RuleBody,
    answers: { 200: Rule },
    handle: async (c, project, { rules }) => {
      const name = parse(RuleName, c.req.param('name'), 'name');
      const { bytes } = await readBody(webIncoming(c.req.raw));
      await putRule(project, rules, name, parse(RuleBody, readJsonBody(bytes), 'body'));
      return c.json(ruleReply(await getRule(project, name)));
    },
  },
  {
    method: 'delete',
    path: '/v1/rules/{name}',
    scope: 'write',
    summary: 'Delete a rule; its decisions are kept',
    params: Named,
    answers: { 200: Named },
    handle: async (c, project, { rules }) => {
      const name = c.req.param('name') ?? '';
      await deleteRule(project, rules, name);
      return c.json({ name });
    },
  },
  {
    method: 'post',
    path: '/v1/rules/{name}/backfill',
    scope: 'write',
    summary: 'Apply a rule to stored turns',
    params: Named,
    body: BackfillBody.openapi('Backfill'),
    answers: { 200: Estimate.openapi('BackfillEstimate'), 202: JobReply },
    handle: async (c, project, { subjects }) => {
      const name = c.req.param('name') ?? '';
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const key = readIdempotencyKey(incoming);
      const { dry_run: isDry, ...range } = parse(BackfillBody, readJsonBody(bytes), 'body');
      if (isDry) {
        const rule = await getRule(project, name);
        const wanted = { ...range, limit: previewMax };
        return c.json(estimateReply(await previewRule(project, subjects, rule, wanted)));
      }
      const answer = await answerRequestOnce(
        project,
        key,
        `/v1/rules/${name}/backfill`,
        bytes,
        async () => {
          const jobId =
            key === null ? undefined : derivedId('job', project.projectId, 'backfill', name, key);
          return {
            status: 202,
            body: jobReply(await backfillRule(project, { name, ...range, jobId })),
          };
        },
      );
      return c.json(answer.body as object, 202);
    },
  },
];

const estimateReply = ({ matched, of, sampled, judgeCalls, costUsd }: RulePreview) => ({
  matched,
  of,
  sampled,
  judge_calls: judgeCalls,
  cost_usd: costUsd,
});

function ruleReply(rule: RuleSummary): z.infer<typeof Rule> {
  return {
    name: rule.name,
    version: rule.version,
    verifier: rule.verifier,
    target: rule.target,
    filter: rule.filter,
    mapping: rule.mapping,
    sampling: rule.sampling,
    sample_by: rule.sampleBy,
    every: rule.every,
    delay_seconds: rule.delaySeconds,
    daily_budget: rule.dailyBudget,
    daily_budget_usd: rule.dailyBudgetUsd,
    sources: rule.sources,
    enabled: rule.enabled,
    spent_today: rule.spentToday,
    decisions: Object.fromEntries(rule.decided.map(({ state, count }) => [state, count])),
    updated_at: rule.updatedAt.toISOString(),
  };
}
