import { z } from '@hono/zod-openapi';
import { DecisionState } from '../../domain';
import { type Decision, listDecisions } from '../../rules';
import { RuleName } from '../../rules/input';
import type { Route } from './route';
import { parse } from './request-input';

const DecisionsQuery = z.object({
  subject_id: z.string().min(1).max(200).optional(),
  rule: RuleName.optional(),
  state: DecisionState.optional(),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const DecisionReply = z
  .object({
    subject_id: z.string(),
    subject_kind: z.string(),
    revision: z.number().int(),
    rule: z.string(),
    rule_version: z.number().int(),
    verifier: z.string(),
    state: DecisionState,
    reason: z.string().nullable(),
    verification_id: z.string().nullable(),
    settled: z.boolean(),
    decided_at: z.string(),
  })
  .openapi('Decision');

export const decisionRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/decisions',
    scope: 'read',
    summary:
      'Decisions of rules about a subject, or of one rule: the reasons for a verdict or its absence',
    query: DecisionsQuery,
    answers: {
      200: z
        .object({ data: z.array(DecisionReply), next_cursor: z.string().nullable() })
        .openapi('Decisions'),
    },
    handle: async (c, project) => {
      const { subject_id: subject, ...query } = parse(DecisionsQuery, c.req.query(), 'query');
      const page = await listDecisions(project, { ...query, subject });
      return c.json({ data: page.items.map(decisionReply), next_cursor: page.nextCursor });
    },
  },
];

function decisionReply(decision: Decision): z.infer<typeof DecisionReply> {
  return {
    subject_id: decision.subjectId,
    subject_kind: decision.subjectKind,
    revision: decision.revision,
    rule: decision.rule,
    rule_version: decision.ruleVersion,
    verifier: decision.verifier,
    state: decision.state,
    reason: decision.reason,
    verification_id: decision.verdictId,
    settled: decision.settled,
    decided_at: decision.decidedAt.toISOString(),
  };
}
