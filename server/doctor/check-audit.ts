import { checkAuditChains } from '../access';
import type { Ctx } from '../platform';
import { type Diagnosis, failed, ok } from './diagnosis';

/** Whether all sealed audit events are as recorded; no result without ASSAY_SECRET. */
export async function checkAudit(ctx: Pick<Ctx, 'sql' | 'env'>): Promise<readonly Diagnosis[]> {
  if (ctx.env.secret === null) return [];
  const checks = await checkAuditChains(ctx);
  const broken = checks.filter(({ problem }) => problem !== null);
  if (broken.length === 0) {
    const events = checks.reduce((sum, check) => sum + check.events, 0);
    return [ok('audit log', `${events} sealed entries are unchanged`)];
  }
  return broken.map(({ chain, problem }) =>
    failed(
      'audit log',
      `chain ${chain}: ${problem}`,
      'After a change of ASSAY_SECRET, set ASSAY_SECRET_PREVIOUS and run assay secrets rewrap. Otherwise compare with a backup, and find out who can write to the database.',
    ),
  );
}
