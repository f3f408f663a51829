import { createBriefCache, type Ctx, forbidden, unauthorized } from '../platform';
import { enterProject, type ProjectCtx } from './actor';
import { createKeyLimit } from './key-limit';
import { expiryFault, findKey, recordKeyUse, parseKey, sameHash, type StoredKey } from './keys';
import type { KeyScope } from './roles';

export interface KeyCheck {
  /**
   * The project context for `authorization`. @throws AssayError unauthorized, forbidden,
   * rate_limited, unavailable
   */
  authorize(authorization: string | undefined, scope: KeyScope): Promise<ProjectCtx>;
}

interface KnownKey {
  readonly stored: StoredKey;
  readonly project: ProjectCtx;
}

/** Checks API keys with a cache per process. */
export function createKeyCheck(ctx: Ctx): KeyCheck {
  const countRequest = createKeyLimit(ctx.clock, ctx.env.keyRequestsPerSecond);
  const keys = createBriefCache<KnownKey>(ctx, 'the API key', async (id) => {
    const stored = await findKey(ctx, id);
    if (stored === null) return null;
    const { projectId, projectSlug, simulated, name, scopes } = stored;
    const project = enterProject(
      ctx,
      { id: projectId, slug: projectSlug, simulated },
      { kind: 'key', id, label: `key "${name}"`, scopes },
    );
    return { stored, project };
  });

  return {
    async authorize(authorization, scope) {
      const text = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1];
      if (text === undefined)
        throw unauthorized('an API key is required; send it as "Authorization: Bearer asy_…"');
      const parsed = parseKey(text);
      const known = parsed === null ? null : await keys.read(parsed.id);
      if (
        parsed === null ||
        known === null ||
        !sameHash(parsed.secretHash, known.stored.secretHash)
      ) {
        throw unauthorized(
          'the API key is unknown or was revoked; create one in the project settings',
        );
      }
      const { stored, project } = known;
      const expired = expiryFault(stored.expiresAt, ctx.clock.now());
      if (expired !== null) throw unauthorized(expired);
      // Recorded only after the checks: a caller who knows only a key's id must not mark it as
      // used, or use up its limit.
      recordKeyUse(ctx, stored);
      countRequest(stored.id);
      if (!stored.scopes.includes(scope))
        throw forbidden(`the API key lacks the scope "${scope}"; use a key that has it`);
      return project;
    },
  };
}
