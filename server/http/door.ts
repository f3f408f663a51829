import type { Context } from 'hono';
import type { z } from 'zod';
import type { ProjectCtx, Scope } from '../access';
import { intakeLimits, skipValue } from '../domain';
import { invalid, issueDetails, tooLarge } from '../platform';

export type Handler = (c: Context, project: ProjectCtx, requestId: string) => Promise<Response>;

/** A handler behind the check of its key, which needs the scope; what it throws becomes an answer. */
export type Door = (scope: Scope, handle: Handler) => (c: Context) => Promise<Response>;

/** @throws AssayError invalid_request (no JSON), too_large (it nests deeper than what is read without fear for the stack) */
export function readJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  const { depth } = skipValue(text, text.length - text.trimStart().length);
  if (depth > intakeLimits.depth) throw tooLarge(`the body nests ${depth} deep; at most ${intakeLimits.depth}`);
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('the body is not JSON');
  }
}

/** @throws AssayError invalid_request naming the field */
export function parse<T extends z.ZodType>(schema: T, value: unknown, what: string): z.infer<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = issueDetails(parsed.error.issues);
  const [first] = details;
  throw invalid(first === undefined ? `the ${what} is not valid` : `${first.path || what}: ${first.message}`, details);
}
