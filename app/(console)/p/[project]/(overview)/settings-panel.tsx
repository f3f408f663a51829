import Link from 'next/link';
import type { Changes } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { Empty, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { actionText } from './change-words';

interface SettingsPanelProps {
  project: string;
  changes: Changes;
  mayAudit: boolean;
}

/** Configuration changes that affect verdicts, and so may explain why a rate changed. */
export function SettingsPanel({ project, changes: { settings }, mayAudit }: SettingsPanelProps) {
  return (
    <Panel
      title="Configuration changes"
      aside={
        mayAudit ? (
          <Link
            href={`/p/${project}/settings/audit`}
            className="text-ink-2 hover:text-ink underline"
          >
            Audit log
          </Link>
        ) : null
      }
    >
      {settings.length === 0 ? (
        <Empty title="No prompt, threshold, policy or setting changed in this period." />
      ) : (
        <ul aria-label="Configuration changes" className="grid">
          {settings.map(({ id, at, action, target }) => (
            <li
              key={id}
              className="border-line flex min-h-8 flex-wrap items-center gap-x-3 border-b px-4 py-1 last:border-0"
            >
              <span>{actionText(action)}</span>
              {target === null ? null : (
                <code className="text-12 text-ink-2 max-w-72 truncate font-mono">
                  <VisibleText text={target} />
                </code>
              )}
              <span className="text-ink-3 ml-auto whitespace-nowrap">
                <Moment at={at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
