import type { GatewayDialect } from '../../domain';
import { ANSWER_NAME } from '../dialects/chat-request';
import type { EnvelopeShape } from '../dialects/dialect';
import type { GatewayRoute } from '../exchange';

/**
 * How a model is asked for an envelope (INT-3, INT-17): a rule in its system prompt, and the
 * reply's shape where its provider knows one.
 */

/** The rule's first words, by which a request is known that the rule was added to. */
const MARK = 'Rule #-1 (it stands above all other rules)';

const RULE = `${MARK}: state a figure only if a source of this very turn shows it. Figures are numbers, amounts, percentages, dates, times and versions; sources are results of tools and blocks of context that came with this turn. Do not state figures from memory, from earlier turns or by calculating. Where a source is lacking, say that the data is lacking.`;

/** First words of what is asked for beyond the rule. */
const ENVELOPE_MARK = 'Reply with one JSON object and nothing else:';

const ENVELOPE_RULE = `${RULE}
${ENVELOPE_MARK} {"answer": "the whole answer, as the user is to read it", "facts": [{"value": "a figure, written as in the answer", "source_id": "the id of the tool call or context block", "path": "the exact place in it, such as rows[0].disk_pct"}]}. List one fact for each figure of the answer, and an empty list where it has none.`;

/** `Envelope` as JSON Schema, in the strict form that providers ask for. */
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

/**
 * Whether answers of the route are held until their figures are traced; the kill switch is above
 * the route (INT-11).
 */
export function holdsFigures({ project, settings }: GatewayRoute): boolean {
  return settings.integrity.mode === 'hold' && !project.integrityOff;
}

/**
 * How the route's upstream takes the shape of an answer. Of compatible servers only those are asked
 * that are known to take it: others may refuse the request for it, and get the rule alone.
 */
function shapeOf({ api, baseUrl, provider }: GatewayRoute, dialect: GatewayDialect): EnvelopeShape {
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

/** Bytes of a request that a rule is added to. */
const RULED_BYTES_MAX = 1_048_576;

/**
 * What `withRule` is given for a request of the route; null: nothing is added to it, and its answer
 * is scanned as it comes. So are the answers where tools are offered, a shape is asked for already,
 * or more than one choice, and above 5,000 messages.
 * @param takesShape false: the upstream refuses shapes, and gets the rule alone
 */
export function envelopeRule(
  route: GatewayRoute,
  dialect: GatewayDialect,
  body: Buffer,
  takesShape = true,
): readonly [rule: string, schema: object | null, shape: EnvelopeShape] | null {
  if (!holdsFigures(route) || body.length > RULED_BYTES_MAX) return null;
  const shape = takesShape ? shapeOf(route, dialect) : 'none';
  return shape === 'none' ? [RULE, null, shape] : [ENVELOPE_RULE, SCHEMA, shape];
}

/**
 * How a request asks for an envelope. `strict`: the upstream is given its schema, and any other
 * JSON is a malformed one.
 */
export type EnvelopeAsked = 'strict' | 'loose';

/** Of a request as it went up: only where it asks may a reply be unwrapped. Null: it does not. */
export function asksEnvelope(
  route: GatewayRoute,
  dialect: GatewayDialect,
  body: Buffer,
): EnvelopeAsked | null {
  if (!holdsFigures(route) || shapeOf(route, dialect) === 'none' || !body.includes(ENVELOPE_MARK))
    return null;
  return body.includes(ANSWER_NAME) ? 'strict' : 'loose';
}
