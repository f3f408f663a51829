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
import { editorLooks, markFrontMatter, markLines, markPlaceholders } from './editor-looks';

export interface CodeEditorHandle {
  /** Puts the cursor on a line, numbered from 1, and the focus into the text. */
  goTo: (line: number) => void;
}

interface CodeEditorProps {
  label: string;
  /** Id of the element that tells how to leave, and what else there is to know. */
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
 * On what comes from outside, which is no edit; not told by comparing texts: the editor's own has
 * \n wherever a stored one has \r.
 */
const putIn = Annotation.define<boolean>();

/**
 * A markdown editor. Tab goes on to the next control and Escape leaves, so that no one is kept in
 * it.
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
      annotations: putIn.of(true),
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
        editorLooks,
        markFrontMatter,
        markPlaceholders(placeholders),
        marks.of(markLines(wrongLines)),
        EditorView.updateListener.of((update) => {
          const isPutIn = update.transactions.some(
            (transaction) => transaction.annotation(putIn) === true,
          );
          if (update.docChanged && !isPutIn) latest.current.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
}

/**
 * The one that this document's content policy names: the editor puts its rules into a style element
 * of its own. Read from the document and not from a request, since a page that was reached by a
 * link came with another one.
 */
function documentNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
}
