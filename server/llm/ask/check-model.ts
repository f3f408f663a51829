import type { ProjectCtx } from '../../access';
import { refused } from '../../platform';
import { loadProviders } from '../providers/list';
import { findTargetIn } from './find-target';

/**
 * Checks that a provider of the project can be called with this model now.
 * @param path the field that names the model
 * @throws AssayError refused
 */
export async function checkModel(ctx: ProjectCtx, path: string, spec: string): Promise<void> {
  const found = findTargetIn(await loadProviders(ctx, ctx.projectId), spec, null);
  if (!('errorClass' in found)) return;
  const fix = '; add it under Settings, Providers, or use another model';
  const message = `${found.message}${found.errorClass === 'no_provider' ? fix : ''}`;
  throw refused(`${path}: ${message}`, [{ path, message }]);
}
