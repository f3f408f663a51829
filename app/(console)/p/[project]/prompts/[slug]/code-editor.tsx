'use client';

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { Annotation, Compartment, EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react';
import { editorTheme, markFrontMatter, markLines, markPlaceholders } from './editor-theme';

export interface CodeEditorHandle {
  /** Moves the cursor to a line, numbered from 1, and focuses the text. */
  goTo: (line: number) => void;
}

interface CodeEditorProps {
  label: string;
  /** Id of the element that explains how to leave, and the other hints. */
  describedBy: string;
  value: string;
  readOnly: boolean;
  placeholders: readonly string[];
  wrongLines: ReadonlySet<number>;
  onChange: (value: string) => void;
  onSave: () => void;
  /** Escape. */
  onLeave: () => void;
  ref: Ref<CodeEditorHandle>;
}

/**
 * Marks changes from outside, which are not edits by the user. Comparing texts would not work: the
 * editor's text has \n where a stored one has \r.
 */
const externalChange = Annotation.define<boolean>();

/**
 * A Markdown editor. Tab moves to the next control and Escape leaves, so that keyboard users are
 * not trapped.
 */
export function CodeEditor(props: CodeEditorProps) {
  const { value, wrongLines, ref } = props;
  const frame = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView | null>(null);
  const marks = useRef(new Compartment());
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    if (frame.current === null) return;
    const view = createEditor(frame.current, latest, marks.current);
    editor.current = view;
    return () => {
      editor.current = null;
      view.destroy();
    };
  }, []);
  useEffect(() => {
    const view = editor.current;
    if (view === null || view.state.doc.eq(view.state.toText(value))) return;
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: value },
      annotations: externalChange.of(true),
    });
  }, [value]);
  useEffect(() => {
    editor.current?.dispatch({ effects: marks.current.reconfigure(markLines(wrongLines)) });
  }, [wrongLines]);
  useImperativeHandle(ref, () => ({
    goTo: (line) => {
      const view = editor.current;
      if (view === null) return;
      const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: 'center' }),
      });
      view.focus();
    },
  }));
  return <div ref={frame} className="min-w-0" />;
}

function createEditor(
  parent: HTMLElement,
  latest: { readonly current: CodeEditorProps },
  marks: Compartment,
): EditorView {
  const { label, describedBy, value, readOnly, placeholders, wrongLines } = latest.current;
  const keys = [
    { key: 'Mod-s', preventDefault: true, run: () => (latest.current.onSave(), true) },
    { key: 'Escape', run: () => (latest.current.onLeave(), true) },
  ];
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: value,
      extensions: [
        EditorView.cspNonce.of(documentNonce()),
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({
          'aria-label': label,
          'aria-describedby': describedBy,
          spellcheck: 'true',
          tabindex: '0',
        }),
        keymap.of([...keys, ...defaultKeymap, ...historyKeymap]),
        history(),
        drawSelection(),
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        EditorView.lineWrapping,
        markdown(),
        editorTheme,
        markFrontMatter,
        markPlaceholders(placeholders),
        marks.of(markLines(wrongLines)),
        EditorView.updateListener.of((update) => {
          const isExternal = update.transactions.some(
            (transaction) => transaction.annotation(externalChange) === true,
          );
          if (update.docChanged && !isExternal)
            latest.current.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
}

/**
 * The nonce of this document's content policy: the editor puts its rules into its own style
 * element. It is read from the document, since a page reached by a link was requested with another
 * nonce.
 */
function documentNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}
