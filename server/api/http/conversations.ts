import { z } from '@hono/zod-openapi';
import { endConversation } from '../../rules';
import type { Route } from './route';

const Ended = z
  .object({
    id: z.string(),
    /** Verifications that its rules planned now. */
    verifications: z.number().int(),
  })
  .openapi('Ended');

const endRoute = (target: 'session' | 'mission'): Route => ({
  method: 'post',
  path: `/v1/${target}s/{id}/end`,
  scope: 'write',
  summary: `End a ${target}: rules apply now instead of after its idle time`,
  params: z.object({ id: z.string() }),
  answers: { 202: Ended },
  handle: async (c, project, { rules }) => {
    const id = c.req.param('id') ?? '';
    const verifications = await endConversation(project, rules, { target, id });
    return c.json({ id, verifications }, 202);
  },
});

export const conversationRoutes: readonly Route[] = [endRoute('session'), endRoute('mission')];
