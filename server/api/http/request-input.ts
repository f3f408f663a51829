import type { Context } from 'hono';
import type { z } from 'zod';
import type { ProjectCtx, KeyScope } from '../../access';
import { intakeLimits, skipValue } from '../../domain';
import {
  type AssayError,
  type ErrorDetail,
  fieldSentence,
  invalid,
  issueDetails,
  notJson,
  tooLarge,
  unknownMembers,
  unknownParameters,
} from '../../platform';

export type Handler = (c: Context, project: ProjectCtx, requestId: string) => Promise<Response>;

/** A handler behind the key check, which requires the scope; errors it throws become answers. */
export type WithApiKey = (scope: KeyScope, handle: Handler) => (c: Context) => Promise<Response>;

/**
 * @throws AssayError invalid_request (not JSON), too_large (nested deeper than is safe for the
 * stack)
 */
export function readJsonBody(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  const { depth } = skipValue(text, text.length - text.trimStart().length);
  if (depth > intakeLimits.depth)
    throw tooLarge(
      `the body nests ${depth} levels deep; at most ${intakeLimits.depth} are allowed`,
    );
  try {
    return JSON.parse(text);
  } catch {
    throw notJson('the body', text);
  }
}

/**
 * Parses `value` by its schema; unknown members are refused first, with the nearest known name
 * (S-127).
 *
 * @throws AssayError invalid_request naming the field
 */
export function parse<T extends z.ZodType>(
  schema: T,
  value: unknown,
  inputPart: string,
): z.infer<T> {
  return parseParts({ all: schema }, value, inputPart).all;
}

/**
 * The same for several schemas, each of which reads its own members of one body; a member that none
 * of them has is refused.
 *
 * @throws AssayError invalid_request naming the field
 */
export function parseParts<T extends Readonly<Record<string, z.ZodType>>>(
  schemas: T,
  value: unknown,
  inputPart: string,
): { [Part in keyof T]: z.infer<T[Part]> } {
  const unknown = unknownMembers(Object.values(schemas), value);
  const parts = Object.entries(schemas).map(
    ([part, schema]) => [part, schema.safeParse(value)] as const,
  );
  const issues = parts.flatMap(([, { error }]) => error?.issues ?? []);
  // zod's own message for an unknown member suggests no known one.
  const others =
    unknown.length === 0 ? issues : issues.filter(({ code }) => code !== 'unrecognized_keys');
  if (unknown.length + others.length > 0)
    throw invalidInput(inputPart, [...unknown, ...issueDetails(others)]);
  return Object.fromEntries(parts.map(([part, { data }]) => [part, data])) as {
    [Part in keyof T]: z.infer<T[Part]>;
  };
}

/** A problem with the whole value names it: `The body must be an object`. */
function invalidInput(inputPart: string, details: readonly ErrorDetail[]): AssayError {
  const named = details.map((detail) =>
    detail.path === '' ? { path: '', message: fieldSentence(detail, `the ${inputPart}`) } : detail,
  );
  return invalid(named[0]?.message ?? `the ${inputPart} is not valid`, named);
}

/** @throws AssayError invalid_request naming the nearest known name (S-127) */
export function refuseParameters(known: ReadonlySet<string>, sent: Iterable<string>): void {
  const unknown = unknownParameters(known, sent);
  if (unknown[0] !== undefined) throw invalid(unknown[0].message, unknown);
}
