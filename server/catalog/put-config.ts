import { type ProjectCtx, recordAudit } from '../access';
import { fieldSentence, invalid, issueDetails, pathText, refused, unknownName } from '../platform';
import type { ConfigBody, ConfigValue } from './input';
import type { Kinds } from '../verifiers';
import { latestConfig, lockVersions, storeVersion } from './config-versions';
import { type Configurable, getConfigurable, readConfig, sameValue } from './configurable';

/**
 * Changes a verifier's config: given members are set, null restores the default, omitted members
 * are unchanged. The change is the verifier's next version, for runs that begin from now on; stored
 * verdicts keep the version that decided them. Repeating the same values changes nothing.
 * @throws AssayError not_found (no such verifier), invalid_request (no such member), refused (a
 * value that the verifier does not accept)
 */
export async function putConfig(
  ctx: ProjectCtx,
  kinds: Kinds,
  slug: string,
  { config: given, reason }: ConfigBody,
): Promise<void> {
  const verifier = getConfigurable(kinds, slug);
  const changes = new Map(Object.entries(given));
  refuseUnknown(verifier, changes);
  await ctx.db.transaction(async (tx) => {
    await lockVersions(ctx, tx);
    const latest = await latestConfig(ctx, tx, slug);
    const before = readConfig(verifier, latest.config);
    const after = changed(verifier, before, changes);
    const moved = [...after].filter(([key, value]) => !sameValue(before.get(key), value));
    if (moved.length === 0) return;
    const version = latest.version + 1;
    await storeVersion(ctx, tx, {
      slug,
      kind: verifier.kind,
      version,
      config: Object.fromEntries(after),
    });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'verifiers.update',
      target: slug,
      detail: {
        version,
        config: Object.fromEntries(moved),
        before: Object.fromEntries(moved.map(([key]) => [key, before.get(key) ?? null])),
        reason,
      },
    });
  });
}

/** Refuses unknown members, which would have no effect. */
function refuseUnknown({ fields }: Configurable, changes: ReadonlyMap<string, unknown>): void {
  const known = new Set(fields.map(({ key }) => key));
  const unknown = [...changes.keys()].filter((key) => !known.has(key));
  if (unknown.length === 0) return;
  const details = unknown.map((key) => ({
    path: pathText(['config', key]),
    message: unknownName(key, known),
  }));
  throw invalid(details.map((detail) => fieldSentence(detail))[0] ?? '', details);
}

/** The complete config with the changes applied. */
function changed(
  verifier: Configurable,
  before: ReadonlyMap<string, ConfigValue>,
  changes: ReadonlyMap<string, ConfigValue | null>,
): Map<string, ConfigValue> {
  const wanted = verifier.fields.flatMap(({ key }): [string, ConfigValue][] => {
    const value = changes.has(key) ? changes.get(key) : before.get(key);
    return value == null ? [] : [[key, value]];
  });
  const parsed = verifier.config.safeParse(Object.fromEntries(wanted));
  if (parsed.success) return readConfig(verifier, parsed.data);
  const details = issueDetails(parsed.error.issues).map(({ path, message }) => ({
    path: `config.${path}`,
    message,
  }));
  throw refused(
    `${details[0]?.path ?? 'config'}: ${details[0]?.message ?? 'is not valid'}`,
    details,
  );
}
