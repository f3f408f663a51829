import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Styles the editor with the tokens of globals.css, so that it follows the theme. */
const frame = EditorView.theme({
  '&': { backgroundColor: 'var(--color-surface)', color: 'var(--color-ink)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  // Above the gutter and marked lines, which would cover an outline.
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    border: '2px solid var(--color-accent)',
    pointerEvents: 'none',
    zIndex: '300',
  },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    lineHeight: '20px',
    minHeight: '320px',
    maxHeight: '70vh',
    overflow: 'auto',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--color-ink)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-gutters': {
    backgroundColor: 'var(--color-surface)',
    color: 'var(--color-ink-3)',
    borderRight: '1px solid var(--color-line)',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': {
    backgroundColor: 'var(--color-hover)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    {
      backgroundColor: 'var(--color-accent-wash)',
    },
  '.cm-line.assay-front, .cm-line.assay-front span': {
    color: 'var(--color-ink-2)',
    fontWeight: '400',
  },
  '.cm-line.assay-wrong': {
    backgroundColor: 'var(--color-loud)',
    boxShadow: 'inset 3px 0 0 var(--color-loud-line)',
  },
  '.assay-placeholder': {
    backgroundColor: 'var(--color-accent-wash)',
    borderRadius: '4px',
    fontWeight: '600',
  },
  '.assay-stranger': { textDecoration: 'underline wavy var(--color-loud-line)' },
});

const words = HighlightStyle.define([
  { tag: tags.heading, fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.monospace, tags.url], color: 'var(--color-accent)' },
  {
    tag: [tags.processingInstruction, tags.contentSeparator, tags.quote],
    color: 'var(--color-ink-3)',
  },
]);

export const editorTheme: Extension = [frame, syntaxHighlighting(words)];

/** Marks placeholders, and text that only looks like one. */
export function markPlaceholders(names: readonly string[]): Extension {
  const known = new Set(names);
  const matcher = new MatchDecorator({
    regexp: /\{\{([^{}\n]{0,200})\}\}/g,
    decoration: ([, name = '']) =>
      Decoration.mark({ class: known.has(name) ? 'assay-placeholder' : 'assay-stranger' }),
  });
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = matcher.createDeco(view);
      }
      update(update: ViewUpdate) {
        this.decorations = matcher.updateDeco(update, this.decorations);
      }
    },
    { decorations: (plugin) => plugin.decorations },
  );
}

/** Front matter is YAML, which Markdown would parse as a heading and a rule. */
export const markFrontMatter: Extension = EditorView.decorations.compute(['doc'], ({ doc }) => {
  const lines = [...doc.iterLines(1, Math.min(doc.lines, 100) + 1)];
  const end =
    lines[0]?.trimEnd() === '---'
      ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
      : -1;
  const front = lines.slice(0, end + 1);
  return Decoration.set(
    front.map((_line, index) =>
      Decoration.line({ class: 'assay-front' }).range(doc.line(index + 1).from),
    ),
  );
});

/** Marks lines, numbered from 1, that prevent the text from being saved. */
export function markLines(lines: ReadonlySet<number>): Extension {
  if (lines.size === 0) return [];
  return EditorView.decorations.compute(['doc'], ({ doc }) => {
    const at = [...lines].filter((line) => line >= 1 && line <= doc.lines).sort((a, b) => a - b);
    return Decoration.set(
      at.map((line) => Decoration.line({ class: 'assay-wrong' }).range(doc.line(line).from)),
    );
  });
}
