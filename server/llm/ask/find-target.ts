import type { AskErrorClass } from '../../domain';
import type { ProviderAccess } from '../providers/provider';
import { sameModel } from '../registry/same-model';
import { isModelName, readModelSpec } from '../registry/spec';
import { ModelParameters } from './model';

/** A model of a provider of the project, ready to be called. */
export interface Target {
  readonly provider: ProviderAccess;
  readonly apiKey: string | null;
  readonly model: string;
  readonly settings: ModelParameters;
}

/**
 * Finds the provider that the spec names, by name or else by kind. For a spec without a provider it
 * is `otherwise` (QV-37: the backend of the main request), or else the first provider that lists
 * the model, in any spelling.
 */
export function findTargetIn(
  providers: readonly ProviderAccess[],
  spec: string,
  otherwise: ProviderAccess | null,
): Target | { readonly errorClass: AskErrorClass; readonly message: string } {
  const noProvider = (message: string) => ({ errorClass: 'no_provider' as const, message });
  const all = otherwise === null ? providers : [...providers, otherwise];
  if (all.length === 0) return noProvider('no provider configured');
  const names = all.map(({ name }) => name);
  const { provider: wanted, model, parameters } = readModelSpec(spec, names);
  if (!isModelName(model))
    return { errorClass: 'refused', message: 'the name of the model is not valid' };
  const settings = ModelParameters.safeParse(Object.fromEntries(parameters));
  if (!settings.success)
    return {
      errorClass: 'refused',
      message: `the parameter "${settings.error.issues[0]?.path.join('.') ?? ''}" of the model ${settings.error.issues[0]?.message ?? 'is not valid'}`,
    };
  const provider =
    wanted === null
      ? (otherwise ??
        all.find(({ models }) => models.includes(model)) ??
        all.find(({ models }) => models.some((each) => sameModel(each, model))))
      : (all.find(({ name }) => name === wanted) ?? all.find(({ kind }) => kind === wanted));
  if (provider === undefined) return noProvider(`no provider has the model "${model}"`);
  try {
    return { provider, apiKey: provider.openKey(), model, settings: settings.data };
  } catch {
    return {
      errorClass: 'unauthorized',
      message: `the key of provider "${provider.name}" cannot be read; enter it again`,
    };
  }
}
