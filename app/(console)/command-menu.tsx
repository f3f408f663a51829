'use client';

import { useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useId, useRef, useState } from 'react';
import { useTRPC } from '../_trpc/client';
import type { Hit, Project } from '../_trpc/outputs';
import { problemOf } from '../_trpc/problem';
import { Dialog } from '../_ui/dialog';
import { inputClass } from '../_ui/input-styles';
import { Age } from '../_ui/moment';
import { verdictStyles } from '../_ui/verdict-styles';
import { VerdictIcon } from '../_ui/verdict-mark';
import { plainText, VisibleText } from '../_ui/visible-text';
import { type Command, commandsOf, matching } from './commands';
import { hitGroups, hitHref, searchedText } from './search-words';
import { useSearch } from './use-search';

interface CommandMenuProps {
  projects: readonly { readonly slug: string; readonly name: string }[];
  mayCreate: boolean;
  /** The current project. */
  project: Project | null;
  onClose: () => void;
  onSignOut: () => void;
}

type Option = { readonly command: Command } | { readonly hit: Hit };

interface OptionGroup {
  readonly name: string;
  readonly options: readonly Option[];
  /** Index of the group's first option among all options. */
  readonly from: number;
}

/**
 * A combobox over commands and, below them, search results of the project: the focus stays in the
 * input, the arrow keys move the active option.
 */
export function CommandMenu({
  projects,
  mayCreate,
  project,
  onClose,
  onSignOut,
}: CommandMenuProps) {
  const router = useRouter();
  const listId = useId();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const slug = project?.slug ?? null;
  const { data: saved } = useQuery(
    useTRPC().views.list.queryOptions(
      { project: slug ?? '' },
      { enabled: slug !== null, staleTime: 60_000, retry: false },
    ),
  );
  const { found, isSearching, error } = useSearch(slug, query);
  const go = (href: string) => router.push(href);
  const commands = matching(
    commandsOf({ project, projects, views: saved?.views ?? [], mayCreate, go, signOut: onSignOut }),
    query,
  );
  const groups = placed([
    ['Commands', commands.map((command) => ({ command }))],
    ...byKind(found?.hits ?? []),
  ]);
  const options = groups.flatMap((group) => group.options);
  const active = Math.min(at, Math.max(0, options.length - 1));
  const run = (option: Option | undefined) => {
    if (option === undefined) return;
    onClose();
    if ('command' in option) option.command.run();
    else go(hitHref(slug ?? '', option.hit));
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && options.length > 0) {
      event.preventDefault();
      setAt((active + step + options.length) % options.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(options[active]);
    }
  };
  return (
    <Dialog title={project === null ? 'Commands' : 'Search and commands'} onClose={onClose}>
      <input
        role="combobox"
        aria-label="Search commands"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={options[active] ? `${listId}-${active}` : undefined}
        autoComplete="off"
        placeholder={
          project === null ? 'Project or action' : 'Page, action, id, text, model or person'
        }
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
        className={inputClass}
      />
      <Options id={listId} groups={groups} active={active} onRun={run} onKeyDown={onKeyDown} />
      <div role="status" className="text-12 text-ink-3 px-2 pt-2">
        {error
          ? `The search failed: ${problemOf(error).message}`
          : isSearching
            ? 'Looking …'
            : found === null
              ? null
              : searchedText(found)}
        {options.length === 0 && !isSearching ? <p>No results.</p> : null}
      </div>
    </Dialog>
  );
}

/** Groups in the order of their first hits. */
function byKind(hits: readonly Hit[]): (readonly [string, readonly Option[]])[] {
  const found = new Map<Hit['kind'], Option[]>();
  for (const hit of hits) found.set(hit.kind, [...(found.get(hit.kind) ?? []), { hit }]);
  return [...found].map(([kind, options]) => [hitGroups[kind], options]);
}

function placed(groups: readonly (readonly [string, readonly Option[]])[]): OptionGroup[] {
  const shown: OptionGroup[] = [];
  for (const [name, options] of groups) {
    const last = shown.at(-1);
    if (options.length > 0)
      shown.push({ name, options, from: last === undefined ? 0 : last.from + last.options.length });
  }
  return shown;
}

interface OptionsProps {
  id: string;
  groups: readonly OptionGroup[];
  active: number;
  onRun: (option: Option) => void;
  onKeyDown: (event: React.KeyboardEvent) => void;
}

function Options({ id, groups, active, onRun, onKeyDown }: OptionsProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    ref.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      ref={ref}
      role="listbox"
      id={id}
      aria-label="Commands"
      className="max-h-96 overflow-y-auto pt-2"
    >
      {groups.map((group) => (
        <div key={group.name} role="group" aria-label={group.name}>
          {groups.length > 1 ? (
            <div aria-hidden="true" className="text-12 text-ink-3 px-2 pt-2 pb-1">
              {group.name}
            </div>
          ) : null}
          {group.options.map((option, index) => {
            const optionIndex = group.from + index;
            return (
              <div
                key={optionIndex}
                role="option"
                id={`${id}-${optionIndex}`}
                tabIndex={-1}
                aria-selected={optionIndex === active}
                onClick={() => onRun(option)}
                onKeyDown={onKeyDown}
                className={`rounded-4 flex h-8 items-center justify-between gap-3 px-2 ${optionIndex === active ? 'bg-accent-wash' : 'hover:bg-hover'}`}
              >
                {'command' in option ? (
                  <CommandLine command={option.command} />
                ) : (
                  <HitLine hit={option.hit} />
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function CommandLine({ command }: { command: Command }) {
  return (
    <>
      <span className="min-w-0 truncate">
        <VisibleText text={command.name} />
      </span>
      <span className="text-12 text-ink-3 shrink-0">{command.group}</span>
    </>
  );
}

/** The mark, name, id and age of a hit. */
function HitLine({ hit: { id, name, outcome, at } }: { hit: Hit }) {
  const isNamed = name !== null && name !== '' && name !== id;
  return (
    <>
      <span className="flex min-w-0 items-center gap-2">
        {outcome === null ? null : (
          <>
            <VerdictIcon state={outcome} />
            <span className="sr-only">{verdictStyles[outcome].word}</span>
          </>
        )}
        <span
          className={`truncate [unicode-bidi:isolate] ${isNamed ? '' : 'text-12 font-mono'}`}
          title={plainText(isNamed ? name : id)}
        >
          <VisibleText text={isNamed ? name : id} />
        </span>
        {isNamed ? (
          <span
            className="text-12 text-ink-3 min-w-12 truncate font-mono [unicode-bidi:isolate]"
            title={plainText(id)}
          >
            <VisibleText text={id} />
          </span>
        ) : null}
      </span>
      {at === null ? null : (
        <span className="text-12 text-ink-3 shrink-0">
          <Age at={at} />
        </span>
      )}
    </>
  );
}
