import { z } from 'zod';
import { reasonField, SlackAction, type SlackUser } from '../deliveries';
import { invalid } from '../platform';

const Id = z.string().min(1).max(200);

/**
 * The used parts of Slack's request when a button of a message is pressed
 * (docs.slack.dev/reference/interaction-payloads/block_actions-payload).
 */
const BlockActions = z.object({
  user: z.object({
    id: Id,
    team_id: Id.nullish(),
    name: z.string().nullish(),
    username: z.string().nullish(),
  }),
  team: z.object({ id: Id }).nullish(),
  response_url: z.string().max(2000),
  message: z.object({ ts: Id, text: z.string().max(40_000).nullish() }),
  state: z
    .object({
      values: z.record(z.string(), z.record(z.string(), z.object({ value: z.unknown() }))),
    })
    .nullish(),
  actions: z.array(z.object({ action_id: z.string(), value: z.string().nullish() })).min(1),
});

/** A pressed button. */
export interface PressedButton {
  readonly action: SlackAction;
  /** The id of the event or of the verdict. */
  readonly value: string;
  readonly user: SlackUser;
  /** The content of the reason's field; empty without one. */
  readonly reason: string;
  readonly message: { readonly ts: string; readonly text: string };
  readonly responseUrl: string;
}

/**
 * Reads the body of a signed request: a form whose field `payload` is JSON. Null for interactions
 * that need no answer, such as those of other elements in the workspace's own messages.
 * @throws AssayError invalid_request
 */
export function readPayload(body: Buffer): PressedButton | null {
  const payload = parseJson(new URLSearchParams(body.toString('utf8')).get('payload'));
  if (z.object({ type: z.literal('block_actions') }).safeParse(payload).success === false)
    return null;
  const { data } = BlockActions.safeParse(payload);
  const [pressed] = data?.actions ?? [];
  const action = SlackAction.safeParse(pressed?.action_id).data;
  if (data === undefined || pressed === undefined || action === undefined) return null;
  const { user, team, message, state } = data;
  const reason = state?.values[reasonField]?.[reasonField]?.value;
  return {
    action,
    value: pressed.value ?? '',
    user: {
      id: user.id,
      teamId: user.team_id ?? team?.id ?? '',
      name: (user.name ?? user.username ?? user.id).slice(0, 200),
    },
    reason: typeof reason === 'string' ? reason : '',
    message: { ts: message.ts, text: message.text ?? '' },
    responseUrl: data.response_url,
  };
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    throw invalid('payload: must be JSON, in a form as Slack sends it');
  }
}
