'use client';

import type { Project } from '@/app/_trpc/outputs';
import { CopyText } from '@/app/_ui/copy-text';
import { useNewKey } from '../settings/keys/use-new-key';

/** The command's turn contains one sourced and one unsourced figure as an example. */
function commandOf(ingestUrl: string, key: string): string {
  const turn = {
    turns: [
      {
        id: 'first-turn',
        model: 'openai/gpt-4o',
        input: [{ role: 'user', content: 'How full is web-1?' }],
        tools: [
          {
            id: 'tc1',
            name: 'disk',
            arguments: {},
            result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] },
          },
        ],
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

/** The command that sends a turn, with the newly created key filled in. */
export function FirstTurnCommand({ project }: { project: Project }) {
  const key = useNewKey(project.slug, 'ingest');
  return (
    <div className="grid min-w-0 gap-2">
      {key === null ? (
        <p className="text-ink-2">
          Run it in a terminal, with an API key that has the scope{' '}
          <code className="font-mono">ingest</code> in place of{' '}
          <code className="font-mono">YOUR_KEY</code>.
        </p>
      ) : (
        <p className="text-ink-2">
          Run it in a terminal; the copied command contains the key that you just created.
        </p>
      )}
      <CopyText
        label="Command that sends a first turn"
        text={commandOf(project.ingestUrl, key ?? 'YOUR_KEY')}
        secret={key}
      />
    </div>
  );
}
