import type { z } from 'zod';
import { notFound } from '../platform';
import type { ConfigField, Kinds } from '../verifiers';
import { ConfigValue } from './input';

/** A verifier with the fields of its config. */
export interface Configurable {
  readonly slug: string;
  readonly kind: string;
  readonly fields: readonly ConfigField[];
  readonly config: z.ZodType;
}

/** @throws AssayError not_found (no verifier of the release has this name) */
export function getConfigurable(kinds: Kinds, slug: string): Configurable {
  const kind = kinds.get(slug);
  if (kind === undefined || kind.definedByProjects === true) throw notFound('verifier');
  return { slug, kind: kind.name, fields: kind.fields, config: kind.config };
}

/**
 * A config with the kind's defaults applied, by field key. @throws ZodError on a config that this
 * release cannot read
 */
export function readConfig(
  { config, fields }: Configurable,
  stored: unknown,
): Map<string, ConfigValue> {
  const members = new Map(Object.entries(config.parse(stored) as object));
  return new Map(fields.map(({ key }) => [key, ConfigValue.parse(members.get(key))]));
}

export const sameValue = (a: ConfigValue | undefined, b: ConfigValue | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
