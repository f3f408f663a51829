import type { Rule } from '@/app/_trpc/outputs';

/** The share of the subjects of the last 7 days that enabled rules sent to a verifier. */
export interface Coverage {
  readonly target: Rule['target'];
  /** 0 to 1; null if nothing arrived. */
  readonly share: number | null;
}

/**
 * The coverage of each verifier, by target, from the decisions of its enabled rules. Each rule
 * decides every subject of its target once, and a subject that another rule has already sent counts
 * as a duplicate. So the sent counts add up, and the rule with the most decisions determines the
 * number of subjects.
 */
export function coverageOf(rules: readonly Rule[], verifier: string): Coverage[] {
  const verifierRules = rules.filter((rule) => rule.enabled && rule.verifier === verifier);
  const targets = [...new Set(verifierRules.map(({ target }) => target))];
  return targets.map((target) => {
    const decided = verifierRules.filter((rule) => rule.target === target).map(countsOf);
    const subjects = Math.max(...decided.map(({ all }) => all));
    const sent = decided.reduce((sum, { run }) => sum + run, 0);
    return { target, share: subjects === 0 ? null : Math.min(1, sent / subjects) };
  });
}

function countsOf({ decided }: Rule): { readonly all: number; readonly run: number } {
  let all = 0;
  let run = 0;
  for (const { state, count } of decided) {
    all += count;
    if (state === 'run') run += count;
  }
  return { all, run };
}

/** `5% of turns, 100% of sessions`; shares below 0.1% are not rounded to none. */
export function coverageText(coverage: readonly Coverage[]): string {
  if (coverage.length === 0) return 'no rule';
  return coverage
    .map(({ target, share }) =>
      share === null ? `no ${target}s yet` : `${percent(share)} of ${target}s`,
    )
    .join(', ');
}

function percent(share: number): string {
  if (share > 0 && share < 0.001) return '< 0.1%';
  return `${Number((share * 100).toFixed(share < 0.1 ? 1 : 0))}%`;
}
