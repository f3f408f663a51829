'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { useTRPC } from '@/app/_trpc/client';
import type { GatewayRoute } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Confirm } from '@/app/_ui/confirm';
import { Age } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';

interface RouteHeadProps {
  project: string;
  route: GatewayRoute;
  /** The gateway's address, without a trailing slash. */
  edge: string;
  mayWrite: boolean;
}

const builtIn = ['openai', 'anthropic'];

/** A route's upstream, whose key it uses, and the last change of its settings. */
export function RouteHead({ project, route, edge, mayWrite }: RouteHeadProps) {
  const [isDeleting, setDeleting] = useState(false);
  const { name, baseUrl, provider, source, updatedAt, updatedBy, api } = route;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 gap-1">
        <Crumbs trail={[{ name: 'Gateway', href: `/p/${project}/gateway` }]} pageName="Route" />
        <h1 className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          Route <code className="text-14 text-ink-2 font-mono font-normal">{name}</code>
        </h1>
        <p className="text-ink-2 flex min-w-0 flex-wrap gap-x-4 gap-y-0.5">
          <span className="min-w-0">
            <code className="text-12 font-mono [overflow-wrap:anywhere]">{`${edge}/gateway/${name}${api === 'anthropic' ? '' : '/v1'}`}</code>{' '}
            →{' '}
            {baseUrl === null ? (
              'nowhere: its provider was deleted'
            ) : (
              <code className="text-12 font-mono [overflow-wrap:anywhere]">
                <VisibleText text={baseUrl} />
              </code>
            )}
          </span>
          <span>
            {provider === null
              ? 'no key is stored: clients send their own'
              : `key of the provider ${provider}`}
          </span>
          {updatedAt === null ? (
            <span>no settings of its own</span>
          ) : (
            <span>
              saved <Age at={updatedAt} /> ago by <VisibleText text={updatedBy ?? 'somebody'} />
            </span>
          )}
        </p>
      </div>
      <nav aria-label="Route" className="text-ink-2 flex items-center gap-3">
        <Link
          href={`/p/${project}/gateway/calls?route=${encodeURIComponent(name)}`}
          prefetch={false}
          className="hover:text-ink underline"
        >
          Calls
        </Link>
        {mayWrite && source === 'project' && updatedAt !== null ? (
          <Button onClick={() => setDeleting(true)}>Delete route</Button>
        ) : null}
      </nav>
      {isDeleting ? (
        <DeleteRoute project={project} route={route} onClose={() => setDeleting(false)} />
      ) : null}
    </div>
  );
}

function DeleteRoute({
  project,
  route: { name, provider },
  onClose,
}: {
  project: string;
  route: GatewayRoute;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const router = useRouter();
  const hasDefault = builtIn.includes(name) || provider === name;
  const remove = useMutation(
    trpc.gateway.deleteRoute.mutationOptions({
      onSuccess: () => {
        announce('Route deleted');
        void client.invalidateQueries({ queryKey: trpc.gateway.pathKey() });
        router.push(`/p/${project}/gateway`);
      },
    }),
  );
  return (
    <Confirm
      title={`Delete the route ${name}`}
      action="Delete route"
      busy={remove.isPending}
      error={remove.error ? problemOf(remove.error).message : null}
      onConfirm={() => remove.mutate({ project, name })}
      onClose={onClose}
    >
      <p>
        {hasDefault
          ? `Calls to ${name} now use the settings of the environment: its own settings are deleted. Recorded calls are kept.`
          : `Calls to ${name} are then refused. Recorded calls stay.`}
      </p>
    </Confirm>
  );
}
