import type { Project } from '../_trpc/outputs';

export interface Page {
  readonly name: string;
  readonly href: string;
  /** Highlighted on this very path only. */
  readonly exact: boolean;
  /** Shows how much waits there. */
  readonly counts?: 'review' | 'alerts';
}

export function pagesOf(slug: string): Page[] {
  return [
    { name: 'Overview', href: `/p/${slug}`, exact: true },
    { name: 'Verdicts', href: `/p/${slug}/verdicts`, exact: false },
    { name: 'Review', href: `/p/${slug}/review`, exact: false, counts: 'review' },
    { name: 'Alerts', href: `/p/${slug}/alerts`, exact: false, counts: 'alerts' },
    { name: 'Traces', href: `/p/${slug}/traces`, exact: false },
    { name: 'Sessions', href: `/p/${slug}/sessions`, exact: false },
    { name: 'Checkpoints', href: `/p/${slug}/checkpoints`, exact: false },
    { name: 'Gateway', href: `/p/${slug}/gateway`, exact: false },
    { name: 'Calibration', href: `/p/${slug}/calibration`, exact: false },
    { name: 'Thresholds', href: `/p/${slug}/thresholds`, exact: false },
    { name: 'Reports', href: `/p/${slug}/reports`, exact: false },
    { name: 'Models', href: `/p/${slug}/models`, exact: false },
    { name: 'Verifiers', href: `/p/${slug}/verifiers`, exact: false },
    { name: 'Prompts', href: `/p/${slug}/prompts`, exact: false },
    { name: 'Rules', href: `/p/${slug}/rules`, exact: false },
    { name: 'Settings', href: `/p/${slug}/settings`, exact: false },
  ];
}

/** Only what the role may open; the server refuses the rest anyway. */
export function settingsPagesOf(project: Project): Page[] {
  const all: readonly (readonly [string, string, string | null])[] = [
    ['Keys', 'keys', 'keys.read'],
    ['Members', 'members', 'members.read'],
    ['Integrity', 'integrity', null],
    ['Providers', 'providers', 'verdicts.read'],
    ['Judging', 'judging', 'verdicts.read'],
    ['Review', 'review', 'verdicts.read'],
    ['Waiting work', 'work', null],
    ['Alert rules', 'alerts', 'verdicts.read'],
    ['Webhooks', 'webhooks', 'settings.write'],
    ['Audit', 'audit', 'audit.read'],
  ];
  return all
    .filter(([, , needs]) => needs === null || may(project, needs))
    .map(([name, path]) => ({ name, href: `/p/${project.slug}/settings/${path}`, exact: true }));
}

export function may(project: Project, permission: string): boolean {
  return project.permissions.some((each) => each === permission);
}
