'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useId, useRef } from 'react';
import { useTRPC } from '../_trpc/client';
import { announce } from '../_ui/announcer';
import { type Page, type PageGroup, pageGroupsOf } from './pages';

/**
 * The pages of a project in groups: a column at the side, on a narrow page a single line that
 * scrolls.
 */
export function PageNav({ project }: { project: string }) {
  const pathname = usePathname();
  const ref = useRef<HTMLElement>(null);
  // On a narrow page most links are outside the visible part of the line: scroll to the current
  // one.
  useEffect(() => {
    const nav = ref.current;
    const here = nav?.querySelector<HTMLElement>('[aria-current="page"]');
    if (nav == null || here == null || nav.scrollWidth <= nav.clientWidth) return;
    nav.scrollLeft = here.offsetLeft - (nav.clientWidth - here.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav
      ref={ref}
      aria-label="Pages"
      // The padding keeps the focus outline inside the scrolling area.
      className="relative order-last -mx-1 flex w-full gap-1 overflow-x-auto p-1 md:order-none md:-my-1 md:min-h-0 md:w-auto md:flex-1 md:flex-col md:gap-2 md:overflow-x-visible md:overflow-y-auto"
    >
      {pageGroupsOf(project).map((group) => (
        <Group key={group.name ?? ''} group={group} project={project} pathname={pathname} />
      ))}
    </nav>
  );
}

function Group({
  group: { name, pages },
  project,
  pathname,
}: {
  group: PageGroup;
  project: string;
  pathname: string;
}) {
  const id = useId();
  const links = pages.map((page) => (
    <PageLink key={page.href} page={page} project={project} isHere={isAt(page, pathname)} />
  ));
  if (name === null) return <div className="flex shrink-0 md:flex-col">{links}</div>;
  return (
    <div
      role="group"
      aria-labelledby={id}
      className="border-line flex shrink-0 gap-1 border-l pl-1 md:flex-col md:gap-px md:border-0 md:pl-0"
    >
      <span id={id} className="text-12 text-ink-3 px-2 max-md:sr-only">
        {name}
      </span>
      {links}
    </div>
  );
}

function isAt({ href, exact }: Page, pathname: string): boolean {
  return exact ? pathname === href : pathname === href || pathname.startsWith(`${href}/`);
}

function PageLink({ page, project, isHere }: { page: Page; project: string; isHere: boolean }) {
  return (
    <Link
      href={page.href}
      aria-current={isHere ? 'page' : undefined}
      className={`rounded-4 flex h-8 shrink-0 items-center px-2 md:h-6.5 ${isHere ? 'bg-accent-wash font-semibold' : 'text-ink-2 hover:bg-hover hover:text-ink'}`}
    >
      {page.name}
      {page.counts === 'review' ? <ReviewCount project={project} /> : null}
      {page.counts === 'alerts' ? <AlertCount project={project} /> : null}
    </Link>
  );
}

/**
 * The number of current alerts, on every page; changes are announced to screen readers. Renders
 * nothing while unknown or zero.
 */
function AlertCount({ project }: { project: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.alerts.alerting.queryOptions({ project }, { retry: false }));
  const heard = useRef<{ readonly project: string; readonly count: number } | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    // Not on the first load or after switching projects: no alert has changed then.
    if (heard.current?.project === project && heard.current.count !== data)
      announce(alertingText(data));
    heard.current = { project, count: data };
  }, [project, data]);
  if (data === undefined || data === 0) return null;
  return (
    <span className="bg-loud border-loud-line text-12 text-ink rounded-4 ml-auto border px-1 font-normal max-md:ml-2">
      {data > 999 ? '999+' : data}
      <span className="sr-only"> alerting</span>
    </span>
  );
}

function alertingText(count: number): string {
  if (count === 0) return 'Nothing alerts any more';
  return count === 1 ? '1 alert' : `${count} alerts`;
}

/** The number of items that wait for this person; renders nothing while unknown or zero. */
function ReviewCount({ project }: { project: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.review.waiting.queryOptions({ project }, { retry: false }));
  if (data === undefined || data === 0) return null;
  return (
    <span className="text-12 text-ink-2 ml-auto pl-2 font-normal">
      {data > 999 ? '999+' : data}
      <span className="sr-only"> open</span>
    </span>
  );
}
