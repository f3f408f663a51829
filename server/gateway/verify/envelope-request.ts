import type { GatewayDialect } from '../../domain';
import { ANSWER_NAME } from '../dialects/chat-request';
import type { EnvelopeShape } from '../dialects/dialect';
import type { GatewayRoute } from '../exchange';

/**
 * Requests an envelope from a model (INT-3, INT-17): a rule in its system prompt, and a response
 * schema if its provider supports one.
 */

/** The rule's first words; they mark a request that has the rule. */
const MARK = 'Rule #-1 (it stands above all other rules)';

const RULE = `${MARK}: state a figure only if a source of this very turn shows it. Figures are numbers, amounts, percentages, dates, times and versions; sources are results of tools and blocks of context that came with this turn. Do not state figures from memory, from earlier turns or by calculating. Where a source is lacking, say that the data is lacking.`;

/** First words of the envelope instructions. */
const ENVELOPE_MARK = 'Reply with one JSON object and nothing else:';

const ENVELOPE_RULE = `${RULE}
${ENVELOPE_MARK} {"answer": "the whole answer, as the user is to read it", "facts": [{"value": "a figure, written as in the answer", "source_id": "the id of the tool call or context block", "path": "the exact place in it, such as rows[0].disk_pct"}]}. List one fact for each figure of the answer, and an empty list where it has none.`;

/** `Envelope` as JSON Schema, in the form that the providers' strict modes require. */
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['answer', 'facts'],
  properties: {
    answer: { type: 'string' },
    facts: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['value', 'source_id', 'path'],
        properties: {
          value: { type: 'string' },
          source_id: { type: 'string' },
          path: { type: 'string' },
        },
      },
    },
  },
} as const;

/** Whether the route checks figures before delivery; the kill switch overrides it (INT-11). */
export function checksFigures({ project, settings }: GatewayRoute): boolean {
  return settings.integrity.mode === 'hold' && !project.integrityOff;
}

/**
 * How the route's upstream accepts a response schema. Compatible servers may reject requests that
 * have one, so only those known to support it get more than the rule.
 */
function shapeOf({ api, baseUrl, provider }: GatewayRoute, dialect: GatewayDialect): EnvelopeShape {
  // These APIs have their own members for a schema.
  if (dialect === 'gemini' || dialect === 'ollama') return 'json_schema';
  if (api === 'anthropic' || dialect === 'messages')
    return dialect === 'messages' ? 'forced_tool' : 'none';
  const { hostname, port } = new URL(baseUrl);
  if (provider?.kind === 'openai' || hostname === 'api.openai.com') return 'json_schema';
  if (provider?.kind === 'google' || hostname === 'generativelanguage.googleapis.com')
    return 'json_schema';
  const isOllama =
    port === '11434' || /\bollama\b/i.test(hostname) || /ollama/i.test(provider?.name ?? '');
  return isOllama && dialect === 'chat' ? 'json_best_effort' : 'none';
}

/** Maximum size of a request that gets a rule. */
const RULED_BYTES_MAX = 1_048_576;

/**
 * Arguments of `withRule` for a request of the route; null if nothing is added, and the answer is
 * scanned as is. The same applies if tools are offered, a response format is set, more than one
 * choice is requested, or the request has more than 5,000 messages.
 * @param acceptsSchema false if the upstream rejects schemas and gets only the rule
 */
export function envelopeRule(
  route: GatewayRoute,
  dialect: GatewayDialect,
  body: Buffer,
  acceptsSchema = true,
): readonly [rule: string, schema: object | null, shape: EnvelopeShape] | null {
  if (!checksFigures(route) || body.length > RULED_BYTES_MAX) return null;
  const shape = acceptsSchema ? shapeOf(route, dialect) : 'none';
  return shape === 'none' ? [RULE, null, shape] : [ENVELOPE_RULE, SCHEMA, shape];
}

/**
 * How a request requires an envelope. `strict`: with a schema, so that any other JSON is malformed.
 */
export type EnvelopeRequest = 'strict' | 'loose';

/**
 * How a sent request requires an envelope, which decides whether replies may be unwrapped. Null if
 * it does not.
 */
export function readEnvelopeRequest(
  route: GatewayRoute,
  dialect: GatewayDialect,
  body: Buffer,
): EnvelopeRequest | null {
  if (!checksFigures(route) || shapeOf(route, dialect) === 'none' || !body.includes(ENVELOPE_MARK))
    return null;
  return body.includes(ANSWER_NAME) ? 'strict' : 'loose';
}
