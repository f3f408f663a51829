// Output of foreign code, prepared for storage and display: text, bounded, and without terminal
// control sequences.
const longest = 8_192;
const headLength = 6_000;

/** @returns at most 8,192 characters; of longer output the beginning and the end */
export function shownOutput(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('utf8')
    // oxlint-disable-next-line no-control-regex -- sequences that colour a terminal, and other control characters
    .replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    // oxlint-disable-next-line no-control-regex -- as above
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
    .trim();
  if (text.length <= longest) return text.toWellFormed();
  const tail = text.slice(text.length - (longest - headLength - 10));
  return `${text.slice(0, headLength)}\n…\n${tail}`.toWellFormed();
}
