/** Which model to ask, as people write it: `provider:model?temperature=0.3` (QV-37). */
export interface ModelSpec {
  /** The provider's name or kind; null where the text names none. */
  readonly provider: string | null;
  /**
   * As the provider knows it: may hold `/` and `:`, as in `llama3:8b` and
   * `meta-llama/llama-3.1-8b-instruct:free`.
   */
  readonly model: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The kinds of provider: what a spec may name though no provider bears the name. */
const providerKinds = ['openai', 'anthropic', 'google', 'openai_compatible'] as const;

/**
 * Reads a spec. What precedes the first colon is a provider only when it is known as one, by
 * name or kind: `llama3:8b` is a model of its own, and so is `local:8b` until someone adds a
 * provider `local`. Never throws: an empty model is for the caller to refuse.
 */
export function readModelSpec(text: string, providers: Iterable<string> = []): ModelSpec {
  const mark = text.indexOf('?');
  const head = (mark === -1 ? text : text.slice(0, mark)).trim();
  const parameters = new Map(new URLSearchParams(mark === -1 ? '' : text.slice(mark + 1)));
  const colon = head.indexOf(':');
  const first = colon === -1 ? '' : head.slice(0, colon);
  const known = new Set<string>([...providerKinds, ...providers]);
  return known.has(first)
    ? { provider: first, model: head.slice(colon + 1), parameters }
    : { provider: null, model: head, parameters };
}

/** What the saving of a spec asks of a provider. */
interface KnownProvider {
  readonly name: string;
  readonly models: readonly string[];
}

/**
 * As names of providers are: `meta-llama/llama:free` and `anthropic.claude-v1:0` name none before
 * their colon.
 */
const providerName = /^[A-Za-z][\w-]*$/;

/**
 * Why a spec may not be saved: what precedes its first colon is neither a provider of the
 * project nor a kind, and no provider lists the whole as a model (`llama3:8b`). A sentence's end,
 * to be said after the field; null: it may.
 */
export function unknownProvider(spec: string, providers: readonly KnownProvider[]): string | null {
  const { provider, model } = readModelSpec(
    spec,
    providers.map(({ name }) => name),
  );
  const first = model.slice(0, Math.max(0, model.indexOf(':')));
  if (
    provider !== null ||
    !providerName.test(first) ||
    providers.some(({ models }) => models.includes(model))
  )
    return null;
  const names = [...new Set([...providers.map(({ name }) => name), ...providerKinds])]
    .map((name) => `"${name}"`)
    .join(', ');
  return `names the provider "${first}", which this project does not have; the known providers are ${names}. Put the provider before a model name that contains a colon`;
}

/**
 * Model names go into addresses, headers and rows: what has other characters is no model (S-46,
 * S-49).
 */
export function isModelName(model: string): boolean {
  return /^[A-Za-z0-9@][\w.:@+/-]{0,199}$/.test(model) && !/\.\.|\/\//.test(model);
}
