/**
 * Rejects paths (S-122) that could leave the base URL of the route on some server and take the
 * stored key along, or that the gateway and the upstream would interpret differently. Decodes
 * escapes as often as a chain of servers may.
 */

/** The common case: no escapes, no parameters, no dot segments. */
const plain = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9_~:@!$&'()*+,=.-]+)*\/?$/;
/** A model name may contain a slash (`meta-llama/Llama-3`), which clients escape. */
const modelName = /^\/gateway\/[^/]+\/v1(?:alpha|beta)?\/models\//;
/** Rounds of decoding: a server behind a proxy decodes twice. */
const DECODINGS_MAX = 3;
/**
 * Dot segments, also with a suffix that servers cut off: blanks, parameters (`..;x=1`, RFC 3986
 * 3.3), or an escaped `?` or `#`.
 */
const climbing = /^\s*\.{1,2}\s*(?:[;?#].*)?$/su;
const isControl = (character: string): boolean =>
  character < ' ' || (character >= '\u007f' && character <= '\u009f');

/** The fault of a path, worded to follow "the path"; null if none. */
export function pathFault(path: string): string | null {
  if (plain.test(path)) return null;
  if (!/^[\x21-\x7e]*$/.test(path))
    return 'contains a blank, a control character or one that is not ASCII';
  if (/%(?![0-9a-f]{2})/i.test(path)) return 'contains a "%" that begins no escape';
  let text = path;
  for (let n = 0; n <= DECODINGS_MAX; n++) {
    const fault = faultOf(text.normalize('NFKC'));
    if (fault !== null) return fault;
    const next = decodedOnce(text);
    if (next === null) return 'contains escapes that are not UTF-8';
    if (next === text) return null;
    const isModelName = n === 0 && modelName.test(path);
    if (!isModelName && slashesIn(next) > slashesIn(text)) return 'contains an escaped slash';
    text = next;
  }
  return `is escaped more than ${DECODINGS_MAX} times`;
}

function faultOf(text: string): string | null {
  if (Array.from(text).some(isControl)) return 'contains a control character';
  if (text.includes('\\')) return 'contains a backslash';
  const segments = text.split('/').slice(1);
  if (segments.some((segment) => climbing.test(segment))) return 'contains a segment "." or ".."';
  // A trailing slash is the same path.
  if (segments.slice(0, -1).includes('') || segments.some((segment) => segment.startsWith(';')))
    return 'contains an empty segment';
  return null;
}

/** Null if the escapes are not valid UTF-8. A literal "%" stays. */
function decodedOnce(text: string): string | null {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodeURIComponent(escapes));
  } catch {
    return null;
  }
}

const slashesIn = (text: string): number => text.split('/').length;
