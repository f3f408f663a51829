'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { may } from '@/app/(console)/pages';
import { useLive } from '@/app/(console)/use-live';
import type { GatewayRoute, Project } from '@/app/_trpc/outputs';
import { CopyText } from '@/app/_ui/copy-text';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';
import { CreateKeyHere } from '../../settings/keys/create-key-here';
import { useNewKey } from '../../settings/keys/use-new-key';

function pythonCode(edge: string, key: string): string {
  return [
    'from openai import OpenAI',
    '',
    'client = OpenAI(',
    `    base_url="${edge}/gateway/openai/v1",`,
    `    api_key="${key}",`,
    ')',
    'client.chat.completions.create(',
    '    model="gpt-4o-mini",',
    '    messages=[{"role": "user", "content": "Why is the disk of web-1 full?"}],',
    '    extra_headers={"x-assay-session": "first-session"},',
    ')',
  ].join('\n');
}

function curlCommand(edge: string, key: string): string {
  const body = {
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'Why is the disk of web-1 full?' }],
  };
  return [
    `curl -sSi ${edge}/gateway/openai/v1/chat/completions \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    `  -H 'x-assay-session: first-session' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}

/** Empty state: how to point a client at the gateway, with its two lines filled in. */
export function FirstCall({
  project,
  routes,
}: {
  project: Project;
  routes: readonly GatewayRoute[];
}) {
  const router = useRouter();
  const live = useLive(project.slug, () => router.refresh());
  // A call without a verdict sends no event, so poll.
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), 5000);
    return () => clearInterval(timer);
  }, [router]);
  const newKey = useNewKey(project.slug, 'gateway');
  const key = newKey ?? 'YOUR_KEY';
  const edge = project.ingestUrl.replace(/\/$/, '');
  const base = `/p/${project.slug}`;
  const hasProvider = routes.some(({ provider }) => provider !== null);
  return (
    <PageBody narrow>
      <PageHead title="Gateway" sub="No call has come through the gateway yet." />
      <Panel title="Point a client at the gateway">
        <div className="grid gap-4 p-4">
          <p>
            The gateway forwards model calls byte for byte. At an interval it buffers an answer, has
            another model verify it, and retries with a note if the answer is wrong. It delivers
            answers that it cannot verify unchanged.
          </p>
          {newKey === null ? (
            <p>
              Two lines of a client change. Insert an API key with the scope{' '}
              <code className="font-mono">gateway</code> in place of{' '}
              <code className="font-mono">YOUR_KEY</code>; the first call appears here
              automatically.
            </p>
          ) : (
            <p>
              The copied code contains the key that you just created. The first call appears here
              automatically.
            </p>
          )}
          <CreateKeyHere project={project} scopes={['gateway']} />
          <CopyText label="Code of an OpenAI client" text={pythonCode(edge, key)} secret={newKey} />
          <p>The same as a command; the headers of the answer contain the verdict.</p>
          <CopyText
            label="Command that sends a first call"
            text={curlCommand(edge, key)}
            secret={newKey}
          />
          <p className="text-ink-3" role="status">
            {live === 'live' ? 'Waiting for the first call.' : 'Connecting to the server.'}
          </p>
        </div>
      </Panel>
      <Panel title="Requirements">
        <ul className="grid gap-3 p-4">
          <li>
            {hasProvider ? (
              'A provider key is stored: the gateway uses it for calls that only have an Assay key.'
            ) : (
              <>
                No provider key is stored.{' '}
                <Link href={`${base}/settings/providers`} className="underline">
                  Add a provider
                </Link>
                , or send the provider’s own key as before and the Assay key in{' '}
                <code className="font-mono">x-assay-key</code>.
              </>
            )}
          </li>
          <li>
            Anthropic’s client:{' '}
            <code className="font-mono [overflow-wrap:anywhere]">{edge}/gateway/anthropic</code>
          </li>
          {routes.map(({ name }) => (
            <li key={name}>
              Route{' '}
              <Link
                href={`${base}/gateway/routes/${encodeURIComponent(name)}`}
                className="underline"
              >
                {name}
              </Link>
              :{' '}
              <code className="font-mono [overflow-wrap:anywhere]">{`${edge}/gateway/${name}/v1`}</code>
            </li>
          ))}
          {may(project, 'settings.write') ? (
            <li>
              <Link href={`${base}/gateway/new-route`} className="underline">
                Create route
              </Link>{' '}
              to any upstream that speaks OpenAI’s or Anthropic’s API.
            </li>
          ) : null}
        </ul>
      </Panel>
    </PageBody>
  );
}
