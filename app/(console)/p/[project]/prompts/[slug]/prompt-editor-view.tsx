'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState, useEffect } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptDetail, PromptPreview } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Skeleton } from '@/app/_ui/panel';
import { PromptExperiments } from '../../experiments/experiment-links';
import { PreviewPanel } from './preview-panel';
import { PromoteDialog, ReleaseDialog } from './promote-dialog';
import { PromotionPanel } from './promotion-panel';
import { TextPanel } from './text-panel';
import { TrialPanel } from './trial-panel';
import { useDraft } from './use-draft';
import { UsePanel } from './use-panel';
import { VersionPanel } from './version-panel';

/** The diff is a large bundle, and is shown below the text. */
const ChangePanel = dynamic(() => import('./change-panel').then((part) => part.ChangePanel), {
  loading: () => <Skeleton className="h-40" />,
  ssr: false,
});
/** Includes a YAML parser, so it is loaded only for the decomposition prompt. */
const ExamplesPanel = dynamic(
  () => import('./examples/examples-panel').then((part) => part.ExamplesPanel),
  {
    loading: () => <Skeleton className="h-40" />,
  },
);

export interface VersionSelection {
  readonly version?: number | null;
  readonly from?: number | null;
  readonly to?: number | null;
}

interface PromptEditorViewProps {
  project: string;
  prompt: PromptDetail;
  /** The opened version and its text. */
  version: number;
  stored: string;
  mayWrite: boolean;
  /** The two versions that are compared. */
  place: { readonly from: number; readonly to: number | null };
  onPlace: (change: VersionSelection) => void;
  /** The draft was saved as this version, which is opened in its place. */
  onSaved: (version: number) => void;
  onChanged: () => void;
}

/** The workspace of one version: its text, its changes, its preview, and the other versions. */
export function PromptEditorView({
  project,
  prompt,
  version,
  stored,
  mayWrite,
  place,
  onPlace,
  onSaved,
  onChanged,
}: PromptEditorViewProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const { slug, verifier } = prompt;
  const { draft, isDirty, isRestored, change, discard, release } = useDraft(
    `${project}/${slug}@${version}`,
    stored,
  );
  const [subject, setSubject] = useState<string | null>(null);
  const [promoting, setPromoting] = useState<number | null>(null);
  const [previewed, previewError] = usePreview(project, slug, draft.body, subject);
  const save = useMutation(
    trpc.prompts.save.mutationOptions({
      onSuccess: ({ version: saved }, { body }) => {
        announce(`Saved as version ${saved}`);
        client.setQueryData(trpc.prompts.body.queryKey({ project, slug, version: saved }), body);
        release();
        onChanged();
        onSaved(saved);
      },
    }),
  );
  /** A save error applies only to the text it was reported for, so every edit clears it. */
  const edit =
    <Input extends unknown[]>(act: (...input: Input) => void) =>
    (...input: Input) => {
      if (save.error) save.reset();
      act(...input);
    };
  const promotions = useQuery(trpc.promotions.list.queryOptions({ project, slug }));
  const before = promotions.data?.find(({ isCurrent }) => isCurrent)?.before;
  /** The version that ran just before: rolling back to it is never gated. */
  const back = before === undefined ? null : Number(before);
  const promoted = () => {
    void client.invalidateQueries({ queryKey: trpc.promotions.list.queryKey({ project, slug }) });
    onChanged();
  };
  const promotable =
    !isDirty && version !== prompt.production.version && version > prompt.production.version;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_340px]">
      <TextPanel
        {...{ prompt, version, draft, isDirty, isRestored, mayWrite }}
        issues={previewed?.preview.issues ?? []}
        busy={save.isPending}
        error={save.error ? problemOf(save.error).message : null}
        actions={
          promotable ? (
            <Button onClick={() => setPromoting(version)}>Promote version {version}</Button>
          ) : null
        }
        onChange={edit(change)}
        onDiscard={edit(discard)}
        onSave={() => save.mutate({ project, slug, ...draft })}
      />
      {prompt.output === 'decomposition' ? (
        <ExamplesPanel
          body={draft.body}
          warnings={previewed?.preview.warnings ?? []}
          mayWrite={mayWrite}
          onChange={(body) => edit(change)({ body })}
        />
      ) : null}
      <div className="grid gap-4 xl:col-start-2 xl:row-span-6 xl:row-start-1">
        <VersionPanel
          {...{ prompt, mayWrite, back }}
          opened={version}
          onOpen={(each) => onPlace({ version: each })}
          onCompare={(each) => onPlace({ from: prompt.production.version, to: each })}
          onPromote={setPromoting}
        />
        {verifier === null ? null : (
          <PromotionPanel {...{ project, slug, mayWrite }} onChanged={onChanged} />
        )}
        <UsePanel {...{ project, prompt, version, mayWrite }} />
      </div>
      <ChangePanel
        {...{ project, prompt }}
        from={place.from}
        to={place.to}
        draft={draft.body}
        onChange={onPlace}
      />
      {verifier === null ? (
        <PromptExperiments {...{ project, slug }} production={prompt.production.version} />
      ) : (
        <>
          <TrialPanel {...{ project, prompt, version, mayWrite, isDirty }} />
          <PreviewPanel
            prompt={prompt}
            preview={previewed?.preview ?? null}
            error={previewError}
            onChoose={setSubject}
          />
        </>
      )}
      {promoting === null ? null : verifier === null ? (
        <ReleaseDialog
          {...{ project, prompt }}
          version={promoting}
          onDone={promoted}
          onClose={() => setPromoting(null)}
        />
      ) : (
        <PromoteDialog
          {...{ project, prompt }}
          version={promoting}
          isBack={promoting === back}
          onDone={promoted}
          onClose={() => setPromoting(null)}
        />
      )}
    </div>
  );
}

const pauseMs = 300;

/** The server's checks of a text. */
interface Previewed {
  readonly preview: PromptPreview;
  /** The checked text, which lags behind the editor's. */
  readonly body: string;
}

/**
 * Checks and renders a text after each pause in typing; null before the first response. Only the
 * last request counts.
 */
function usePreview(
  project: string,
  slug: string,
  body: string,
  subject: string | null,
): [Previewed | null, unknown] {
  const { mutate, error } = useMutation(useTRPC().prompts.preview.mutationOptions());
  const [last, setLast] = useState<Previewed | null>(null);
  useEffect(() => {
    const render = () =>
      mutate(
        { project, slug, body, ...(subject !== null && { subject }) },
        { onSuccess: (preview) => setLast({ preview, body }) },
      );
    const timer = setTimeout(render, pauseMs);
    return () => clearTimeout(timer);
  }, [mutate, project, slug, body, subject]);
  return [last, error];
}
