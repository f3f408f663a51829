import { chooseTheme } from '../theme';
import type { Project, SavedView } from '../_trpc/outputs';
import { may, pageGroupsOf, settingsPagesOf } from './pages';
import { savedViewLists, viewHref } from './saved-view-pages';

export interface Command {
  readonly name: string;
  readonly group: string;
  readonly run: () => void;
}

interface CommandsIn {
  /** Null when no project is open. */
  readonly project: Pick<Project, 'slug' | 'permissions'> | null;
  readonly projects: readonly { readonly slug: string; readonly name: string }[];
  readonly views: readonly SavedView[];
  /** Whether the person may create projects. */
  readonly mayCreate: boolean;
  readonly go: (href: string) => void;
  readonly signOut: () => void;
}

/** Label, path below the project, and required permission; null if read access is enough. */
const actions: readonly (readonly [string, string, string | null])[] = [
  ['Send a first trace', 'traces?create=1', null],
  ['Create a key', 'settings/keys?create=1', 'keys.write'],
  ['Invite a member', 'settings/members?create=1', 'members.write'],
  ['Create a rule', 'rules?create=1', 'settings.write'],
  ['Create a dataset', 'datasets?create=1', 'labels.write'],
  ['Create a prompt', 'prompts?create=1', 'prompts.write'],
  ['Start an experiment', 'experiments/new', 'prompts.write'],
  ['Create a report', 'reports?create=1', 'settings.write'],
  ['Add a destination', 'settings/webhooks?create=1', 'settings.write'],
  ['Create a gateway route', 'gateway/new-route', 'settings.write'],
];

/** Every action available on all pages, in display order. */
export function commandsOf({
  project,
  projects,
  views,
  mayCreate,
  go,
  signOut,
}: CommandsIn): Command[] {
  const to = (name: string, group: string, href: string): Command => ({
    name,
    group,
    run: () => go(href),
  });
  const themes = ['system', 'light', 'dark'] as const;
  return [
    ...(project === null ? [] : ofProject(project, views, to)),
    ...projects.map(({ name, slug }) => to(`Project ${name}`, 'Switch', `/p/${slug}`)),
    ...(mayCreate ? [to('Create a project', 'Switch', '/projects/new')] : []),
    ...themes.map((theme) => ({
      name: `Theme: ${theme}`,
      group: 'Theme',
      run: () => chooseTheme(theme),
    })),
    { name: 'Account', group: 'Account', run: () => go('/account') },
    { name: 'Sign out', group: 'Account', run: signOut },
  ];
}

function ofProject(
  project: Pick<Project, 'slug' | 'permissions'>,
  views: readonly SavedView[],
  to: (name: string, group: string, href: string) => Command,
): Command[] {
  const { slug } = project;
  return [
    ...pageGroupsOf(slug).flatMap(({ name, pages }) =>
      pages.map((page) => to(page.name, name ?? 'Go to', page.href)),
    ),
    ...settingsPagesOf(project).map((page) => to(page.name, 'Settings', page.href)),
    ...views.map((view) =>
      to(`${savedViewLists[view.page].name}: ${view.name}`, 'View', viewHref(slug, view)),
    ),
    ...actions
      .filter(([, , needs]) => needs === null || may(project, needs))
      .map(([name, path]) => to(name, 'Do', `/p/${slug}/${path}`)),
  ];
}

/** Commands that contain every word, in their name or group. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return commands.filter(({ name, group }) =>
    words.every((word) => `${group} ${name}`.toLowerCase().includes(word)),
  );
}
