import { z } from '@hono/zod-openapi';
import { deleteProvider, listProviders, type Provider, putProvider } from '../../llm';
import { ProviderKind, ProviderName, PutProvider } from '../../llm/input';
import { readBody } from './body';
import type { Route } from './route';
import { parse, readJsonBody } from './request-input';
import { webIncoming } from './web-incoming';

const ProviderPrice = z.object({
  model: z.string(),
  usd_per_million: z.object({ input: z.number(), output: z.number() }),
});

const ProviderReply = z
  .object({
    name: z.string(),
    kind: ProviderKind,
    base_url: z.string(),
    models: z.array(z.string()),
    enabled: z.boolean(),
    /** Prices that the project pays, where they differ from the list price. */
    prices: z.array(ProviderPrice),
    /**
     * `sk-…wxyz`; null without a key; `unreadable` when it must be entered again. The key itself is
     * never shown.
     */
    key: z.string().nullable(),
    /** `environment`: the operator's, for each project without one of the same name. */
    source: z.enum(['project', 'environment']),
    updated_at: z.string().nullable(),
  })
  .openapi('Provider');

const Name = z.object({ name: ProviderName });

export const providerRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/providers',
    scope: 'read',
    summary: 'Model providers for judges, with masked keys',
    answers: {
      200: z.object({ data: z.array(ProviderReply), next_cursor: z.null() }).openapi('Providers'),
    },
    handle: async (c, project) => {
      const providers = await listProviders(project);
      return c.json({ data: providers.map(providerReply), next_cursor: null });
    },
  },
  {
    method: 'put',
    path: '/v1/providers/{name}',
    scope: 'write',
    summary: 'Create or change a model provider; a new origin requires its key again',
    params: Name,
    body: PutProvider,
    answers: { 200: ProviderReply },
    handle: async (c, project) => {
      const { name } = parse(Name, { name: c.req.param('name') ?? '' }, 'path');
      const { bytes } = await readBody(webIncoming(c.req.raw));
      const input = parse(PutProvider, readJsonBody(bytes), 'body');
      return c.json(providerReply(await putProvider(project, name, input)));
    },
  },
  {
    method: 'delete',
    path: '/v1/providers/{name}',
    scope: 'write',
    summary: 'Delete a provider and its key',
    params: Name,
    answers: { 200: Name },
    handle: async (c, project) => {
      const { name } = parse(Name, { name: c.req.param('name') ?? '' }, 'path');
      await deleteProvider(project, name);
      return c.json({ name });
    },
  },
];

function providerReply(provider: Provider): z.infer<typeof ProviderReply> {
  return {
    name: provider.name,
    kind: provider.kind,
    base_url: provider.baseUrl,
    models: [...provider.models],
    enabled: provider.enabled,
    prices: [...provider.prices],
    key: provider.key,
    source: provider.source,
    updated_at: provider.updatedAt?.toISOString() ?? null,
  };
}
