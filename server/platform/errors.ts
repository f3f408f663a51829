/**
 * The closed family of errors. Each door maps it once; any other error is `internal`
 * and its text never leaves.
 */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media_type'
  | 'refused'
  | 'rate_limited'
  | 'unavailable'
  | 'internal';

export interface ErrorDetail {
  readonly path: string;
  readonly message: string;
}

const mark = Symbol.for('assay.error');

/**
 * Known by its mark and not by its class: Next bundles this module twice, for pages and for route
 * handlers, and the runtime that both use comes from whichever asked first. Without this a 401
 * thrown by one copy is a 500 to the other.
 */
export class AssayError extends Error {
  static override [Symbol.hasInstance](value: unknown): value is AssayError {
    return typeof value === 'object' && value !== null && mark in value;
  }

  override readonly name = 'AssayError';
  readonly [mark] = true;
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: readonly ErrorDetail[] = [],
    readonly retryAfterS: number | null = null,
  ) {
    super(message);
  }
}

export const invalid = (message: string, details: readonly ErrorDetail[] = []): AssayError =>
  new AssayError('invalid_request', message, details);
export const refused = (message: string, details: readonly ErrorDetail[] = []): AssayError =>
  new AssayError('refused', message, details);
export const unauthorized = (message: string): AssayError =>
  new AssayError('unauthorized', message);
export const forbidden = (message: string): AssayError => new AssayError('forbidden', message);
export const conflict = (message: string): AssayError => new AssayError('conflict', message);
export const tooLarge = (message: string): AssayError => new AssayError('too_large', message);
export const rateLimited = (message: string, retryAfterS: number): AssayError =>
  new AssayError('rate_limited', message, [], retryAfterS);
export const unavailable = (message: string, retryAfterS = 1): AssayError =>
  new AssayError('unavailable', message, [], retryAfterS);

/** The same words for an id that does not exist and for one of another project (S-2). */
export const notFound = (noun: string): AssayError =>
  new AssayError('not_found', `no such ${noun}`);

/** zod issues as details of an error: `subject.output`, and what it needs. */
export function issueDetails(issues: readonly Issue[]): ErrorDetail[] {
  return issues.slice(0, 20).map((issue) => {
    const { path, message } = mostTelling(issue);
    return { path: path.map(String).join('.'), message };
  });
}

/**
 * As zod has it; a union's says only that no member took the value, and has what each of them said.
 */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly errors?: readonly (readonly Issue[])[];
}

/**
 * Of a union the member that came furthest speaks: one that took the value's type, and found a
 * fault inside it or with its bounds.
 */
function mostTelling(issue: Issue): Issue {
  // Whoever wrote a message of its own for the union has said it.
  if (
    issue.code !== 'invalid_union' ||
    issue.errors === undefined ||
    issue.message !== 'Invalid input'
  )
    return issue;
  const firsts = issue.errors.flatMap(([first]) =>
    first === undefined ? [] : [mostTelling(first)],
  );
  const inside = firsts.filter(({ path, code }) => path.length > 0 || code !== 'invalid_type');
  const best = inside.toSorted(
    (one, other) => Number(isMissing(one)) - Number(isMissing(other)),
  )[0];
  if (best !== undefined) return { ...best, path: [...issue.path, ...best.path] };
  const said = [...new Set(firsts.map(({ message }) => message))].join(', or ');
  return said === '' ? issue : { path: issue.path, message: said };
}

const isMissing = ({ code, message }: Issue): boolean =>
  code === 'invalid_type' && message.endsWith('received undefined');
