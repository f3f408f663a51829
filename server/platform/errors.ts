import { z } from 'zod';
import { alternativesOf, eitherOf, insideUnion, issueText, jsonFault } from '../domain';
import { asSentence, fieldSentence, pathText } from './field-text';
import { unknownName } from './nearest-name';

/**
 * The closed set of errors. Each API maps it once; any other error is `internal`, and its text is
 * never sent.
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
 * Recognised by a mark rather than by its class: Next bundles this module twice, for pages and for
 * route handlers, and both share the runtime of whichever loaded first. Otherwise a 401 thrown by
 * one copy would be a 500 in the other.
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

/** The same text for an unknown id and for an id of another project (S-2). */
export const notFound = (noun: string): AssayError =>
  new AssayError('not_found', `no such ${noun}`);

/** Replaces zod's messages by predicates of the field, in every process that loads this module. */
z.config({ customError: (issue) => issueText(issue, unknownName) });

const maxDetails = 20;

/** Converts zod issues to details of an error: `subject.output`, and its problem. */
export function issueDetails(issues: readonly Issue[]): ErrorDetail[] {
  const details = issues.slice(0, maxDetails).flatMap((issue): ErrorDetail[] => {
    const { path, message, keys } = mostSpecific(issue);
    if (keys === undefined) return [{ path: pathText(path), message }];
    // The message has one line for each name.
    return message
      .split('\n')
      .map((line, at) => ({ path: pathText([...path, keys[at] ?? '']), message: line }));
  });
  return details.slice(0, maxDetails);
}

/** The problem of a text that is not JSON, with line and column. */
export function notJson(part: string, text: string): AssayError {
  const fault = jsonFault(text);
  return invalid(`${part} is not valid JSON${fault === '' ? '' : `: ${fault}`}`);
}

/** The error text for callers: whole sentences, each naming its field. */
export function errorText({ message, details }: Pick<AssayError, 'message' | 'details'>): {
  readonly message: string;
  readonly details: readonly ErrorDetail[];
} {
  const sentences = details.map((detail) => ({
    path: detail.path,
    message: fieldSentence(detail),
  }));
  const [first] = details;
  const isFirst =
    first !== undefined && (message === first.message || message.startsWith(`${first.path}: `));
  return {
    message: isFirst ? (sentences[0]?.message ?? message) : asSentence(message),
    details: sentences,
  };
}

/**
 * The part of zod's issue that is used; a union's message states only that no member matched, and
 * `errors` has each member's issues.
 */
interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly keys?: readonly string[];
  readonly errors?: readonly (readonly Issue[])[];
}

/**
 * Selects the member of a union that matched best: one that accepts the value's type, with the
 * fewest missing or unknown members.
 */
function mostSpecific(issue: Issue): Issue {
  if (issue.message !== insideUnion || issue.errors === undefined) return issue;
  const inside = issue.errors.filter(
    ([first]) => first !== undefined && (first.path.length > 0 || alternativesOf(first) === null),
  );
  const missing = inside.map((issues) =>
    issues.flatMap(({ path: [name, ...path], message }) =>
      path.length === 0 && name !== undefined && isRequired(message) ? [String(name)] : [],
    ),
  );
  if (inside.length > 1 && missing.every((names) => names.length > 0)) {
    const either = eitherOf(
      missing.map((names) => names.map((name) => `\`${name}\``).join(' and ')),
    );
    return { path: issue.path, message: `must have ${either}` };
  }
  const foreignIn = (issues: readonly Issue[]): number =>
    issues.filter(({ code, message }) => code === 'unrecognized_keys' || isRequired(message))
      .length;
  const [best] = inside.toSorted(
    (one, other) => foreignIn(one) - foreignIn(other) || one.length - other.length,
  );
  const found = best?.find(({ message }) => !isRequired(message)) ?? best?.[0];
  if (found === undefined) return issue;
  const { path, ...rest } = mostSpecific(found);
  return { ...rest, path: [...issue.path, ...path] };
}

const isRequired = (message: string): boolean => message.startsWith('is required');
