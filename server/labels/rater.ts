import { type ProjectCtx, requireScope } from '../access';

/**
 * The rater to record for a label (S-123): the actor. A key may name itself by its label or its
 * plain name; any other rater requires the scope `impersonate`.
 * @throws AssayError forbidden
 */
export function raterOfLabel(ctx: Pick<ProjectCtx, 'actor'>, named: string | null): string {
  const { label } = ctx.actor;
  if (named === null || isOwnName(ctx, named)) return label;
  requireScope(ctx, 'impersonate', `rater: "${named.slice(0, 100)}" is not ${label}`);
  return named;
}

function isOwnName({ actor }: Pick<ProjectCtx, 'actor'>, named: string): boolean {
  return named === actor.label || (actor.kind === 'key' && `key "${named}"` === actor.label);
}
