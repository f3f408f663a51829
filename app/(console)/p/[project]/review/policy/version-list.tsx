import type { Policy } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { LongText } from '../../verdicts/[id]/block';

/** Newest first; each opens to its text. */
export function VersionList({ policies }: { policies: readonly Policy[] }) {
  return (
    <ol aria-label="Versions" className="grid">
      {policies.map(({ version, body, message, createdBy, createdAt, labels }, at) => (
        <li key={version} className="border-line border-b last:border-0">
          <details className="group">
            <summary className="hover:bg-hover flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
              <span className="font-semibold">Version {version}</span>
              {at === 0 ? <span className="text-12 text-ink-3">in force</span> : null}
              <span className="min-w-0 [overflow-wrap:anywhere]">
                {message === '' ? null : <VisibleText text={message} />}
              </span>
              <span className="text-ink-2 md:ml-auto">
                {labels === 1 ? '1 label' : `${labels.toLocaleString('en')} labels`}
              </span>
              <span className="text-12 text-ink-3 [overflow-wrap:anywhere]">
                <VisibleText text={createdBy} />, <Moment at={createdAt} />
              </span>
            </summary>
            <div className="px-4 pb-4">
              <LongText text={body} />
            </div>
          </details>
        </li>
      ))}
    </ol>
  );
}
