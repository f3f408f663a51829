// Output of foreign code, prepared for storage and display: text, bounded, and without terminal
// control sequences.
const longest = 8_192;
const headLength = 6_000;
/** Characters that reorder the text around them (Trojan Source). */
const reordering = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** @returns at most 8,192 characters; of longer output the beginning and the end */
export function shownOutput(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    // oxlint-disable-next-line no-control-regex -- commands to a terminal: a link, the clipboard, a title
    .replaceAll(/(?:\u001b\]|\u009d)[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)?/g, '')
    // oxlint-disable-next-line no-control-regex -- sequences that colour a terminal or move its cursor
    .replaceAll(/(?:\u001b\[|\u009b)[0-9;:?<=>]*[ -/]*[@-~]/g, '')
    // oxlint-disable-next-line no-control-regex -- other control characters
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .replaceAll(reordering, (mark) => `[U+${mark.charCodeAt(0).toString(16).toUpperCase()}]`)
    .trim();
  if (text.length <= longest) return text.toWellFormed();
  const tail = text.slice(text.length - (longest - headLength - 10));
  return `${text.slice(0, headLength)}\n…\n${tail}`.toWellFormed();
}
