'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { may } from '@/app/(console)/pages';
import { useLive } from '@/app/(console)/use-live';
import type { Project } from '@/app/_trpc/outputs';
import { buttonClass } from '@/app/_ui/button';
import { CopyText } from '@/app/_ui/copy-text';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';
import { useNewKey } from '../settings/keys/use-new-key';

function firstTurnCommand(ingestUrl: string, key: string): string {
  const turn = {
    turns: [
      {
        id: 'first-turn',
        model: 'openai/gpt-4o',
        input: [{ role: 'user', content: 'How full is web-1?' }],
        tools: [{ id: 'tc1', name: 'disk', arguments: {}, result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] } }],
        output: 'web-1 is at 91.4%, up from 88% yesterday.',
      },
    ],
  };
  return [
    `curl -sS ${ingestUrl.replace(/\/$/, '')}/v1/turns \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '${JSON.stringify(turn)}'`,
  ].join('\n');
}

function demoCommand(ingestUrl: string): string {
  return `ASSAY_URL=${ingestUrl.replace(/\/$/, '')} ASSAY_API_KEY=YOUR_KEY npm run demo`;
}

/** Nothing yet: the one command that sends a turn. It gives one sourced and one unsourced figure to look at. */
export function FirstTurn({ project }: { project: Project }) {
  const router = useRouter();
  const live = useLive(project.slug, () => router.refresh());
  const key = useNewKey(project.slug);
  return (
    <PageBody narrow>
      <PageHead title="Overview" sub="No turn has been received yet." />
      <Panel title="Send a first turn">
        <div className="grid gap-4 p-4">
          {key ? (
            <p>The command holds the key that you have just created. Run it in a terminal; the verdict opens here by itself.</p>
          ) : (
            <p>
              Put an API key with the scope <code className="font-mono">ingest</code> in place of{' '}
              <code className="font-mono">YOUR_KEY</code>, and run the command in a terminal. The verdict opens here by itself.
            </p>
          )}
          {key || !may(project, 'keys.write') ? null : (
            <Link href={`/p/${project.slug}/settings/keys?create=1`} className={`${buttonClass('primary')} justify-self-start`}>
              Create a key
            </Link>
          )}
          <CopyText label="Command that sends a first turn" text={firstTurnCommand(project.ingestUrl, key ?? 'YOUR_KEY')} />
          <p className="text-ink-3" role="status">
            {live === 'live' ? 'Waiting for the first verdict.' : 'Connecting to the server.'}
          </p>
        </div>
      </Panel>
      <Panel title="Or have a demo filled in">
        <div className="grid gap-4 p-4">
          <p>
            A scripted ops assistant answers 200 questions, some of them with a planted wrong figure, and scripted reviewers label a sample.
            Run it in the folder that Assay was started from, with a key of the scopes <code className="font-mono">ingest</code>,{' '}
            <code className="font-mono">read</code> and <code className="font-mono">write</code>.
          </p>
          <CopyText label="Command that fills in a demo" text={demoCommand(project.ingestUrl)} />
        </div>
      </Panel>
    </PageBody>
  );
}
