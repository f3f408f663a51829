import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './until';

type Json = Readonly<Record<string, unknown>>;

/** A message of a channel, as stored by Slack. */
export interface SlackMessage {
  readonly ts: string;
  text: string;
  blocks: readonly Json[];
}

export interface SlackPerson {
  readonly id: string;
  readonly team: string;
  readonly name: string;
}

/** A signed request, as Slack sends it to the Request URL. */
export interface SignedPress {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A fake of the documented parts of Slack that Assay uses (docs.slack.dev): incoming webhooks,
 * which refuse blocks beyond the limits of Block Kit; signed `block_actions` requests, which
 * contain the state of input blocks; and `response_url`, which works five times, changes the
 * message or shows a text to one person.
 */
export interface FakeSlack {
  readonly origin: string;
  readonly webhookUrl: string;
  readonly messages: SlackMessage[];
  /** Texts that only one person sees, oldest first. */
  readonly ephemerals: { readonly user: string; readonly text: string }[];
  /** Answers to `response_url` wait for this. */
  hold: Promise<void>;
  /** The request for the button `action` of a message; throws if the message has none. */
  press(
    message: SlackMessage,
    action: string,
    by: SlackPerson,
    more?: { readonly reason?: string; readonly responseUrl?: string },
  ): SignedPress;
  sign(body: string, at?: Date): Readonly<Record<string, string>>;
  /** The message with the number `n`, once it has arrived. */
  message(n: number): Promise<SlackMessage>;
  close(): Promise<void>;
}

interface Channel {
  readonly messages: SlackMessage[];
  readonly ephemerals: { user: string; text: string }[];
  /** By the path of their `response_url`. */
  readonly responses: Map<string, PendingResponse>;
}

interface PendingResponse {
  readonly message: SlackMessage;
  readonly user: string;
  left: number;
}

/** @param secret signs the requests */
export async function startSlack(secret: string): Promise<FakeSlack> {
  const channel: Channel = { messages: [], ephemerals: [], responses: new Map() };
  const { messages, ephemerals, responses } = channel;
  const server = createServer((request, response) => {
    void textOf(request).then(async (text) => {
      const used = responses.get(request.url ?? '');
      if (used !== undefined) await fake.hold;
      // A caller that gave up has no effect, so that a test sees the real order of the waits.
      if (request.socket.destroyed) return;
      const sent = JSON.parse(text) as Json;
      const status =
        used === undefined ? take(channel, request.url, sent) : respond(channel, used, sent);
      response.writeHead(status).end(status === 200 ? 'ok' : 'invalid_blocks');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sign = (body: string, at = new Date()) => signed(secret, body, at);
  const fake: FakeSlack = {
    origin,
    webhookUrl: origin + hookPath,
    messages,
    ephemerals,
    hold: Promise.resolve(),
    sign,
    press(message, action, by, more = {}) {
      const path = `/actions/T0/${responses.size}/token`;
      responses.set(path, { message, user: by.id, left: 5 });
      const payload = pressOf(message, action, by, more.reason ?? null);
      const body = new URLSearchParams({
        payload: JSON.stringify({ ...payload, response_url: more.responseUrl ?? origin + path }),
      }).toString();
      return { body, headers: sign(body) };
    },
    message: (n) => until(`message ${n}`, () => Promise.resolve(messages[n] ?? null)),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return fake;
}

const hookPath = '/services/T0/B0/hook';

/** The incoming webhook. */
function take({ messages }: Channel, path: string | undefined, sent: Json): number {
  if (path !== hookPath) return 404;
  if (faultOf(sent) !== null) return 400;
  const { text = '', blocks = [] } = sent as { text?: string; blocks?: readonly Json[] };
  messages.push({ ts: `1700000000.${String(messages.length).padStart(6, '0')}`, text, blocks });
  return 200;
}

function respond({ messages, ephemerals }: Channel, used: PendingResponse, sent: Json): number {
  if (used.left-- <= 0) return 404;
  const { text = '', blocks = [] } = sent as { text?: string; blocks?: readonly Json[] };
  if (sent.response_type === 'ephemeral') ephemerals.push({ user: used.user, text });
  else if (sent.replace_original === true) Object.assign(used.message, { text, blocks });
  else messages.push({ ts: 'new', text, blocks });
  return 200;
}

function signed(secret: string, body: string, at: Date): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const hmac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${hmac}`,
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The payload `block_actions`. */
function pressOf(
  message: SlackMessage,
  action: string,
  by: SlackPerson,
  reason: string | null,
): Json {
  const elements = message.blocks.flatMap((block) =>
    block.type === 'actions' ? (block.elements as readonly Json[]) : [],
  );
  const button = elements.find((each) => each.action_id === action);
  if (button === undefined) throw new Error(`the message has no button ${action}`);
  const inputs = message.blocks.filter(({ type }) => type === 'input');
  const values = Object.fromEntries(
    inputs.map(({ block_id, element }) => {
      const { action_id, type } = element as { action_id: string; type: string };
      return [String(block_id), { [action_id]: { type, value: reason } }];
    }),
  );
  return {
    type: 'block_actions',
    user: { id: by.id, username: by.name, name: by.name, team_id: by.team },
    api_app_id: 'A0',
    token: 'deprecated',
    container: { type: 'message', message_ts: message.ts, channel_id: 'C0', is_ephemeral: false },
    trigger_id: '1.2.3',
    team: { id: 'T0', domain: 'example' },
    channel: { id: 'C0', name: 'alerts' },
    message: { type: 'message', ts: message.ts, text: message.text, blocks: message.blocks },
    state: { values },
    actions: [{ ...button, block_id: 'b', action_ts: '1700000000.1' }],
  };
}

const textLimits: Readonly<Record<string, number>> = { section: 3000, button: 75, input: 2000 };

/** The first fault in a message, by the documented limits; null if Slack accepts it. */
export function faultOf(message: Json): string | null {
  const { text, blocks } = message as { text?: unknown; blocks?: readonly Json[] };
  if (typeof text !== 'string' || text.length > 40_000) return 'text';
  if (blocks === undefined) return null;
  if (blocks.length === 0 || blocks.length > 50) return 'blocks';
  for (const block of blocks) {
    const fault = blockFault(block);
    if (fault !== null) return fault;
  }
  const ids = blocks.flatMap(({ block_id }) => (block_id === undefined ? [] : [block_id]));
  return new Set(ids).size === ids.length ? null : 'block_id is not unique';
}

function blockFault(block: Json): string | null {
  const { block_id } = block as { block_id?: string };
  if (block_id !== undefined && block_id.length > 255) return 'block_id';
  switch (block.type) {
    case 'section':
      return textFault(block.text, ['plain_text', 'mrkdwn'], textLimits.section);
    case 'input': {
      const { type, action_id, max_length } = block.element as Json;
      if (type !== 'plain_text_input' || String(action_id).length > 255) return 'element';
      if (Number(max_length) < 1 || Number(max_length) > 3000) return 'max_length';
      return textFault(block.label, ['plain_text'], textLimits.input);
    }
    case 'actions': {
      const elements = block.elements as readonly Json[];
      if (elements.length === 0 || elements.length > 25) return 'elements';
      const ids = elements.map(({ action_id }) => action_id);
      if (new Set(ids).size !== ids.length) return 'action_id is not unique';
      return elements.map(buttonFault).find((fault) => fault !== null) ?? null;
    }
    default:
      return 'type';
  }
}

function buttonFault({ type, action_id, value, style, text }: Json): string | null {
  if (type !== 'button') return 'element';
  if (typeof action_id !== 'string' || action_id.length > 255) return 'action_id';
  if (typeof value !== 'string' || value.length > 2000) return 'value';
  if (style !== undefined && style !== 'primary' && style !== 'danger') return 'style';
  return textFault(text, ['plain_text'], textLimits.button);
}

function textFault(text: unknown, types: readonly string[], max = 0): string | null {
  const { type, text: content, verbatim } = text as Json;
  if (!types.includes(String(type))) return 'type of text';
  if (typeof content !== 'string' || content.length < 1 || content.length > max) return 'text';
  return verbatim !== undefined && type !== 'mrkdwn' ? 'verbatim' : null;
}
