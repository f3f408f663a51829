'use client';

import type { Project } from '@/app/_trpc/outputs';
import { CopyText } from '@/app/_ui/copy-text';
import { CreateKeyHere } from '../settings/keys/create-key-here';
import { useNewKey } from '../settings/keys/use-new-key';

const example = {
  items: [{ input: 'How long do refunds take?', reference: 'Five working days.', split: 'dev' }],
};

function commandOf(ingestUrl: string, key: string, slug: string, name: string | null): string {
  const url = `${ingestUrl.replace(/\/$/, '')}/v1/datasets/${slug}`;
  const send = (method: string, to: string, body: object) =>
    [
      `curl -sS -X ${method} ${to} \\`,
      `  -H 'authorization: Bearer ${key}' \\`,
      `  -H 'content-type: application/json' \\`,
      `  -d '${JSON.stringify(body)}'`,
    ].join('\n');
  const items = send('POST', `${url}/items`, example);
  return name === null ? items : `${send('PUT', url, { name })} &&\n${items}`;
}

interface ItemsCommandProps {
  project: Project;
  slug: string;
  /** The command also creates the dataset, with this name. */
  name?: string;
}

/** The command that sends items, with the newly created key filled in. */
export function ItemsCommand({ project, slug, name }: ItemsCommandProps) {
  const key = useNewKey(project.slug, 'write');
  return (
    <>
      {key === null ? (
        <p>
          Run the command with an API key that has the scope{' '}
          <code className="font-mono">write</code> in place of{' '}
          <code className="font-mono">YOUR_KEY</code>.
        </p>
      ) : null}
      <CopyText
        label="Command that sends items"
        text={commandOf(project.ingestUrl, key ?? 'YOUR_KEY', slug, name ?? null)}
        secret={key}
      />
      <CreateKeyHere project={project} scopes={['write']} />
    </>
  );
}
