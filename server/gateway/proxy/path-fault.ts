/**
 * Why a path goes to no upstream (S-122): it would leave the base address of its route on some
 * server, and the stored key would go with it, or it would be another path to the upstream than to
 * the gateway. Escapes are read as often as a chain of servers may read them.
 */

/** A path that says what it means: no escape, no parameter, no segment of dots. */
const plain = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9_~:@!$&'()*+,=.-]+)*\/?$/;
/** A model's name may hold a slash (`meta-llama/Llama-3`), and clients escape it. */
const modelName = /^\/gateway\/[^/]+\/v1\/models\//;
/** Times that escapes are read: a server behind a proxy reads them twice. */
const DECODINGS_MAX = 3;
/**
 * Segments that climb: dots, also with what servers cut off behind them: blanks, parameters
 * (`..;x=1`, RFC 3986 3.3), and what an escaped `?` or `#` begins.
 */
const climbing = /^\s*\.{1,2}\s*(?:[;?#].*)?$/su;
const isControl = (character: string): boolean =>
  character < ' ' || (character >= '\u007f' && character <= '\u009f');

/** What is wrong with the path of a target, to be said after "the path"; null: nothing. */
export function pathFault(path: string): string | null {
  if (plain.test(path)) return null;
  if (!/^[\x21-\x7e]*$/.test(path))
    return 'holds a blank, a control character or one that is not ASCII';
  if (/%(?![0-9a-f]{2})/i.test(path)) return 'holds a "%" that begins no escape';
  let text = path;
  for (let n = 0; n <= DECODINGS_MAX; n++) {
    const fault = faultOf(text.normalize('NFKC'));
    if (fault !== null) return fault;
    const next = decodedOnce(text);
    if (next === null) return 'holds escapes that are not UTF-8';
    if (next === text) return null;
    const isModelName = n === 0 && modelName.test(path);
    if (!isModelName && slashesIn(next) > slashesIn(text)) return 'holds an escaped slash';
    text = next;
  }
  return `is escaped more than ${DECODINGS_MAX} times`;
}

function faultOf(text: string): string | null {
  if (Array.from(text).some(isControl)) return 'holds a control character';
  if (text.includes('\\')) return 'holds a backslash';
  const segments = text.split('/').slice(1);
  if (segments.some((segment) => climbing.test(segment))) return 'holds a segment "." or ".."';
  // One slash at the end is a spelling of the same path.
  if (segments.slice(0, -1).includes('') || segments.some((segment) => segment.startsWith(';')))
    return 'holds an empty segment';
  return null;
}

/** Null: what is escaped is no UTF-8. A "%" that stands for itself stays. */
function decodedOnce(text: string): string | null {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => decodeURIComponent(escapes));
  } catch {
    return null;
  }
}

const slashesIn = (text: string): number => text.split('/').length;
