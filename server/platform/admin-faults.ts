import { AssayError, errorText } from './errors';
import { nearestName } from './nearest-name';
import { classifyStorageError } from './storage-errors';

/** Describes the flag error of Node's parser, whose message has the flag in quotes. */
export function flagFault(error: unknown, names: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error);
  const flag = /'(--?[^' =]+)/.exec(message)?.[1] ?? '';
  if (!message.startsWith('Unknown option'))
    return `${flag} ${message.includes('does not take') ? 'must not have a value' : 'needs a value'}`;
  const near = nearestName(flag.replace(/^-+/, ''), names);
  return near === null
    ? `${flag} is not an option; assay --help lists the options`
    : `${flag} is not an option; did you mean --${near}?`;
}

/** The message of the command line for an error. */
export function faultText(error: unknown): string {
  if (error instanceof AssayError) return errorText(error).message;
  const message = error instanceof Error ? error.message : String(error);
  return classifyStorageError(error) === 'transient'
    ? `cannot connect to the database (${message}); check DATABASE_URL, and that PostgreSQL is running`
    : message;
}
