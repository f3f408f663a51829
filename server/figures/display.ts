/** Untrusted text (figures, paths, ids, tool names) escaped for markdown or for a message. */

const LENGTH_MAX = 120;

/**
 * One line of markdown that shows the text without effect: no link, tag, emphasis, table or line
 * break.
 */
export function asMarkdown(text: string): string {
  return oneLine(text)
    .replace(/[\\`*<>&|()~#!]/gu, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/\](?=\\\(|:)/gu, '\\]')
    .replace(/:(?=\/\/)/gu, '\\:');
}

/** A JSON string literal: data in a message to a model, never a part of its wording. */
export function asData(text: string): string {
  return JSON.stringify(oneLine(text));
}

function oneLine(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
  if (line.length <= LENGTH_MAX) return line.toWellFormed();
  return `${line.slice(0, LENGTH_MAX).toWellFormed()}…`;
}
