import { z } from 'zod';
import { displayName, Outcome } from '../domain';

const Slug = z.string().min(2).max(40);
const Id = z.string().min(1).max(200);

export const DestinationKind = z.enum(['webhook', 'otlp', 'slack', 'email']);
export type DestinationKind = z.infer<typeof DestinationKind>;

/** The events sent to a destination. */
export const DestinationSends = z.enum(['verdicts', 'alerts', 'reports']);
export type DestinationSends = z.infer<typeof DestinationSends>;

/**
 * The events that a kind accepts; the first is the default. Verdicts would flood a mailbox; a chat
 * accepts them only with `outcomes`.
 */
export const sendsOf: Readonly<
  Record<DestinationKind, readonly [DestinationSends, ...DestinationSends[]]>
> = {
  webhook: ['verdicts', 'alerts', 'reports'],
  otlp: ['verdicts'],
  slack: ['alerts', 'reports', 'verdicts'],
  email: ['alerts', 'reports'],
};

export const DeliveryState = z.enum(['waiting', 'delivered', 'dead']);
export type DeliveryState = z.infer<typeof DeliveryState>;

/** A list and not an object, because clients choose the names. */
const Headers = z
  .array(z.strictObject({ name: z.string().min(1).max(100), value: z.string().max(4000) }))
  .max(20);

/** Slack's are 32 hexadecimal digits; chats like it may have others. */
const SigningSecret = z
  .string()
  .regex(/^[\x21-\x7e]{16,200}$/, 'must be 16 to 200 characters without spaces');

/**
 * Destinations of verdicts, alerts and reports. `url`: for `email`, addresses joined by commas; for
 * `slack`, the whole address of the incoming webhook, which is its secret. If `sends` is omitted,
 * `webhook` and `otlp` receive verdicts, `slack` and `email` receive alerts. `outcomes` filters
 * verdicts; empty means all, which `slack` does not accept. `signing_secret` is that of a Slack app:
 * with it, messages have buttons.
 */
export const CreateDestination = z.strictObject({
  kind: DestinationKind,
  name: displayName(100),
  url: z.string().min(1).max(2000),
  sends: z.array(DestinationSends).min(1, 'must have at least one item').max(3).optional(),
  outcomes: z.array(Outcome).max(6).default([]),
  enabled: z.boolean().default(true),
  headers: Headers.default([]),
  signing_secret: SigningSecret.optional(),
});
export type CreateDestination = z.infer<typeof CreateDestination>;

/**
 * Omitted `sends`, `outcomes` and `enabled` stay unchanged. Sending the shown `url` of a `slack`
 * destination keeps its address. Omitted `headers` keep the stored ones, unless the address has
 * another origin: they must then be provided again (S-45). `signing_secret`: omitted keeps the
 * stored one, unless the address has another origin; null removes it.
 */
export const UpdateDestination = CreateDestination.omit({ kind: true }).extend({
  outcomes: CreateDestination.shape.outcomes.removeDefault().optional(),
  enabled: z.boolean().optional(),
  headers: Headers.optional(),
  signing_secret: SigningSecret.nullable().optional(),
  rotate_secret: z.boolean().default(false),
});
export type UpdateDestination = z.infer<typeof UpdateDestination>;

export const CreateDestinationIn = CreateDestination.extend({ project: Slug });
export const UpdateDestinationIn = UpdateDestination.extend({ project: Slug, id: Id });
export const DestinationIn = z.strictObject({ project: Slug, id: Id });
/** The code of a link that Slack showed to one of its users. */
const LinkCode = z.string().regex(/^[\w.-]{1,2000}$/, 'must be the code of a link from Slack');
export const SlackLinksIn = z.strictObject({ project: Slug, code: LinkCode.optional() });
export const LinkCodeIn = z.strictObject({ project: Slug, code: LinkCode });
export const UnlinkIn = z.strictObject({
  project: Slug,
  destinationId: Id,
  teamId: z.string().max(200),
  slackUserId: Id,
});
export const ListDeliveriesIn = z.strictObject({
  project: Slug,
  destination: Id.optional(),
  state: DeliveryState.optional(),
  cursor: z.string().max(500).optional(),
  limit: z.number().int().min(1).max(200).optional(),
});
