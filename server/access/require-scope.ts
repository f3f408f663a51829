import { forbidden } from '../platform';
import type { ProjectCtx } from './actor';
import type { KeyScope } from './roles';

/**
 * Checks a scope that only some inputs of a route need. People and the system are checked by role
 * instead.
 * @param purpose the input that needs the scope, for the message
 * @throws AssayError forbidden if the actor is a key without the scope
 */
export function requireScope(
  { actor }: Pick<ProjectCtx, 'actor'>,
  scope: KeyScope,
  purpose: string,
): void {
  if (actor.kind !== 'key' || actor.scopes.includes(scope)) return;
  throw forbidden(`the API key lacks the scope "${scope}", which is required to ${purpose}`);
}
