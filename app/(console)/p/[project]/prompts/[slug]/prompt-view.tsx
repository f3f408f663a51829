'use client';

import { useQuery } from '@tanstack/react-query';
import { parseAsInteger, useQueryStates } from 'nuqs';
import { useState } from 'react';
import { Crumbs } from '@/app/(console)/crumbs';
import { LiveMark } from '@/app/(console)/live-state';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { PromptDetail } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { FellBackNotice } from './fell-back-notice';
import { PromptEditorView } from './prompt-editor-view';

interface PromptViewProps {
  project: string;
  initial: PromptDetail;
  /** Text of the version in the URL, as the page was loaded. */
  opened: { readonly version: number; readonly body: string };
  mayWrite: boolean;
}

export function PromptView({ project, initial, opened, mayWrite }: PromptViewProps) {
  const trpc = useTRPC();
  const { slug } = initial;
  const [place, setPlace] = useQueryStates(
    { version: parseAsInteger, from: parseAsInteger, to: parseAsInteger },
    { history: 'push' },
  );
  const detail = useQuery(
    trpc.prompts.get.queryOptions({ project, slug }, { initialData: initial }),
  );
  const prompt = detail.data;
  const live = useLive(project, () => undefined, 5000);
  // Without a version in the URL, this is the latest one when the page was loaded: a version saved
  // by others in the meantime must not replace a text that is being edited.
  const version = place.version ?? opened.version;
  const [workspace, continueAs] = useWorkspace(version);
  const body = useQuery(
    trpc.prompts.body.queryOptions(
      { project, slug, version },
      { staleTime: Infinity, ...(version === opened.version && { initialData: opened.body }) },
    ),
  );
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs trail={[{ name: 'Prompts', href: `/p/${project}/prompts` }]} pageName={slug} />
        }
        title={plainText(prompt.title)}
        sub={<VisibleText text={prompt.description} />}
      >
        <LiveMark state={live} readAt={detail.dataUpdatedAt} />
      </PageHead>
      <FellBackNotice fellBack={prompt.fellBack} base={prompt.base} />
      {body.error ? (
        <ErrorPanel
          what={`Version ${version} could not be read`}
          works="Other versions may open; judges are not affected."
          problem={problemOf(body.error)}
          onRetry={() => void body.refetch()}
        />
      ) : body.data === undefined ? (
        <Skeleton className="h-96" />
      ) : (
        <PromptEditorView
          key={workspace}
          {...{ project, prompt, version, mayWrite }}
          stored={body.data}
          place={{ from: place.from ?? prompt.production.version, to: place.to }}
          onPlace={(change) => void setPlace(change)}
          onSaved={(saved) => {
            continueAs(saved);
            void setPlace({ version: saved });
          }}
          onChanged={() => void detail.refetch()}
        />
      )}
    </PageBody>
  );
}

/**
 * The key of the workspace of a version. Another version has another one, but a version saved from
 * an open workspace keeps it, so that the cursor and the focus stay.
 */
function useWorkspace(version: number): [string, (saved: number) => void] {
  const [workspace, setWorkspace] = useState({ version: -1, key: '', count: 0 });
  const key = workspace.version === version ? workspace.key : `${version}/${workspace.count}`;
  return [key, (saved) => setWorkspace({ version: saved, key, count: workspace.count + 1 })];
}
