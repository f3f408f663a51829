import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';
import { refused } from '../../platform';
import type { CompareBody } from './compare-input';
import { type ExperimentHead, getHeads } from './experiment-head';
import { slugsOf } from './get-experiment';

/** @throws AssayError not_found, refused */
export async function getComparable(
  ctx: ProjectCtx,
  { ids, verifier }: Pick<CompareBody, 'ids' | 'verifier'>,
): Promise<readonly ExperimentHead[]> {
  const heads = await getHeads(ctx, ids);
  const [baseline] = heads;
  const other = heads.find(({ datasetId }) => datasetId !== baseline?.datasetId);
  if (baseline !== undefined && other !== undefined) {
    const message = `must be of one dataset, but ${other.id} is of "${other.datasetSlug}" and ${baseline.id} of "${baseline.datasetSlug}"; compare runs of the same dataset`;
    throw refused(`ids: ${message}`, [{ path: 'ids', message }]);
  }
  const known = new Set(heads.flatMap(slugsOf));
  if (verifier !== undefined && !known.has(readVerifierName(verifier).slug)) {
    const message = `is not a verifier of these experiments; use one of: ${[...known].sort().join(', ')}`;
    throw refused(`verifier: ${message}`, [{ path: 'verifier', message }]);
  }
  return heads;
}
