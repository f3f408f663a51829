import type { ProjectCtx } from '../access';
import type { AlertRule } from './alert';
import { kindRules } from './all-kinds';
import type { AlertKindRule } from './kind';
import { readStoredRules, type StoredRule } from './effective-rules';

/** The rule of every kind, each followed by the rules of single verifiers. */
export async function listAlertRules(ctx: ProjectCtx): Promise<AlertRule[]> {
  const stored = await readStoredRules(ctx);
  return kindRules.flatMap((kind) => {
    const kindRules = stored.filter((rule) => rule.kind === kind.kind);
    return [
      asRule(
        kind,
        null,
        kindRules.find(({ verifier }) => verifier === null),
      ),
      ...kindRules
        .filter(({ verifier }) => verifier !== null)
        .map((rule) => asRule(kind, rule.verifier, rule)),
    ];
  });
}

function asRule(
  { kind, severity, meaning, defaults, limits }: AlertKindRule,
  verifier: string | null,
  stored: StoredRule | undefined,
): AlertRule {
  const { enabled, limit, windowMinutes, noData, renotifyMinutes } = stored ?? defaults;
  return {
    kind,
    verifier,
    isOwn: stored !== undefined,
    enabled,
    severity,
    meaning,
    limit,
    minLimit: limits?.min ?? null,
    maxLimit: limits?.max ?? null,
    windowMinutes,
    noData,
    renotifyMinutes,
    updatedBy: stored?.updatedBy ?? null,
    updatedAt: stored?.updatedAt ?? null,
  };
}
