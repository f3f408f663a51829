'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { useEffect, useId, useRef } from 'react';
import { useTRPC } from '../_trpc/client';
import { announce } from '../_ui/announcer';
import { type NavPage, type Page, type PageGroup, pageGroupsOf } from './pages';

/**
 * The location of the navigation: at the side, as icons on a narrow page; or in the menu, always
 * complete.
 */
export type NavPlace = 'side' | 'menu';

/** The pages of a project in groups. */
export function PageNav({ project, place }: { project: string; place: NavPlace }) {
  const pathname = usePathname();
  return (
    <nav
      aria-label="Pages"
      // The padding keeps the focus outline inside the scrolling area.
      className={
        place === 'menu'
          ? 'flex flex-col gap-2'
          : '-mx-1 -my-1 hidden min-h-0 flex-1 flex-col gap-2 overflow-y-auto p-1 md:flex'
      }
    >
      {pageGroupsOf(project).map((group) => (
        <Group
          key={group.pages[0]?.href}
          group={group}
          project={project}
          pathname={pathname}
          place={place}
        />
      ))}
    </nav>
  );
}

interface GroupProps {
  group: PageGroup;
  project: string;
  pathname: string;
  place: NavPlace;
}

function Group({ group: { name, pages }, project, pathname, place }: GroupProps) {
  const id = useId();
  const links = pages.map((page) => (
    <PageLink
      key={page.href}
      page={page}
      project={project}
      isHere={isAt(page, pathname)}
      place={place}
    />
  ));
  if (name === null) return <div className="flex flex-col">{links}</div>;
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-px">
      <span
        id={id}
        className={`text-12 text-ink-3 px-2 ${place === 'side' ? 'max-xl:sr-only' : ''}`}
      >
        {name}
      </span>
      {links}
    </div>
  );
}

function isAt({ href, exact }: Page, pathname: string): boolean {
  return exact ? pathname === href : pathname === href || pathname.startsWith(`${href}/`);
}

interface PageLinkProps {
  page: NavPage;
  project: string;
  isHere: boolean;
  place: NavPlace;
}

function PageLink({ page, project, isHere, place }: PageLinkProps) {
  const { icon: Icon, name, href, counts } = page;
  const isSide = place === 'side';
  return (
    <Link
      href={href}
      aria-current={isHere ? 'page' : undefined}
      title={isSide ? name : undefined}
      className={`rounded-4 relative flex shrink-0 items-center gap-2 px-2 ${isSide ? 'h-6.5' : 'h-9'} ${isHere ? 'bg-accent-wash font-semibold' : 'text-ink-2 hover:bg-hover hover:text-ink'}`}
    >
      <Icon
        aria-hidden="true"
        size={16}
        strokeWidth={1.75}
        className={`shrink-0 ${isHere ? 'text-accent' : 'text-ink-3'}`}
      />
      <span className={isSide ? 'max-xl:sr-only' : undefined}>{name}</span>
      {counts === 'review' ? <ReviewCount project={project} place={place} /> : null}
      {counts === 'alerts' ? <AlertCount project={project} place={place} /> : null}
    </Link>
  );
}

/** On a narrow page the icon has a dot in place of the number. */
const dotClass = (place: NavPlace): string =>
  place === 'side'
    ? 'max-xl:absolute max-xl:top-0.5 max-xl:left-6 max-xl:size-2 max-xl:rounded-full max-xl:p-0'
    : '';

function Count({ of, what, place }: { of: number; what: string; place: NavPlace }) {
  const text = of > 999 ? '999+' : String(of);
  return (
    <>
      <span aria-hidden="true" className={place === 'side' ? 'max-xl:hidden' : undefined}>
        {text}
      </span>
      <span className="sr-only">
        {text} {what}
      </span>
    </>
  );
}

interface CountProps {
  project: string;
  place: NavPlace;
}

/**
 * The number of current alerts, on every page; changes are announced to screen readers. Renders
 * nothing while unknown or zero.
 */
function AlertCount({ project, place }: CountProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.alerts.alerting.queryOptions({ project }, { retry: false }));
  const announced = useRef<{ readonly project: string; readonly count: number } | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    // Skipped on the first load and after switching projects, since no alert has changed then.
    if (announced.current?.project === project && announced.current.count !== data)
      announce(alertingText(data));
    announced.current = { project, count: data };
  }, [project, data]);
  if (data === undefined || data === 0) return null;
  return (
    <span
      className={`bg-loud border-loud-line text-12 text-ink rounded-4 ml-auto border px-1 font-normal ${dotClass(place)}`}
    >
      <Count of={data} what="alerting" place={place} />
    </span>
  );
}

function alertingText(count: number): string {
  if (count === 0) return 'No more alerts';
  return count === 1 ? '1 alert' : `${count} alerts`;
}

/** The number of items that wait for this person; renders nothing while unknown or zero. */
function ReviewCount({ project, place }: CountProps) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.review.waiting.queryOptions({ project }, { retry: false }));
  if (data === undefined || data === 0) return null;
  return (
    <span
      className={`text-12 text-ink-2 ml-auto pl-2 font-normal ${place === 'side' ? 'max-xl:bg-accent' : ''} ${dotClass(place)}`}
    >
      <Count of={data} what="open" place={place} />
    </span>
  );
}
