import { z } from '@hono/zod-openapi';
import { SourceSettings } from '../../domain';
import { derivedId } from '../../platform';
import {
  backfillRule,
  deleteRule,
  getRule,
  listRules,
  putRule,
  type RuleSummary,
} from '../../rules';
import { RuleBody, RuleFilter, RuleName } from '../../rules/input';
import { answerOnce } from '../../ingest';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJson } from './door';
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
    sampling: z.number(),
    delay_seconds: z.number().int(),
    daily_budget: z.number().int().nullable(),
    sources: SourceSettings.nullable(),
    enabled: z.boolean(),
    spent_today: z.number().int().nullable(),
    /** In the last seven UTC days. */
    decisions: z.record(z.string(), z.number().int()),
    updated_at: z.string(),
  })
  .openapi('Rule');

const Time = z.iso.datetime({ offset: true }).transform((time) => new Date(time));
const BackfillBody = z.strictObject({ from: Time.optional(), to: Time.optional() });
const Named = z.object({ name: z.string() });

export const ruleRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/rules',
    scope: 'read',
    summary: 'The rules, by name, with what they decided in seven days',
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
    summary: 'Make or replace a rule: which turns it sends to which verifier',
    params: Named,
    body: RuleBody,
    answers: { 200: Rule },
    handle: async (c, project, { rules }) => {
      const name = parse(RuleName, c.req.param('name'), 'name');
      const { bytes } = await readBody(webIncoming(c.req.raw));
      await putRule(project, rules, name, parse(RuleBody, readJson(bytes), 'body'));
      return c.json(ruleReply(await getRule(project, name)));
    },
  },
  {
    method: 'delete',
    path: '/v1/rules/{name}',
    scope: 'write',
    summary: 'End a rule; its decisions stay',
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
    summary: 'Let a rule decide turns that are stored already',
    params: Named,
    body: BackfillBody.openapi('Backfill'),
    answers: { 202: JobReply },
    handle: async (c, project) => {
      const name = c.req.param('name') ?? '';
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const key = readIdempotencyKey(incoming);
      const range = parse(BackfillBody, readJson(bytes), 'body');
      const answer = await answerOnce(
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

function ruleReply(rule: RuleSummary): z.infer<typeof Rule> {
  return {
    name: rule.name,
    version: rule.version,
    verifier: rule.verifier,
    target: rule.target,
    filter: rule.filter,
    sampling: rule.sampling,
    delay_seconds: rule.delaySeconds,
    daily_budget: rule.dailyBudget,
    sources: rule.sources,
    enabled: rule.enabled,
    spent_today: rule.spentToday,
    decisions: Object.fromEntries(rule.decided.map(({ state, count }) => [state, count])),
    updated_at: rule.updatedAt.toISOString(),
  };
}
