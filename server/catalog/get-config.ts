import type { ProjectCtx } from '../access';
import type { ConfigField, Kinds } from '../verifiers';
import type { ConfigValue } from './input';
import { type Configurable, getConfigurable, readConfig, sameValue } from './configurable';

/** A member of the config, its current value, and its default. */
export type ConfigFieldState = ConfigField & {
  readonly value: ConfigValue;
  readonly standard: ConfigValue;
};

/** A version that someone created, and its changes from the previous version. */
export interface ConfigVersion {
  readonly version: number;
  readonly by: string;
  readonly at: Date;
  readonly changes: readonly {
    readonly key: string;
    readonly from: ConfigValue;
    readonly to: ConfigValue;
  }[];
}

export interface ConfigState {
  readonly slug: string;
  readonly kind: string;
  /** The version of the current config; 1 is the default config. */
  readonly version: number;
  readonly fields: readonly ConfigFieldState[];
  /** The latest first, at most twenty. */
  readonly versions: readonly ConfigVersion[];
}

interface Row {
  version: number;
  config: unknown;
  created_by: string;
  created_at: string;
}

const shownMax = 20;

/** @throws AssayError not_found (this release has no such verifier) */
export async function getConfig(ctx: ProjectCtx, kinds: Kinds, slug: string): Promise<ConfigState> {
  const verifier = getConfigurable(kinds, slug);
  const rows = await ctx.sql<Row[]>`
    select version, config, created_by, created_at from verifier_versions
    where project_id = ${ctx.projectId} and slug = ${slug} order by version desc limit ${shownMax + 1}`;
  const standard = readConfig(verifier, {});
  const values = rows[0] === undefined ? standard : readConfig(verifier, rows[0].config);
  return {
    slug,
    kind: verifier.kind,
    version: rows[0]?.version ?? 1,
    fields: verifier.fields.map((field) => ({
      ...field,
      value: valueOf(values, field.key),
      standard: valueOf(standard, field.key),
    })),
    versions: rows.slice(0, shownMax).map((row, at) => ({
      version: row.version,
      by: row.created_by,
      at: new Date(row.created_at),
      changes: changesOf(verifier, rows[at + 1]?.config ?? {}, row.config),
    })),
  };
}

/** A version that this release cannot read has no differences to show. */
function changesOf(
  verifier: Configurable,
  before: unknown,
  after: unknown,
): ConfigVersion['changes'] {
  if (!verifier.config.safeParse(before).success || !verifier.config.safeParse(after).success)
    return [];
  const [from, to] = [readConfig(verifier, before), readConfig(verifier, after)];
  return verifier.fields.flatMap(({ key }) =>
    sameValue(from.get(key), to.get(key))
      ? []
      : [{ key, from: valueOf(from, key), to: valueOf(to, key) }],
  );
}

function valueOf(values: ReadonlyMap<string, ConfigValue>, key: string): ConfigValue {
  const value = values.get(key);
  if (value === undefined) throw new Error(`a config has a value for "${key}"`);
  return value;
}
