import type { Figure, Source } from '../domain';
import { asMarkdown } from './display';

/** Lines listed; the rest is only counted. */
const LINES_MAX = 200;

/**
 * The Sources footer (INT-16): one markdown line per figure and place, and the number of figures
 * without data. Empty if nothing was sourced. Names are out of scope: figures only.
 */
export function renderFooter(figures: readonly Figure[], sources: readonly Source[]): string {
  const labels = new Map(sources.map((source): [string, string] => [source.id, source.label]));
  const lines = new Set<string>();
  for (const { text, sourced, source } of figures) {
    if (!sourced || source === null) continue;
    const label = labels.get(source.id) ?? source.id;
    const name =
      label === source.id ? asMarkdown(label) : `${asMarkdown(label)} (${asMarkdown(source.id)})`;
    lines.add(`- ${asMarkdown(text)} — ${name}, ${asMarkdown(source.path)}`);
  }
  if (lines.size === 0) return '';
  const shown = [...lines].slice(0, LINES_MAX);
  if (lines.size > LINES_MAX) shown.push(`- and ${lines.size - LINES_MAX} more`);
  const lacking = figures.filter((figure) => !figure.sourced).length;
  if (lacking > 0)
    shown.push(
      '',
      `No source in this turn's data for ${lacking} ${lacking === 1 ? 'figure' : 'figures'}.`,
    );
  return `Sources:\n\n${shown.join('\n')}`;
}
