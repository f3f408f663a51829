import Link from 'next/link';
import type { PromptSummary } from '@/app/_trpc/outputs';
import { Empty, Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';

/** The prompt of its judges, and its current version. */
export function PromptPanel({
  project,
  prompts,
}: {
  project: string;
  prompts: readonly PromptSummary[];
}) {
  return (
    <Panel title="Prompts">
      {prompts.length === 0 ? (
        <Empty title="It calls no model." />
      ) : (
        <ul aria-label="Prompts">
          {prompts.map(({ slug, title, base, production, fellBack }) => (
            <li
              key={slug}
              className="border-line flex flex-wrap items-baseline gap-x-3 border-b px-4 py-1.5 last:border-0"
            >
              <Link
                href={`/p/${project}/prompts/${encodeURIComponent(slug)}`}
                prefetch={false}
                className="underline"
              >
                <VisibleText text={title} />
              </Link>
              <code className="text-12 text-ink-3 font-mono">{slug}</code>
              <span>
                {base === 0 && (production.version === 0 || fellBack !== null)
                  ? 'the release’s text runs'
                  : `version ${fellBack === null ? production.version : base} runs`}
              </span>
              {fellBack === null ? null : (
                <span className="text-ink-2 [overflow-wrap:anywhere]">
                  <VisibleText text={fellBack.message} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
