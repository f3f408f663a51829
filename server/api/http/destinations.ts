import { z } from '@hono/zod-openapi';
import {
  createDestination,
  deleteDestination,
  type Delivery,
  type Destination,
  findFirstSecret,
  listDeliveries,
  listDestinations,
  replayDelivery,
  updateDestination,
} from '../../deliveries';
import {
  CreateDestination,
  DeliveryState,
  DestinationKind,
  DestinationSends,
  UpdateDestination,
} from '../../deliveries/input';
import { derivedId } from '../../platform';
import { answerRequestOnce } from '../../ingest';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { readIdempotencyKey } from './idempotency';
import { webIncoming } from './web-incoming';

const DestinationReply = z
  .object({
    id: z.string(),
    kind: DestinationKind,
    name: z.string(),
    /** For `slack` only the start of the address: the rest is its secret. */
    url: z.string(),
    sends: z.array(DestinationSends),
    outcomes: z.array(z.string()),
    enabled: z.boolean(),
    /** Headers are sent with each delivery, and never shown again. */
    has_headers: z.boolean(),
    /**
     * The Request URL for the interactivity of a Slack app; null without a signing secret: messages
     * then have no buttons.
     */
    actions_url: z.string().nullable(),
    created_by: z.string(),
    created_at: z.string(),
    /** A webhook's signing secret if this request created it, else null. */
    secret: z.string().nullable(),
  })
  .openapi('Destination');

const DeliveriesQuery = z.object({
  destination_id: z.string().min(1).max(200).optional(),
  state: DeliveryState.optional(),
  cursor: z.string().max(500).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

const DeliveryReply = z
  .object({
    id: z.string(),
    destination_id: z.string(),
    /** The content sent: a verification, or a notice with its subject. */
    verification_id: z.string().nullable(),
    notice_id: z.string().nullable(),
    subject: z.string().nullable(),
    state: DeliveryState,
    attempts: z.number().int(),
    /**
     * The next attempt; null when there is none: delivered, dead, or its destination switched off.
     */
    due_at: z.string().nullable(),
    last_error: z.string().nullable(),
    created_at: z.string(),
    delivered_at: z.string().nullable(),
  })
  .openapi('Delivery');

const Id = z.object({ id: z.string() });

export const destinationRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/destinations',
    scope: 'read',
    summary: 'List destinations of verdicts, alerts and reports',
    answers: {
      200: z
        .object({ data: z.array(DestinationReply), next_cursor: z.null() })
        .openapi('Destinations'),
    },
    handle: async (c, project) => {
      const destinations = await listDestinations(project);
      return c.json({
        data: destinations.map((each) => destinationReply(each, null)),
        next_cursor: null,
      });
    },
  },
  {
    method: 'post',
    path: '/v1/destinations',
    scope: 'write',
    summary:
      'Create a destination of verdicts, alerts and reports: webhook, OTLP collector, chat or e-mail',
    body: CreateDestination,
    answers: { 201: DestinationReply },
    handle: async (c, project) => {
      const incoming = webIncoming(c.req.raw);
      const { bytes } = await readBody(incoming);
      const key = readIdempotencyKey(incoming);
      const input = parse(CreateDestination, readJsonBody(bytes), 'body');
      const id = key === null ? undefined : derivedId('dst', project.projectId, key);
      const created: { secret: string | null } = { secret: null };
      const answer = await answerRequestOnce(project, key, '/v1/destinations', bytes, async () => {
        const { destination, secret } = await createDestination(project, input, id);
        created.secret = secret;
        // The stored answer must not contain the secret.
        return { status: 201, body: destinationReply(destination, null) };
      });
      if (id !== undefined) created.secret ??= await findFirstSecret(project, id);
      return c.json({ ...(answer.body as object), secret: created.secret }, 201);
    },
  },
  {
    method: 'put',
    path: '/v1/destinations/{id}',
    scope: 'write',
    summary: 'Change a destination; a new origin gets a new secret',
    params: Id,
    body: UpdateDestination,
    answers: { 200: DestinationReply },
    handle: async (c, project) => {
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const input = parse(UpdateDestination, readJsonBody(bytes), 'body');
      const { destination, secret } = await updateDestination(
        project,
        c.req.param('id') ?? '',
        input,
      );
      return c.json(destinationReply(destination, secret));
    },
  },
  {
    method: 'delete',
    path: '/v1/destinations/{id}',
    scope: 'write',
    summary: 'Delete a destination and its pending deliveries',
    params: Id,
    answers: { 200: Id },
    handle: async (c, project) => {
      const id = c.req.param('id') ?? '';
      await deleteDestination(project, id);
      return c.json({ id });
    },
  },
  {
    method: 'post',
    path: '/v1/destinations/{id}/actions',
    scope: null,
    summary: 'Take a pressed button of a message in Slack, which signs the request',
    params: Id,
    answers: { 200: null },
  },
  {
    method: 'get',
    path: '/v1/deliveries',
    scope: 'read',
    summary: 'List deliveries, including pending and abandoned ones, newest first',
    query: DeliveriesQuery,
    answers: {
      200: z
        .object({ data: z.array(DeliveryReply), next_cursor: z.string().nullable() })
        .openapi('Deliveries'),
    },
    handle: async (c, project) => {
      const { destination_id: destination, ...query } = parse(
        DeliveriesQuery,
        c.req.query(),
        'query',
      );
      const page = await listDeliveries(project, { ...query, destination });
      return c.json({ data: page.items.map(deliveryReply), next_cursor: page.nextCursor });
    },
  },
  {
    method: 'post',
    path: '/v1/deliveries/{id}/replay',
    scope: 'write',
    summary: 'Send a delivery again, under the same id',
    params: Id,
    answers: { 200: Id },
    handle: async (c, project) => {
      const id = c.req.param('id') ?? '';
      await replayDelivery(project, id);
      return c.json({ id });
    },
  },
];

function destinationReply(
  destination: Destination,
  secret: string | null,
): z.infer<typeof DestinationReply> {
  return {
    id: destination.id,
    kind: destination.kind,
    name: destination.name,
    url: destination.url,
    sends: [...destination.sends],
    outcomes: [...destination.outcomes],
    enabled: destination.enabled,
    has_headers: destination.hasHeaders,
    actions_url: destination.actionsUrl,
    created_by: destination.createdBy,
    created_at: destination.createdAt.toISOString(),
    secret,
  };
}

function deliveryReply(delivery: Delivery): z.infer<typeof DeliveryReply> {
  return {
    id: delivery.id,
    destination_id: delivery.destinationId,
    verification_id: delivery.verdictId,
    notice_id: delivery.noticeId,
    subject: delivery.subject,
    state: delivery.state,
    attempts: delivery.attempts,
    due_at: delivery.nextAttemptAt?.toISOString() ?? null,
    last_error: delivery.lastError,
    created_at: delivery.createdAt.toISOString(),
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
  };
}
