import { z } from 'zod';

const Slug = z.string().min(2).max(40);

export const ProviderKind = z.enum(['openai', 'anthropic', 'google', 'openai_compatible']);
export type ProviderKind = z.infer<typeof ProviderKind>;

export const ProviderName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_-]{0,39}$/,
    'must begin with a lower-case letter and have at most 40 lower-case letters, digits, - and _',
  );

const ModelName = z
  .string()
  .regex(
    /^[A-Za-z0-9@][\w.:@+/-]{0,199}$/,
    'must be the name of a model: letters, digits and . : @ + / - _, at most 200 characters',
  )
  .refine(
    (name) => !/\.\.|\/\//.test(name),
    'must be the name of a model: letters, digits and . : @ + / - _, at most 200 characters',
  );

/**
 * The project's price for a model, if it differs from the list price: US dollars per million
 * tokens.
 */
export const ModelPrice = z.strictObject({
  model: ModelName,
  usd_per_million: z.strictObject({
    input: z.number().min(0).max(100_000),
    output: z.number().min(0).max(100_000),
  }),
});
export type ModelPrice = z.infer<typeof ModelPrice>;

/**
 * The provider to store. `base_url` omitted: the default address of its kind. `api_key` omitted:
 * the stored key stays, unless the origin changes; in which case it is required again (S-45). Null
 * means no key, allowed only for a compatible server.
 */
export const PutProvider = z.strictObject({
  kind: ProviderKind,
  base_url: z.string().min(1).max(2000).optional(),
  api_key: z
    .string()
    .trim()
    .regex(/^[\x21-\x7e]{1,500}$/, 'must have 1 to 500 printable characters without spaces')
    .nullish(),
  models: z.array(ModelName).max(50).default([]),
  enabled: z.boolean().default(true),
  /** Omitted: the prices stay. A model without a price uses its list price, if there is one. */
  prices: z
    .array(ModelPrice)
    .max(50)
    .refine(
      (prices) => new Set(prices.map(({ model }) => model)).size === prices.length,
      'must name each model once',
    )
    .optional(),
});
export type PutProvider = z.infer<typeof PutProvider>;

export const PutProviderIn = PutProvider.extend({ project: Slug, name: ProviderName });
export const ProviderIn = z.strictObject({ project: Slug, name: ProviderName });
export const TestProviderIn = z.strictObject({
  project: Slug,
  name: ProviderName,
  model: ModelName,
});
