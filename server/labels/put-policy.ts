import { and, desc, eq } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { cleanValue } from '../domain';
import { requireNamedVerifier } from '../catalog';
import { conflict } from '../platform';
import type { Policy } from './review/item';
import { countLabels } from './list-policies';

export interface PutPolicyInput {
  readonly verifier: string;
  /** Markdown. */
  readonly body: string;
  readonly message: string;
}

/** Attempts while concurrent writers take the next version number. */
const maxAttempts = 5;

/**
 * Stores a text as the next, current version of a verifier's label policy. A text that is already
 * current keeps its version.
 * @throws AssayError refused (no such verifier), conflict (too many concurrent writers)
 */
export async function putPolicy(ctx: ProjectCtx, input: PutPolicyInput): Promise<Policy> {
  const { verifier, body, message } = cleanValue(input) as PutPolicyInput;
  await requireNamedVerifier(ctx, verifier);
  const { labelPolicies } = schema;
  for (let n = 0; n < maxAttempts; n++) {
    const stored = await ctx.db.transaction(async (tx) => {
      const [latest] = await tx
        .select()
        .from(labelPolicies)
        .where(
          and(eq(labelPolicies.projectId, ctx.projectId), eq(labelPolicies.verifierSlug, verifier)),
        )
        .orderBy(desc(labelPolicies.version))
        .limit(1);
      if (latest?.body === body) return latest;
      const version = (latest?.version ?? 0) + 1;
      const [made] = await tx
        .insert(labelPolicies)
        .values({
          projectId: ctx.projectId,
          verifierSlug: verifier,
          version,
          body,
          message,
          createdBy: ctx.actor.label,
        })
        .onConflictDoNothing()
        .returning();
      if (made === undefined) return null;
      await recordAudit(ctx, tx, ctx.actor, {
        projectId: ctx.projectId,
        action: 'labels.policy',
        target: verifier,
        detail: { version, message },
      });
      return made;
    });
    if (stored === null) continue;
    const counts = await countLabels(ctx, verifier);
    const { version, createdBy, createdAt } = stored;
    return {
      version,
      body: stored.body,
      message: stored.message,
      createdBy,
      createdAt,
      labels: counts.get(version) ?? 0,
    };
  }
  throw conflict('the policy is being changed by someone else; try again');
}
