import { and, eq } from 'drizzle-orm';
import { schema } from '../../db';
import { type Database, notFound, refused } from '../platform';
import type { ProjectCtx } from './actor';
import { type KeyScope, serviceScopesOf } from './roles';

/**
 * Checks the scopes against the account's role, under a lock that its removal waits for, so that no
 * key is created after the removal.
 * @throws AssayError not_found, refused (a scope that the role does not allow)
 */
export async function requireServiceScopes(
  { projectId }: ProjectCtx,
  tx: Database,
  id: string,
  scopes: readonly KeyScope[],
): Promise<void> {
  const { serviceAccounts } = schema;
  const [account] = await tx
    .select({ role: serviceAccounts.role })
    .from(serviceAccounts)
    .where(and(eq(serviceAccounts.projectId, projectId), eq(serviceAccounts.id, id)))
    .for('share');
  if (account === undefined) throw notFound('service account');
  const allowed = serviceScopesOf[account.role];
  const excess = scopes.filter((scope) => !allowed.includes(scope));
  if (excess.length === 0) return;
  const message = `the role "${account.role}" of a service account does not allow ${excess.join(', ')}; use ${allowed.join(', ')}`;
  throw refused(`scopes: ${message}`, [{ path: 'scopes', message }]);
}
