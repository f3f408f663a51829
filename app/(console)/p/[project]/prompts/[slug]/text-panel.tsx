'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useId, useMemo, useRef, useState } from 'react';
import type { PromptDetail, PromptPreview } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Field, FieldError } from '@/app/_ui/field';
import { useKeys } from '@/app/_ui/keyboard';
import { Panel, Skeleton } from '@/app/_ui/panel';
import type { CodeEditorHandle } from './code-editor';
import type { Draft } from './use-draft';

/** The editor's bundle is as large as the rest of the page, so the page is shown first. */
const CodeEditor = dynamic(() => import('./code-editor').then((part) => part.CodeEditor), {
  loading: () => <Skeleton className="m-4 h-72" />,
  ssr: false,
});

/**
 * Height of the editor with this text, as it grows until it scrolls: the page does not jump when it
 * loads.
 */
const heightOf = (text: string): string =>
  `clamp(320px, ${text.split('\n').length * 20 + 8}px, 70vh)`;

interface TextPanelProps {
  prompt: PromptDetail;
  version: number;
  draft: Draft;
  isDirty: boolean;
  isRestored: boolean;
  mayWrite: boolean;
  issues: PromptPreview['issues'];
  busy: boolean;
  error: string | null;
  /** Further actions on the opened version. */
  actions: ReactNode;
  onChange: (change: Partial<Draft>) => void;
  onDiscard: () => void;
  onSave: () => void;
}

/** The text of one version, and the editor of the next one. */
export function TextPanel(props: TextPanelProps) {
  const { prompt, version, draft, isDirty, isRestored, mayWrite, issues, onChange, onDiscard } =
    props;
  const editor = useRef<CodeEditorHandle>(null);
  const leaveTo = useRef<HTMLParagraphElement>(null);
  const hintId = useId();
  const [height] = useState(() => heightOf(draft.body));
  const wrongLines = useMemo(
    () => new Set(issues.flatMap(({ line }) => (line === null ? [] : [line]))),
    [issues],
  );
  const save = () => {
    if (mayWrite && isDirty && !props.busy) props.onSave();
  };
  useKeys({
    'mod+s': (event) => {
      event.preventDefault();
      save();
    },
    e: (event) => {
      event.preventDefault();
      editor.current?.goTo(1);
    },
  });
  return (
    <Panel
      title={version === 0 ? 'Text of the release' : `Text of version ${version}`}
      aside={
        <span className="text-ink-2" role="status">
          {isDirty
            ? isRestored
              ? 'Unsaved draft from an earlier visit'
              : 'Unsaved changes'
            : mayWrite
              ? 'Saved'
              : 'Read only'}
        </span>
      }
    >
      <div style={{ minHeight: height }}>
        <CodeEditor
          ref={editor}
          label={`Text of ${prompt.title}`}
          describedBy={hintId}
          value={draft.body}
          readOnly={!mayWrite}
          placeholders={[...prompt.variables, ...prompt.optional]}
          wrongLines={wrongLines}
          onChange={(body) => onChange({ body })}
          onSave={save}
          onLeave={() => leaveTo.current?.focus()}
        />
      </div>
      <div className="border-line grid gap-3 border-t p-4">
        <p ref={leaveTo} tabIndex={-1} id={hintId} className="text-12 text-ink-3">
          {mayWrite ? 'Ctrl S saves. ' : ''}Tab and Escape leave the editor, e enters it. A saved
          version takes effect on promotion.
        </p>
        <IssueList issues={issues} onGo={(line) => editor.current?.goTo(line)} />
        {mayWrite ? (
          <form
            className="flex flex-wrap items-end gap-2"
            onSubmit={(event) => {
              event.preventDefault();
              save();
            }}
          >
            <div className="min-w-60 flex-1">
              <Field
                label="What changed, and why"
                value={draft.message}
                maxLength={500}
                autoComplete="off"
                placeholder="Asks for quotes before the score"
                onChange={(event) => onChange({ message: event.target.value })}
              />
            </div>
            {isDirty ? (
              <Button variant="quiet" onClick={onDiscard}>
                Discard
              </Button>
            ) : null}
            <Button type="submit" variant="primary" busy={props.busy} disabled={!isDirty}>
              Save as version {(prompt.versions[0]?.version ?? 0) + 1}
            </Button>
            {props.actions}
          </form>
        ) : null}
        <FieldError text={props.error} />
      </div>
    </Panel>
  );
}

/** The issues that prevent the text from being saved, each linking to its line. */
function IssueList({
  issues,
  onGo,
}: {
  issues: PromptPreview['issues'];
  onGo: (line: number) => void;
}) {
  return (
    <div role="status" aria-label="Check of the text">
      {issues.length === 0 ? null : (
        <div className="bg-loud border-loud-line rounded-4 grid gap-1 border-l-2 px-3 py-2">
          <p className="font-semibold">
            {issues.length === 1 ? 'Fix this before you save:' : 'Fix these first:'}
          </p>
          <ul className="grid gap-1">
            {issues.map(({ line, message }, index) => (
              <li key={index} className="[overflow-wrap:anywhere]">
                {line === null ? null : (
                  <>
                    <button
                      type="button"
                      className="font-semibold underline"
                      onClick={() => onGo(line)}
                    >
                      Line {line}
                    </button>
                    :{' '}
                  </>
                )}
                {message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
