import { tenantClient } from '../../db';
import type { Ctx } from '../platform';
import type { Role, KeyScope } from './roles';

/** The user, API key or system process that makes a call. */
export type Actor =
  | {
      readonly kind: 'user';
      readonly id: string;
      readonly label: string;
      readonly role: Role | null;
      readonly operator: boolean;
      /** Set when the person did not act in the console; recorded in the audit log. */
      readonly via?: 'slack';
    }
  | {
      readonly kind: 'key';
      readonly id: string;
      readonly label: string;
      readonly scopes: readonly KeyScope[];
    }
  | { readonly kind: 'system'; readonly id: string; readonly label: string };

/**
 * A context inside one project: every tenant query takes its `projectId`. Its connections see only
 * that project, even if a query omits the condition (S-3).
 */
export interface ProjectCtx extends Ctx {
  readonly projectId: string;
  readonly projectSlug: string;
  /** A demo's project: its input states when events happened (`simulatedTime`). */
  readonly simulated: boolean;
  readonly actor: Actor;
}

/** Enters a project that the actor is known to belong to. */
export function enterProject(
  ctx: Ctx,
  project: { readonly id: string; readonly slug: string; readonly simulated?: boolean },
  actor: Actor,
): ProjectCtx {
  const { id: projectId, slug: projectSlug, simulated = false } = project;
  return { ...ctx, ...tenantClient(ctx, projectId), projectId, projectSlug, simulated, actor };
}
