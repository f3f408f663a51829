import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAI, type OpenAIProvider } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { z } from 'zod';
import type { AskRequest } from '../../domain';
import type { ProviderKind } from '../input';

/** The interface shared by all providers of the SDK. */
export type Model = ReturnType<OpenAIProvider['chat']>;
type CallOptions = Parameters<Model['doGenerate']>[0];
export type ModelResult = Awaited<ReturnType<Model['doGenerate']>>;

export interface ModelAddress {
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly model: string;
}

/**
 * A model of a provider, through the AI SDK. OpenAI uses chat completions, the interface that
 * compatible servers copy.
 */
export function openModel(
  { kind, baseUrl, apiKey, model }: ModelAddress,
  fetch: typeof globalThis.fetch,
): Model {
  // Without a key the SDK would read one from the process's environment; an empty key prevents
  // that.
  const given = { baseURL: baseUrl, apiKey: apiKey ?? '', fetch };
  switch (kind) {
    case 'openai':
      return createOpenAI(given).chat(model);
    case 'anthropic':
      return createAnthropic(given)(model);
    case 'google':
      return createGoogleGenerativeAI(given)(model);
    case 'openai_compatible':
      return createOpenAICompatible({
        name: 'compatible',
        baseURL: baseUrl,
        fetch,
        includeUsage: true,
        ...(apiKey === null ? {} : { apiKey }),
      })(model);
  }
}

/** Settings allowed after `?` in a model spec. */
export const ModelParameters = z.object({
  temperature: z.coerce.number().min(0).max(2).default(0),
  top_p: z.coerce.number().min(0).max(1).optional(),
  seed: z.coerce.number().int().optional(),
  /** Overrides the caller's limit for the reply. */
  max_tokens: z.coerce.number().int().min(1).max(1_000_000).optional(),
  /** For a compatible server: `none` if it does not support `response_format`. */
  format: z.enum(['json', 'none']).default('json'),
});
export type ModelParameters = z.infer<typeof ModelParameters>;

/** The problem with the parameters of a spec to be saved; null if none (QV-37). */
export function wrongParameter(parameters: ReadonlyMap<string, string>): string | null {
  const [issue] =
    ModelParameters.strict().safeParse(Object.fromEntries(parameters)).error?.issues ?? [];
  if (issue === undefined) return null;
  if (issue.code === 'unrecognized_keys') return `has unknown parameters: ${issue.keys.join(', ')}`;
  return `has a parameter "${issue.path.join('.')}" that ${issue.message}`;
}

/**
 * The question in the SDK's form: no tools, and the reply's schema in the form that the provider
 * supports. Calls the model directly, not through `generateText`: the caller needs the text as
 * received, even if it is malformed.
 */
export function callOptions(
  request: AskRequest,
  settings: ModelParameters,
  signal: AbortSignal,
): CallOptions {
  const { reply } = request;
  const schema =
    reply === null
      ? null
      : z.toJSONSchema(reply.schema, { target: 'draft-7', unrepresentable: 'any' });
  return {
    prompt: [
      ...(request.system === '' ? [] : [{ role: 'system' as const, content: request.system }]),
      ...request.messages.map(({ role, content }) => ({
        role,
        content: [{ type: 'text' as const, text: content }],
      })),
    ],
    maxOutputTokens: settings.max_tokens ?? request.maxOutputTokens,
    temperature: settings.temperature,
    ...(settings.top_p === undefined ? {} : { topP: settings.top_p }),
    ...(settings.seed === undefined ? {} : { seed: settings.seed }),
    ...(schema === null || reply === null || settings.format === 'none'
      ? {}
      : {
          responseFormat: { type: 'json' as const, name: reply.name, schema: schema as object },
          providerOptions: { openai: { strictJsonSchema: mayBeStrict(schema) } },
        }),
    abortSignal: signal,
  };
}

/**
 * OpenAI's strict mode accepts only schemas whose objects are closed and require all their members.
 */
export function mayBeStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(mayBeStrict);
  if (typeof schema !== 'object' || schema === null) return true;
  const { type, properties, required, additionalProperties } = schema as Record<string, unknown>;
  if (type === 'object') {
    const names =
      typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
    const needed = new Set(Array.isArray(required) ? required : []);
    if (additionalProperties !== false || !names.every((name) => needed.has(name))) return false;
  }
  return Object.values(schema).every(mayBeStrict);
}
