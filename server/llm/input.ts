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
 * What a project pays for a model, where that is not its list price: US dollars for a million
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
 * A provider as it shall be. `base_url` left out: its kind's own address. `api_key` left out: the
 * stored one stays, unless the address has another origin; then it must be given again (S-45).
 * Null: without a key, which only a compatible server may be.
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
  /** Left out: they stay. A model without one has its list price, if there is one. */
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
