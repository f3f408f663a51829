'use client';

import dynamic from 'next/dynamic';
import { type LucideIcon, Menu, Search } from 'lucide-react';
import Link from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import type { Me, Project } from '../_trpc/outputs';
import { loadDialog } from '../_ui/dialog';
import { useKeys } from '../_ui/keyboard';
import { Select } from '../_ui/select';
import { chooseTheme, type ThemeChoice } from '../theme';
import { lastProjectCookie } from './last-project';
import { PageNav } from './page-nav';

const loadMenu = () => import('./command-menu').then((module) => module.CommandMenu);
const loadHelp = () => import('./shortcut-help').then((module) => module.ShortcutHelp);
const loadSheet = () => import('./menu-sheet');
const CommandMenu = dynamic(loadMenu, { ssr: false });
const ShortcutHelp = dynamic(loadHelp, { ssr: false });
const MenuSheet = dynamic(loadSheet, { ssr: false });

interface ShellProps {
  me: Me;
  /** Null when there is none yet. */
  project: Project | null;
  banner?: ReactNode;
  children: ReactNode;
}

export function Shell({ me, project, banner, children }: ShellProps) {
  const [open, setOpen] = useState<'commands' | 'keys' | 'menu' | null>(null);
  const pathname = usePathname();
  const slug = project?.slug;
  useKeys({
    '?': () => setOpen('keys'),
    'mod+k': (event) => {
      event.preventDefault();
      setOpen((now) => (now === 'commands' ? null : 'commands'));
    },
  });
  // Preloaded once the page is ready, so that an opened dialog accepts input immediately.
  useEffect(() => {
    void Promise.all([loadDialog(), loadMenu(), loadHelp(), loadSheet()]).catch(() => undefined);
  }, []);
  useEffect(() => {
    if (slug)
      document.cookie = `${lastProjectCookie}=${slug}; path=/; max-age=31536000; samesite=lax`;
  }, [slug]);
  const openCommands = () => setOpen('commands');
  const searchName = slug === undefined ? 'Commands' : 'Search';
  const picker = (
    <ProjectPicker projects={me.projects} current={slug ?? null} mayCreate={me.user.operator} />
  );
  const more = <MoreActions email={me.user.email} onKeys={() => setOpen('keys')} />;
  return (
    <div className="md:grid md:min-h-dvh md:grid-cols-[48px_minmax(0,1fr)] xl:grid-cols-[200px_minmax(0,1fr)] print:block">
      <header className="bg-surface border-line flex items-center gap-2 border-b px-3 py-2 md:sticky md:top-0 md:h-dvh md:flex-col md:items-stretch md:gap-2 md:border-r md:border-b-0 md:p-2 xl:gap-3 xl:p-3 print:hidden">
        <Link href="/" className="text-14 flex h-8 items-center gap-2 font-semibold md:px-2">
          {/* Decorative: the name is next to it. */}
          <svg width="18" height="18" viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" className="fill-ink" />
            <path
              d="M8 17.2l5.4 5.4L24.4 9.6"
              fill="none"
              className="stroke-surface"
              strokeWidth="3.6"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          <span className="md:max-xl:sr-only">Assay</span>
        </Link>
        <div className="md:max-xl:hidden">{picker}</div>
        {slug === undefined ? null : <PageNav project={slug} place="side" />}
        <div className="ml-auto flex items-center gap-1 md:mt-auto md:ml-0 md:flex-col md:items-stretch">
          <IconButton icon={Search} name={searchName} keys="Ctrl K" onClick={openCommands} />
          <div className="xl:hidden">
            <IconButton icon={Menu} name="Menu" onClick={() => setOpen('menu')} />
          </div>
          <div className="hidden flex-col gap-1 xl:flex">{more}</div>
        </div>
      </header>
      <div className="flex min-w-0 flex-col">
        {banner}
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 outline-none">
          {children}
        </main>
      </div>
      {open === 'commands' ? (
        <CommandMenu
          projects={me.projects}
          mayCreate={me.user.operator}
          project={project}
          onClose={() => setOpen(null)}
          onSignOut={() => void signOut()}
        />
      ) : null}
      {open === 'menu' ? (
        <MenuSheet onClose={() => setOpen((now) => (now === 'menu' ? null : now))}>
          {picker}
          {slug === undefined ? null : <PageNav project={slug} place="menu" />}
          {more}
        </MenuSheet>
      ) : null}
      {open === 'keys' ? <ShortcutHelp pathname={pathname} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}

interface IconButtonProps {
  icon: LucideIcon;
  name: string;
  /** The shortcut, shown on a wide page. */
  keys?: string;
  onClick: () => void;
}

/** Its name is shown where the sidebar is whole. */
function IconButton({ icon: Icon, name, keys, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      onClick={onClick}
      title={name}
      className="text-ink-2 hover:bg-hover rounded-4 flex size-8 items-center justify-center gap-2 xl:w-full xl:justify-start xl:px-2"
    >
      <Icon aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
      <span className="max-xl:sr-only">{name}</span>
      {keys === undefined ? null : (
        <kbd className="text-12 text-ink-3 ml-auto font-mono max-xl:hidden">{keys}</kbd>
      )}
    </button>
  );
}

function MoreActions({ email, onKeys }: { email: string; onKeys: () => void }) {
  return (
    <>
      <button
        type="button"
        onClick={onKeys}
        className="text-ink-2 hover:bg-hover rounded-4 flex h-8 items-center justify-between px-2"
      >
        Shortcuts <kbd className="text-12 text-ink-3 font-mono">?</kbd>
      </button>
      <a
        href="/docs/"
        target="_blank"
        rel="noreferrer"
        className="text-ink-2 hover:bg-hover rounded-4 flex h-8 items-center px-2"
      >
        Documentation
      </a>
      <ThemeSwitch />
      <div className="border-line flex items-center justify-between gap-2 border-t px-2 pt-2">
        <Link
          href="/account"
          className="text-12 text-ink-3 hover:text-ink min-w-0 truncate underline"
          title={email}
        >
          {email}
        </Link>
        <button
          type="button"
          onClick={() => void signOut()}
          className="text-12 text-ink-2 hover:text-ink shrink-0 underline"
        >
          Sign out
        </button>
      </div>
    </>
  );
}

const create = '+new';

interface ProjectPickerProps {
  projects: readonly { readonly slug: string; readonly name: string }[];
  current: string | null;
  mayCreate: boolean;
}

/** Navigates on change: a native select, since there are seldom many projects. */
function ProjectPicker({ projects, current, mayCreate }: ProjectPickerProps) {
  const router = useRouter();
  return (
    <Select
      label="Project"
      value={current ?? ''}
      options={[
        ...(current === null ? [['', 'No project open'] as const] : []),
        ...projects.map(({ slug, name }) => [slug, name] as const),
        ...(mayCreate ? [[create, 'Create a project…'] as const] : []),
      ]}
      onChange={(chosen) => router.push(chosen === create ? '/projects/new' : `/p/${chosen}`)}
      className="max-w-40 md:max-w-none"
    />
  );
}

/** Signs out with a full page load, so that no data of the session stays in memory. */
async function signOut(): Promise<void> {
  await fetch('/api/auth/sign-out', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  window.location.assign('/sign-in');
}

const choices: readonly { readonly choice: ThemeChoice; readonly name: string }[] = [
  { choice: 'system', name: 'System' },
  { choice: 'light', name: 'Light' },
  { choice: 'dark', name: 'Dark' },
];

function subscribe(listener: () => void): () => void {
  window.addEventListener('assay:theme', listener);
  return () => window.removeEventListener('assay:theme', listener);
}

function ThemeSwitch() {
  const chosen = useSyncExternalStore(
    subscribe,
    () => document.documentElement.dataset.choice ?? 'system',
    () => 'system',
  );
  return (
    <div role="group" aria-label="Theme" className="border-line rounded-4 flex border">
      {choices.map(({ choice, name }) => (
        <button
          key={choice}
          type="button"
          aria-pressed={chosen === choice}
          onClick={() => chooseTheme(choice)}
          className={`text-12 rounded-4 h-6 flex-1 px-2 ${chosen === choice ? 'bg-accent-wash text-ink' : 'text-ink-3 hover:text-ink'}`}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
