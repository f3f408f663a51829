import {
  TriangleAlert,
  Boxes,
  ChartColumn,
  Cpu,
  FileText,
  FlaskConical,
  Gauge,
  LayoutDashboard,
  ListChecks,
  ListTree,
  type LucideIcon,
  MessageSquareText,
  MessagesSquare,
  Milestone,
  Play,
  Router,
  Settings,
  ShieldCheck,
  Target,
  Workflow,
} from 'lucide-react';
import type { Project } from '../_trpc/outputs';

export interface Page {
  readonly name: string;
  readonly href: string;
  /** Highlighted only on this exact path. */
  readonly exact: boolean;
}

export interface NavPage extends Page {
  readonly icon: LucideIcon;
  /** Shows a count of waiting items. */
  readonly counts?: 'review' | 'alerts';
}

/** A group of pages; one without a name has no heading. */
export interface PageGroup {
  readonly name: string | null;
  readonly pages: readonly NavPage[];
}

/** In order: the answer, what happened, work for a person, measurements, configuration. */
export function pageGroupsOf(slug: string): PageGroup[] {
  const page = (
    name: string,
    path: string,
    icon: LucideIcon,
    counts?: NavPage['counts'],
  ): NavPage => ({
    name,
    href: `/p/${slug}/${path}`,
    exact: false,
    icon,
    ...(counts !== undefined && { counts }),
  });
  return [
    {
      name: null,
      pages: [{ name: 'Overview', href: `/p/${slug}`, exact: true, icon: LayoutDashboard }],
    },
    {
      name: 'Monitor',
      pages: [
        page('Verdicts', 'verdicts', ListChecks),
        page('Traces', 'traces', ListTree),
        page('Sessions', 'sessions', MessagesSquare),
        page('Checkpoints', 'checkpoints', Milestone),
        page('Gateway', 'gateway', Router),
      ],
    },
    { name: null, pages: [page('Review', 'review', MessageSquareText, 'review')] },
    {
      name: 'Quality',
      pages: [
        page('Calibration', 'calibration', Target),
        page('Models', 'models', Cpu),
        page('Datasets', 'datasets', Boxes),
        page('Experiments', 'experiments', FlaskConical),
        page('Reports', 'reports', ChartColumn),
        page('Alerts', 'alerts', TriangleAlert, 'alerts'),
      ],
    },
    {
      name: 'Configure',
      pages: [
        page('Verifiers', 'verifiers', ShieldCheck),
        page('Rules', 'rules', Workflow),
        page('Prompts', 'prompts', FileText),
        page('Thresholds', 'thresholds', Gauge),
      ],
    },
    { name: null, pages: [page('Playground', 'playground', Play)] },
    { name: null, pages: [page('Settings', 'settings', Settings)] },
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
    ['Slack', 'slack', 'labels.write'],
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
