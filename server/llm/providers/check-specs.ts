import type { ProjectCtx } from '../../access';
import { refused } from '../../platform';
import { unknownProvider } from '../registry/spec';
import { listProviders } from './list';

/**
 * Model specs that are to be stored, each with the path of its field: the provider that one names
 * must be one of the project's, switched on or not, or a kind, whose provider may be added later.
 * The same words wherever a spec is saved.
 * @throws AssayError refused, naming the field and the known providers
 */
export async function checkSpecProviders(
  ctx: ProjectCtx,
  specs: readonly (readonly [path: string, spec: string])[],
): Promise<void> {
  if (specs.length === 0) return;
  const providers = await listProviders(ctx);
  for (const [path, spec] of specs) {
    const message = unknownProvider(spec, providers);
    if (message !== null) throw refused(`${path}: ${message}`, [{ path, message }]);
  }
}
