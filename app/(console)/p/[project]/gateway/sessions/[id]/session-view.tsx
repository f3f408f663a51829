'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useRef } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { LiveMark } from '@/app/(console)/live-state';
import { LoadMore } from '@/app/(console)/load-more';
import { useLive } from '@/app/(console)/use-live';
import { usePages } from '@/app/(console)/use-pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { GatewayRoute, GatewaySession } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { useKeys } from '@/app/_ui/keyboard';
import { Age } from '@/app/_ui/moment';
import { PageBody } from '@/app/_ui/page-head';
import { ErrorPanel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { recallList } from '@/app/(console)/list-memory';
import { counterText } from '../../gateway-words';
import { CallCard } from './call-card';

interface SessionViewProps {
  project: string;
  first: GatewaySession;
  routes: readonly GatewayRoute[];
}

/**
 * A session's calls on a timeline, the newest first: the outcome of each, and the verifier's
 * finding.
 */
export function SessionView({ project, first, routes }: SessionViewProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const router = useRouter();
  const { id } = first;
  const input = { project, id, limit: 30 };
  const list = usePages({
    key: trpc.gateway.session.queryKey(input),
    read: (cursor, signal) =>
      trpcClient.gateway.session.query(
        { ...input, ...(cursor !== null && { cursor }) },
        { signal },
      ),
    first,
  });
  const live = useLive(project, list.refresh);
  const newest = list.pages[0] ?? first;
  const calls = list.pages.flatMap((page) => page.items);
  const area = useRef<HTMLOListElement>(null);
  const go = (target: HTMLElement | undefined) => {
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'start' });
  };
  const move = (step: 1 | -1) => {
    const all = [...(area.current?.querySelectorAll<HTMLElement>('[data-call]') ?? [])];
    const at = all.findIndex((each) => each.contains(document.activeElement));
    go(at === -1 ? all[step === 1 ? 0 : all.length - 1] : all[at + step]);
  };
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Escape: () =>
      router.push(`/p/${project}/gateway${recallList(`${project}/gateway`)?.search ?? ''}`),
  });
  // A link from the list of calls selects one of them.
  useEffect(() => {
    const callId = decodeURIComponent(window.location.hash.slice(1));
    if (callId !== '')
      go(
        area.current?.querySelector<HTMLElement>(`[data-call="${CSS.escape(callId)}"]`) ??
          undefined,
      );
  }, []);
  return (
    <PageBody>
      <SessionHead project={project} session={newest} routes={routes}>
        <LiveMark state={live} readAt={list.dataUpdatedAt} />
      </SessionHead>
      {list.error ? (
        <ErrorPanel
          what="The session could not be refreshed"
          works="Calls already shown stay; the gateway still forwards calls."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      <ol ref={area} aria-label="Calls, the newest first" className="grid min-w-0">
        {calls.map((call) => (
          <CallCard
            key={call.id}
            project={project}
            call={call}
            every={everyOf(routes, call.route)}
          />
        ))}
      </ol>
      <LoadMore
        shown={calls.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </PageBody>
  );
}

/** Turns between verifications in the route's current settings; null if its verifier is off. */
function everyOf(routes: readonly GatewayRoute[], name: string): number | null {
  const verifier = routes.find((route) => route.name === name)?.settings.quality_verifier;
  return verifier === undefined || verifier.model === null ? null : verifier.frequency;
}

interface SessionHeadProps {
  project: string;
  session: GatewaySession;
  routes: readonly GatewayRoute[];
  children: ReactNode;
}

function SessionHead({ project, session, routes, children }: SessionHeadProps) {
  const base = `/p/${project}`;
  const every = everyOf(routes, session.route);
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 gap-0.5">
        <Crumbs
          trail={[{ name: 'Gateway', href: `${base}/gateway`, list: `${project}/gateway` }]}
          pageName="Session"
        />
        <h1 className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          Gateway session
          <code className="text-14 text-ink-2 min-w-0 font-mono font-normal [overflow-wrap:anywhere] [unicode-bidi:isolate]">
            <VisibleText text={session.id} />
          </code>
        </h1>
        <div className="text-ink-2 flex flex-wrap items-center gap-x-4">
          <span>
            {session.calls.toLocaleString('en')} {session.calls === 1 ? 'call' : 'calls'}
            {session.steered === 0 ? '' : `, ${session.steered.toLocaleString('en')} steered`}
          </span>
          <span>counter {counterText(session.counted, every)}</span>
          <span>
            route{' '}
            <Link
              href={`${base}/gateway/routes/${encodeURIComponent(session.route)}`}
              className="hover:text-ink underline"
            >
              {session.route}
            </Link>
          </span>
          <span>
            last received <Age at={session.lastAt} /> ago
          </span>
        </div>
      </div>
      <nav aria-label="Session" className="text-ink-2 flex items-center gap-3">
        {children}
        <Link
          href={`${base}/sessions/${encodeURIComponent(session.id)}`}
          prefetch={false}
          className="hover:text-ink underline"
        >
          Conversation
        </Link>
      </nav>
    </div>
  );
}
