import type { ProjectCtx } from '../../access';
import { refused } from '../../platform';
import { unknownProvider } from '../registry/spec';
import { listProviders } from './list';

/**
 * Checks model specs before they are stored, each with the path of its field: a named provider must
 * be one of the project's, enabled or not, or a kind, whose provider may be added later. Returns
 * the same errors wherever a spec is saved.
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
