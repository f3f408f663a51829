import Link from 'next/link';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block } from '../block';
import type { Trouble } from './words';

/** An inconclusive verdict is an error and not a finding: shows the failure and the fix. */
export function TroubleBlock({ project, trouble }: { project: string; trouble: Trouble }) {
  return (
    <Block title={trouble.title}>
      <div className="grid gap-2">
        <p className="[overflow-wrap:anywhere]">
          <VisibleText text={trouble.what} />
        </p>
        <p className="text-ink-2">This is not a pass and not a fail: no rate counts it.</p>
        <p>
          {trouble.todo}{' '}
          {trouble.page === null ? null : (
            <Link href={`/p/${project}/settings/${trouble.page.path}`} className="underline">
              {trouble.page.name}
            </Link>
          )}
        </p>
      </div>
    </Block>
  );
}
