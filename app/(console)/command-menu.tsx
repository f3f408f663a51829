'use client';

import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { Dialog } from '../_ui/dialog';
import { inputClass } from '../_ui/field';
import { chooseTheme } from '../theme';

interface Command {
  readonly name: string;
  readonly group: string;
  readonly run: () => void;
}

interface CommandMenuProps {
  projects: readonly { readonly slug: string; readonly name: string }[];
  mayCreate: boolean;
  /** Pages of the open project. */
  pages: readonly { readonly name: string; readonly href: string }[];
  onClose: () => void;
  onSignOut: () => void;
}

/** A combobox: the focus stays in the input, the arrow keys move the active option. */
export function CommandMenu({ projects, mayCreate, pages, onClose, onSignOut }: CommandMenuProps) {
  const router = useRouter();
  const listId = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const go = (href: string) => () => router.push(href);
  const commands: Command[] = [
    ...pages.map((page) => ({ name: page.name, group: 'Go to', run: go(page.href) })),
    ...projects.map((project) => ({ name: `Project ${project.name}`, group: 'Switch', run: go(`/p/${project.slug}`) })),
    ...(mayCreate ? [{ name: 'Create a project', group: 'Switch', run: go('/projects/new') }] : []),
    { name: 'Theme: system', group: 'Look', run: () => chooseTheme('system') },
    { name: 'Theme: light', group: 'Look', run: () => chooseTheme('light') },
    { name: 'Theme: dark', group: 'Look', run: () => chooseTheme('dark') },
    { name: 'Sign out', group: 'Account', run: onSignOut },
  ];
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = commands.filter((command) => words.every((word) => `${command.group} ${command.name}`.toLowerCase().includes(word)));
  const active = Math.min(at, Math.max(0, found.length - 1));
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.run();
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && found.length > 0) {
      event.preventDefault();
      setAt((active + step + found.length) % found.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(found[active]);
    }
  };
  return (
    <Dialog title="Commands" onClose={onClose}>
      <input
        role="combobox"
        aria-label="Search commands"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={found[active] ? `${listId}-${active}` : undefined}
        autoComplete="off"
        placeholder="Page, project or action"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className={inputClass}
      />
      <div role="listbox" id={listId} aria-label="Commands" className="max-h-80 overflow-y-auto pt-2">
        {found.map((command, index) => (
          <div
            key={command.name}
            role="option"
            id={`${listId}-${index}`}
            tabIndex={-1}
            aria-selected={index === active}
            onClick={() => run(command)}
            onKeyDown={onKeyDown}
            className={`rounded-4 flex h-8 items-center justify-between px-2 ${index === active ? 'bg-accent-wash' : 'hover:bg-hover'}`}
          >
            <span>{command.name}</span>
            <span className="text-12 text-ink-3">{command.group}</span>
          </div>
        ))}
      </div>
      {found.length === 0 ? <p className="text-ink-2 px-2 pt-2">No command has these words.</p> : null}
    </Dialog>
  );
}
