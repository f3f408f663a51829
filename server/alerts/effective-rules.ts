import type { ProjectCtx } from '../access';
import { readVerifierName } from '../domain';
import type { AlertKind } from './alert-facts';
import { kindRuleOf } from './all-kinds';
import type { AlertCheck, EffectiveRule } from './kind';

/** A rule as a person set it. */
export interface StoredRule extends EffectiveRule {
  readonly kind: string;
  /** Null means all verifiers of the kind. */
  readonly verifier: string | null;
  readonly updatedBy: string;
  readonly updatedAt: Date;
  readonly limitSetAt: Date;
}

interface Row {
  kind: string;
  verifier_slug: string;
  enabled: boolean;
  limit_value: number | null;
  window_minutes: number;
  no_data: EffectiveRule['noData'];
  renotify_minutes: number | null;
  updated_by: string;
  updated_at: string;
  limit_set_at: string;
}

/** Rules set by people: rules for one verifier follow the rule for all. */
export async function readStoredRules({ sql, projectId }: ProjectCtx): Promise<StoredRule[]> {
  const rows = await sql<Row[]>`
    select kind, verifier_slug, enabled, limit_value, window_minutes, no_data, renotify_minutes, updated_by, updated_at, limit_set_at
    from alert_rules where project_id = ${projectId} order by kind, verifier_slug`;
  return rows.map((row) => ({
    kind: row.kind,
    verifier: row.verifier_slug === '' ? null : row.verifier_slug,
    enabled: row.enabled,
    limit: row.limit_value,
    windowMinutes: row.window_minutes,
    noData: row.no_data,
    renotifyMinutes: row.renotify_minutes,
    updatedBy: row.updated_by,
    updatedAt: new Date(row.updated_at),
    limitSetAt: new Date(row.limit_set_at),
  }));
}

/**
 * Pure. Selects the rule of the series itself, else of its verifier, else of the kind, else the
 * default.
 */
export function effectiveRules(
  stored: readonly StoredRule[],
  now: Date,
): Pick<AlertCheck, 'ruleFor' | 'limitSetAt' | 'windowsOf'> {
  const known = new Map(stored.map((rule) => [JSON.stringify([rule.kind, rule.verifier]), rule]));
  const find = (kind: AlertKind, verifier: string | null): StoredRule | undefined => {
    const names = verifier === null ? [null] : [verifier, readVerifierName(verifier).slug, null];
    for (const name of names) {
      const rule = known.get(JSON.stringify([kind, name]));
      if (rule !== undefined) return rule;
    }
    return undefined;
  };
  return {
    ruleFor: (kind, verifier) => find(kind, verifier) ?? kindRuleOf(kind).defaults,
    limitSetAt: (kind, verifier) => find(kind, verifier)?.limitSetAt ?? now,
    windowsOf: (kind) => {
      const all = [
        find(kind, null) ?? kindRuleOf(kind).defaults,
        ...stored.filter((rule) => rule.kind === kind && rule.verifier !== null),
      ];
      return [
        ...new Set(all.filter(({ enabled }) => enabled).map(({ windowMinutes }) => windowMinutes)),
      ];
    },
  };
}
