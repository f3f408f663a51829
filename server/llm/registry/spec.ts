/** The model to call, as people write it: `provider:model?temperature=0.3` (QV-37). */
export interface ModelSpec {
  /** The provider's name or kind; null if the text names none. */
  readonly provider: string | null;
  /**
   * The provider's name for the model: may contain `/` and `:`, as in `llama3:8b` and
   * `meta-llama/llama-3.1-8b-instruct:free`.
   */
  readonly model: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** The kinds of provider, which a spec may name even if no provider has this name. */
const providerKinds = ['openai', 'anthropic', 'google', 'openai_compatible'] as const;

/**
 * Parses a spec. The part before the first colon is a provider only if it is the name or kind of
 * one: `llama3:8b` is a model, and so is `local:8b` until a provider `local` is added. Never
 * throws: the caller refuses an empty model.
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

/** The facts about a provider that the check of a spec needs. */
interface KnownProvider {
  readonly name: string;
  readonly models: readonly string[];
}

/**
 * The form of provider names: `meta-llama/llama:free` and `anthropic.claude-v1:0` name none before
 * their colon.
 */
const providerName = /^[A-Za-z][\w-]*$/;

/**
 * The reason why a spec must not be saved: the part before its first colon is neither a provider of
 * the project nor a kind, and no provider lists the whole as a model (`llama3:8b`). Phrased as the
 * end of a sentence that starts with the field; null if the spec is valid.
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
 * Model names are used in addresses, headers and rows: a text with other characters is not a model
 * (S-46, S-49).
 */
export function isModelName(model: string): boolean {
  return /^[A-Za-z0-9@][\w.:@+/-]{0,199}$/.test(model) && !/\.\.|\/\//.test(model);
}
