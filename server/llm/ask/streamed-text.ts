import { redact } from './fault';

/** Passes a growing text on in parts, without any part of the provider's key. */
export interface StreamedText {
  /** @param text the whole text so far */
  update(text: string): void;
  /** @param text the whole text, already without the key */
  end(text: string): void;
}

/** Without its last word of printable ASCII, which may be the start of a key. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) > 0x20 && text.charCodeAt(end - 1) < 0x7f) end--;
  return text.slice(0, end);
}

/** `end` shows nothing if the key in the text has replaced a part that was shown. */
export function createStreamedText(
  apiKey: string | null,
  onText: ((text: string) => void) | undefined,
): StreamedText {
  if (onText === undefined) return { update: () => undefined, end: () => undefined };
  let shown = '';
  const show = (text: string): void => {
    if (!text.startsWith(shown) || text === shown) return;
    onText(text.slice(shown.length));
    shown = text;
  };
  return { update: (text) => show(redact(withoutLastWord(text), apiKey)), end: show };
}
