import type { Provider } from '@/app/_trpc/outputs';
import { ProviderKind, ProviderName, PutProvider } from '@/server/llm/input';
import { fieldErrors } from '@/app/field-errors';

/** The form's state of a provider. */
export interface ProviderDraft {
  readonly name: string;
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  /** Empty keeps the stored key, if there is one. */
  readonly apiKey: string;
  /** One per line, or separated by commas. */
  readonly models: string;
  /** One per line: model, then US dollars for a million tokens read and written. */
  readonly prices: string;
  readonly enabled: boolean;
}

export const kindText: Record<ProviderKind, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google Gemini',
  openai_compatible: 'OpenAI-compatible: Ollama, vLLM, OpenRouter …',
};

/** Default address of each kind. */
export const ownAddress: Record<ProviderKind, string | null> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  openai_compatible: null,
};

export const newDraft: ProviderDraft = {
  name: 'openai',
  kind: 'openai',
  baseUrl: '',
  apiKey: '',
  models: '',
  prices: '',
  enabled: true,
};

export function draftOf({ name, kind, baseUrl, models, prices, enabled }: Provider): ProviderDraft {
  return {
    name,
    kind,
    baseUrl: baseUrl === ownAddress[kind] ? '' : baseUrl,
    apiKey: '',
    models: models.join('\n'),
    prices: prices.map(priceLine).join('\n'),
    enabled,
  };
}

const priceLine = ({
  model,
  usd_per_million: { input, output },
}: Provider['prices'][number]): string => `${model} ${input} ${output}`;

/**
 * A value that is not a number becomes NaN, which every schema rejects, so that the field shows the
 * error.
 */
function readPrices(text: string): unknown[] {
  const lines = text
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [line.trim().split(/\s+/)]));
  return lines.map(([model = '', input = '', output = '', ...more]) => ({
    model,
    usd_per_million: {
      input: input === '' ? Number.NaN : Number(input),
      output: output === '' || more.length > 0 ? Number.NaN : Number(output),
    },
  }));
}

/** Changing the kind sets that kind's default name, unless the user has chosen a name. */
export function withKind(draft: ProviderDraft, kind: ProviderKind): ProviderDraft {
  const chosen =
    !ProviderKind.options.some((each) => each === draft.name) && draft.name !== 'ollama';
  return {
    ...draft,
    kind,
    name: chosen ? draft.name : kind === 'openai_compatible' ? 'ollama' : kind,
  };
}

type Read =
  | { readonly ok: true; readonly name: string; readonly input: PutProvider }
  | { readonly ok: false; readonly errors: Readonly<Record<string, string>> };

/** The draft in the server's format, or its errors by field. */
export function readDraft(draft: ProviderDraft, known: Provider | null): Read {
  const models = draft.models.split(/[\s,]+/).filter((model) => model !== '');
  // A compatible server that never had a key remains without one; otherwise an empty field keeps
  // the stored key.
  const keyless =
    draft.apiKey.trim() === '' &&
    draft.kind === 'openai_compatible' &&
    (known === null || known.key === null);
  const input = {
    kind: draft.kind,
    ...(draft.baseUrl.trim() === '' ? {} : { base_url: draft.baseUrl.trim() }),
    ...(draft.apiKey.trim() === ''
      ? keyless
        ? { api_key: null }
        : {}
      : { api_key: draft.apiKey }),
    models,
    prices: readPrices(draft.prices),
    enabled: draft.enabled,
  };
  const name = ProviderName.safeParse(draft.name.trim());
  const checked = PutProvider.safeParse(input);
  const errors = {
    ...(checked.success ? {} : fieldErrors(checked.error.issues, input)),
    ...(name.success
      ? {}
      : fieldErrors(
          name.error.issues.map((issue) => ({ ...issue, path: ['name'] })),
          { name: draft.name },
        )),
  };
  return checked.success && name.success
    ? { ok: true, name: name.data, input: checked.data }
    : { ok: false, errors };
}
