import type { GatewayDialect } from '../../domain';
import type { GatewayRoute } from '../exchange';

/** A model of one upstream and API, as used by one project. */
export interface ShapeRequest {
  readonly route: GatewayRoute;
  readonly dialect: GatewayDialect;
  readonly model: string | null;
}

/**
 * Remembers upstreams that rejected a response schema, so that it is not sent to them with every
 * call. Per process.
 */
export interface ShapeRefusals {
  isRefused(key: ShapeRequest): boolean;
  /** The same request succeeded without the schema. */
  note(key: ShapeRequest): void;
}

/** The schema is retried after this time, since servers are updated. */
const REMEMBERED_MS = 15 * 60_000;
const REMEMBERED_MAX = 1_000;

export function createShapeRefusals(now: () => number = () => performance.now()): ShapeRefusals {
  const until = new Map<string, number>();
  return {
    isRefused(request) {
      const end = until.get(keyOf(request));
      return end !== undefined && now() < end;
    },
    note(request) {
      const key = keyOf(request);
      until.delete(key);
      until.set(key, now() + REMEMBERED_MS);
      for (const first of until.keys()) {
        if (until.size <= REMEMBERED_MAX) break;
        until.delete(first);
      }
    },
  };
}

function keyOf({ route, dialect, model }: ShapeRequest): string {
  return JSON.stringify([route.project.id, route.baseUrl, dialect, model]);
}

/** Statuses with which upstreams reject a parameter. */
const refusing = new Set([400, 404, 415, 422, 501]);

/** How upstreams name the rejected parameter. */
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
 * Whether an error may be about the schema. A false positive costs one call and is not remembered.
 */
export function namesShape(body: Buffer): boolean {
  return NAMED.test(body.toString('utf8'));
}
