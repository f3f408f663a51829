import type { ConfigField, VerifierPage } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { valueText } from './config-draft';

interface ConfigVersionsProps {
  versions: VerifierPage['config']['versions'];
  fields: readonly ConfigField[];
}

/** The history of changes, the latest first. */
export function ConfigVersions({ versions, fields }: ConfigVersionsProps) {
  if (versions.length === 0)
    return <p className="text-ink-3">Version 1, default: no changes yet.</p>;
  return (
    <details>
      <summary className="cursor-pointer">Changes</summary>
      <ol aria-label="Versions" className="grid gap-1 pt-2">
        {versions.map(({ version, by, at, changes }) => (
          <li
            key={version}
            className="bg-sunken rounded-4 flex flex-wrap items-baseline gap-x-3 gap-y-1 px-3 py-1"
          >
            <span className="font-semibold">Version {version}</span>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {changes.length === 0
                ? 'of another release'
                : changes.map((change) => changeText(change, fields)).join('; ')}
            </span>
            <span className="text-12 text-ink-2 min-w-0 [overflow-wrap:anywhere]">
              by <VisibleText text={by} />, <Moment at={at} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}

type Change = VerifierPage['config']['versions'][number]['changes'][number];

function changeText({ key, from, to }: Change, fields: readonly ConfigField[]): string {
  const field = fields.find((each) => each.key === key);
  return field === undefined
    ? key
    : `${field.name}: ${valueText(field, from)} → ${valueText(field, to)}`;
}
