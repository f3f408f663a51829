import type { Ctx } from '../platform';
import type { Permission, Role, Scope } from './roles';

/** Who is asking. */
export type Actor =
  | { readonly kind: 'user'; readonly id: string; readonly label: string; readonly role: Role | null; readonly operator: boolean }
  | { readonly kind: 'key'; readonly id: string; readonly label: string; readonly scopes: readonly Scope[] }
  | { readonly kind: 'system'; readonly id: string; readonly label: string };

/** A context inside one project: every tenant query takes its `projectId`. */
export interface ProjectCtx extends Ctx {
  readonly projectId: string;
  readonly projectSlug: string;
  readonly actor: Actor;
}

export type { Permission };
