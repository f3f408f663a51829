'use client';

import { useRef } from 'react';
import type { PromptDetail } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Age } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { useRowKeys } from '../../verdicts/(list)/use-row-keys';

type Version = PromptDetail['versions'][number];

interface VersionPanelProps {
  prompt: PromptDetail;
  /** The version whose text is shown. */
  opened: number;
  mayWrite: boolean;
  /** The version that ran before the current one; null if unknown. */
  back: number | null;
  onOpen: (version: number) => void;
  onCompare: (version: number) => void;
  onPromote: (version: number) => void;
}

/** All versions, the newest first, with their authors and labels. */
export function VersionPanel({
  prompt,
  opened,
  mayWrite,
  back,
  onOpen,
  onCompare,
  onPromote,
}: VersionPanelProps) {
  const area = useRef<HTMLOListElement>(null);
  useRowKeys(area, '[data-row]');
  const running = prompt.fellBack === null ? prompt.production.version : prompt.base;
  return (
    <Panel
      title="Versions"
      aside={
        <span className="text-ink-3">
          {prompt.versions.length - (prompt.base === 0 ? 1 : 0) || 'none'} saved
        </span>
      }
    >
      <ol ref={area} aria-label="Versions" className="max-h-[70vh] overflow-y-auto">
        {prompt.versions.map((version) => (
          <li
            key={version.version}
            aria-label={nameOf(version)}
            className={`border-line grid gap-1 border-b px-4 py-2 last:border-0 ${version.version === opened ? 'bg-accent-wash' : ''}`}
          >
            <p className="flex flex-wrap items-center gap-2">
              <button
                type="button"
                data-row={version.version}
                aria-current={version.version === opened ? 'true' : undefined}
                onClick={() => onOpen(version.version)}
                className="font-semibold hover:underline"
              >
                {nameOf(version)}
              </button>
              {version.labels.map((label) => (
                <span
                  key={label}
                  className="bg-sunken border-line rounded-4 text-12 border px-1.5 font-mono"
                >
                  {label}
                </span>
              ))}
              {version.version === running ? (
                <span className="text-12 text-ink-2">runs now</span>
              ) : null}
            </p>
            {version.message === '' ? null : (
              <p className="[overflow-wrap:anywhere]">
                <VisibleText text={version.message} />
              </p>
            )}
            {version.at === null || version.by === null ? null : (
              <p className="text-12 text-ink-3 [overflow-wrap:anywhere]">
                <VisibleText text={version.by} />, <Age at={version.at} /> ago
              </p>
            )}
            <VersionButtons {...{ version, prompt, mayWrite, back, onCompare, onPromote }} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

type ButtonsProps = Pick<
  VersionPanelProps,
  'prompt' | 'mayWrite' | 'back' | 'onCompare' | 'onPromote'
> & { version: Version };

function VersionButtons({
  version: { version },
  prompt: { production },
  mayWrite,
  back,
  onCompare,
  onPromote,
}: ButtonsProps) {
  if (version === production.version) return null;
  const verb = version === back ? 'Roll back' : 'Promote';
  return (
    <p className="flex gap-2 pt-1">
      <Button
        aria-label={`Compare production with version ${version}`}
        onClick={() => onCompare(version)}
      >
        Compare
      </Button>
      {mayWrite ? (
        <Button
          aria-label={
            verb === 'Promote' ? `Promote version ${version}` : `Roll back to version ${version}`
          }
          onClick={() => onPromote(version)}
        >
          {verb}
        </Button>
      ) : null}
    </p>
  );
}

function nameOf({ version }: Version): string {
  return version === 0 ? 'Release' : `Version ${version}`;
}
