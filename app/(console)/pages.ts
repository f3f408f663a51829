import type { Project } from '../_trpc/outputs';

export interface Page {
  readonly name: string;
  readonly href: string;
  /** Highlighted only on this exact path. */
  readonly exact: boolean;
  /** Shows a count of waiting items. */
  readonly counts?: 'review' | 'alerts';
}

/** A group of pages; the first one has no heading. */
export interface PageGroup {
  readonly name: string | null;
  readonly pages: readonly Page[];
}

/** In order: pages with work for a person, received data, measurements, configuration. */
export function pageGroupsOf(slug: string): PageGroup[] {
  const page = (name: string, path: string, counts?: Page['counts']): Page => ({
    name,
    href: `/p/${slug}/${path}`,
    exact: false,
    ...(counts !== undefined && { counts }),
  });
  return [
    { name: null, pages: [{ name: 'Overview', href: `/p/${slug}`, exact: true }] },
    {
      name: 'Work',
      pages: [
        page('Verdicts', 'verdicts'),
        page('Review', 'review', 'review'),
        page('Alerts', 'alerts', 'alerts'),
        page('Traces', 'traces'),
        page('Sessions', 'sessions'),
        page('Checkpoints', 'checkpoints'),
        page('Gateway', 'gateway'),
      ],
    },
    {
      name: 'Measure',
      pages: [
        page('Calibration', 'calibration'),
        page('Thresholds', 'thresholds'),
        page('Datasets', 'datasets'),
        page('Experiments', 'experiments'),
        page('Playground', 'playground'),
        page('Reports', 'reports'),
        page('Models', 'models'),
      ],
    },
    {
      name: 'Set up',
      pages: [
        page('Verifiers', 'verifiers'),
        page('Prompts', 'prompts'),
        page('Rules', 'rules'),
        page('Settings', 'settings'),
      ],
    },
  ];
}

/** Only the permitted pages; the server refuses the others anyway. */
export function settingsPagesOf(project: Pick<Project, 'slug' | 'permissions'>): Page[] {
  const all: readonly (readonly [string, string, string | null])[] = [
    ['Keys', 'keys', 'keys.read'],
    ['Members', 'members', 'members.read'],
    ['Integrity', 'integrity', null],
    ['Providers', 'providers', 'verdicts.read'],
    ['Models', 'models', 'verdicts.read'],
    ['Judging', 'judging', 'verdicts.read'],
    ['Review', 'review', 'verdicts.read'],
    ['Backlog', 'work', null],
    ['Alert rules', 'alerts', 'verdicts.read'],
    ['Destinations', 'webhooks', 'settings.write'],
    ['Data', 'data', 'settings.write'],
    ['Audit', 'audit', 'audit.read'],
  ];
  return all
    .filter(([, , needs]) => needs === null || may(project, needs))
    .map(([name, path]) => ({ name, href: `/p/${project.slug}/settings/${path}`, exact: true }));
}

export function may(project: Pick<Project, 'permissions'>, permission: string): boolean {
  return project.permissions.some((each) => each === permission);
}
