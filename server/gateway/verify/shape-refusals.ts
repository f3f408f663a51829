import type { GatewayDialect } from '../../domain';
import type { GatewayRoute } from '../exchange';

/** What refuses a shape: a model of one upstream, by one API, as one project reaches it. */
export interface ShapeAsked {
  readonly route: GatewayRoute;
  readonly dialect: GatewayDialect;
  readonly model: string | null;
}

/**
 * Upstreams that refused the shape of an answer, so that they are not asked for it with every call.
 * One of each process.
 */
export interface ShapeRefusals {
  isRefused(asked: ShapeAsked): boolean;
  /** The same request went well without the shape. */
  note(asked: ShapeAsked): void;
}

/** After this time the shape is asked for again: servers are updated. */
const REMEMBERED_MS = 15 * 60_000;
const REMEMBERED_MAX = 1_000;

export function createShapeRefusals(now: () => number = () => performance.now()): ShapeRefusals {
  const until = new Map<string, number>();
  return {
    isRefused(asked) {
      const end = until.get(keyOf(asked));
      return end !== undefined && now() < end;
    },
    note(asked) {
      const key = keyOf(asked);
      until.delete(key);
      until.set(key, now() + REMEMBERED_MS);
      for (const first of until.keys()) {
        if (until.size <= REMEMBERED_MAX) break;
        until.delete(first);
      }
    },
  };
}

function keyOf({ route, dialect, model }: ShapeAsked): string {
  return JSON.stringify([route.project.id, route.baseUrl, dialect, model]);
}

/** Statuses by which upstreams refuse a parameter. */
const refusing = new Set([400, 404, 415, 422, 501]);

/** How upstreams name the parameter, or say that they know no such thing. */
const NAMED = new RegExp(
  [
    String.raw`response[_ ]?(?:format|schema)`,
    String.raw`json[_ ]?(?:schema|object|mode)`,
    String.raw`text\.format|text\[format\]|output_(?:format|config)`,
    String.raw`structured[_ ](?:output|response)`,
    String.raw`guided[_ ](?:json|decoding)|grammar`,
    String.raw`tool[_ ]?(?:choice|use|call)|\btools?\b|function call`,
    String.raw`unsupported|not supported|does(?: not|n't) support|not implemented`,
    String.raw`(?:unknown|unrecognized|unexpected|extra|additional) (?:request )?(?:argument|field|input|key|param|property)`,
    'deliver_answer',
  ].join('|'),
  'i',
);

export function mayRefuseShape(status: number): boolean {
  return refusing.has(status);
}

/**
 * Whether an error may be about the shape that was asked for. A false yes costs one more call, and
 * is not remembered.
 */
export function namesShape(body: Buffer): boolean {
  return NAMED.test(body.toString('utf8'));
}
