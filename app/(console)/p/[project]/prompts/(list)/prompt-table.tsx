import Link from 'next/link';
import type { PromptSummary } from '@/app/_trpc/outputs';
import { Age } from '@/app/_ui/moment';
import { plainText, VisibleText } from '@/app/_ui/visible-text';

interface PromptTableProps {
  project: string;
  prompts: readonly PromptSummary[];
  onOpen: (slug: string) => void;
}

export function PromptTable({ project, prompts, onOpen }: PromptTableProps) {
  return (
    <table aria-label="Prompts" className="w-full table-fixed border-collapse">
      <thead className="text-12 text-ink-2">
        <tr className="border-line h-8 border-b">
          <th scope="col" className="pl-4">
            Prompt
          </th>
          <th scope="col" className="hidden w-56 px-2 xl:table-cell">
            Slug
          </th>
          <th scope="col" className="hidden w-32 px-2 md:table-cell">
            Used by
          </th>
          <th scope="col" className="w-28 px-2 md:w-44">
            Runs
          </th>
          <th scope="col" className="hidden w-48 px-2 lg:table-cell xl:w-64">
            Last saved
          </th>
          <th scope="col" className="w-14 pr-4 text-right">
            Age
          </th>
        </tr>
      </thead>
      <tbody>
        {prompts.map((prompt) => (
          <tr
            key={prompt.slug}
            className="border-line hover:bg-hover focus-within:bg-hover relative h-8 border-b last:border-0"
          >
            <td className="truncate pl-4" title={plainText(prompt.description)}>
              <Link
                href={`/p/${project}/prompts/${prompt.slug}`}
                data-row={prompt.slug}
                prefetch={false}
                onClick={() => onOpen(prompt.slug)}
                className="row-link [unicode-bidi:isolate]"
              >
                <VisibleText text={prompt.title} />
              </Link>
            </td>
            <td className="text-12 text-ink-2 hidden truncate px-2 font-mono xl:table-cell">
              {prompt.slug}
            </td>
            <td className="hidden truncate px-2 md:table-cell">
              {prompt.verifier ?? 'application'}
            </td>
            <td className="truncate px-2">
              <RunningVersion prompt={prompt} />
            </td>
            <td className="text-ink-2 hidden truncate px-2 lg:table-cell">
              {prompt.latest.by === null ? (
                'default'
              ) : (
                <>
                  version {prompt.latest.version} by <VisibleText text={prompt.latest.by} />
                </>
              )}
            </td>
            <td className="text-ink-3 pr-4 text-right">
              {prompt.latest.at === null ? '–' : <Age at={prompt.latest.at} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function RunningVersion({
  prompt: { base, production, latest, fellBack },
}: {
  prompt: PromptSummary;
}) {
  if (fellBack !== null) {
    return (
      <span
        className="bg-loud rounded-4 px-1.5 font-semibold"
        title={`Version ${fellBack.version} cannot be used: ${fellBack.message}`}
      >
        {base === 0 ? 'release' : `version ${base}`}, not {fellBack.version}
      </span>
    );
  }
  return (
    <>
      {production.version === 0 ? 'release' : `version ${production.version}`}
      {latest.version > production.version ? (
        <span className="text-ink-3 hidden md:inline">, latest is {latest.version}</span>
      ) : null}
    </>
  );
}
