import { Fragment } from 'react';

/**
 * Untrusted text is shown as text, with characters made visible that would be invisible or reorder
 * it: bidi controls (Trojan Source), zero-width and tag characters (smuggled instructions), C0 and
 * C1 controls, ANSI escapes.
 */
export interface TextPart {
  readonly text: string;
  /** The name of the hidden character, or null for plain text. */
  readonly hidden: string | null;
}

const controls =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

/** Zero-width joiner and non-joiner stay: emoji and several scripts need them. */
function nameHidden(code: number): string | null {
  if (code === 0x0a || code === 0x09) return null;
  if (code < 0x20) return controls[code] ?? null;
  // U+2400 is stored by intake for NUL (server/domain/text.ts); few fonts have a glyph for it.
  if (code === 0x2400) return 'NUL';
  if (code === 0x7f) return 'DEL';
  const isHidden =
    (code >= 0x80 && code <= 0x9f) ||
    code === 0x061c ||
    code === 0x180e ||
    code === 0x200b ||
    code === 0x200e ||
    code === 0x200f ||
    code === 0x2028 ||
    code === 0x2029 ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff ||
    (code >= 0xe0000 && code <= 0xe007f);
  return isHidden ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}` : null;
}

export function splitHidden(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let plainFrom = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const width = code > 0xffff ? 2 : 1;
    // A line ending of Windows is not a finding.
    const isCrLf = code === 0x0d && text.charCodeAt(at + 1) === 0x0a;
    const name = isCrLf ? null : nameHidden(code);
    if (name === null) {
      at += width;
      continue;
    }
    if (plainFrom < at) parts.push({ text: text.slice(plainFrom, at), hidden: null });
    parts.push({ text: text.slice(at, at + width), hidden: name });
    at += width;
    plainFrom = at;
  }
  if (plainFrom < text.length) parts.push({ text: text.slice(plainFrom), hidden: null });
  return parts;
}

/** The same for places without elements: `title`, `aria-label`, the options of a select. */
export function plainText(text: string): string {
  return splitHidden(text)
    .map((part) => (part.hidden === null ? part.text : `[${part.hidden}]`))
    .join('');
}

export function VisibleText({ text }: { text: string }) {
  return splitHidden(text).map((part, index) =>
    part.hidden === null ? (
      <Fragment key={index}>{part.text}</Fragment>
    ) : (
      <span
        key={index}
        title={`Hidden character ${part.hidden}`}
        className="bg-loud text-ink rounded-4 text-12 mx-px px-0.5 font-mono [unicode-bidi:isolate]"
      >
        {part.hidden}
      </span>
    ),
  );
}
