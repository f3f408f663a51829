import type { PathGlob } from '../input';

/** A decoded path below a route's base URL, and its methods. */
interface OpenPath {
  readonly methods: readonly string[];
  readonly form: RegExp;
}

/**
 * Paths open on every route (online.md 6): chat, completions, responses, messages, embeddings and
 * models, and reading, cancelling or deleting a stored item by its id. Listing an account's content
 * or changing its models is closed: the stored key would show what other clients of the account
 * created.
 */
const openPaths: readonly OpenPath[] = [
  {
    methods: ['POST'],
    form: /^\/(?:chat\/completions|completions|complete|responses(?:\/input_tokens)?|messages(?:\/count_tokens)?|embeddings)$/,
  },
  { methods: ['GET', 'HEAD'], form: /^\/models(?:\/.+)?$/ },
  // The equivalent paths of Gemini's own API.
  {
    methods: ['POST'],
    form: /^\/(?:models|tunedModels)\/[^/]+:(?:generateContent|streamGenerateContent|countTokens|(?:batchE|e)mbedContents?)$/,
  },
  // The same for Ollama's.
  { methods: ['POST'], form: /^\/api\/(?:chat|generate|embed|embeddings|show)$/ },
  { methods: ['GET', 'HEAD'], form: /^\/api\/(?:tags|ps|version)$/ },
  { methods: ['GET', 'POST', 'DELETE'], form: /^\/chat\/completions\/[^/]+$/ },
  { methods: ['GET', 'DELETE'], form: /^\/responses\/[^/]+$/ },
  { methods: ['POST'], form: /^\/responses\/[^/]+\/cancel$/ },
  {
    methods: ['GET'],
    form: /^\/(?:responses\/[^/]+\/input_items|chat\/completions\/[^/]+\/messages)$/,
  },
];

/**
 * Whether a route serves a path that is not a model call.
 * @param path as `Address.plainPath`
 * @param allowed the route's own setting
 */
export function isOpenPath(method: string, path: string, allowed: readonly PathGlob[]): boolean {
  return (
    openPaths.some(({ methods, form }) => methods.includes(method) && form.test(path)) ||
    allowed.some((glob) => matchesGlob(glob, path))
  );
}

/**
 * `*` matches any characters, including slashes; `files/*`, `/files/*` and `/v1/files/*` are
 * equivalent. Takes time proportional to the product of the two lengths.
 */
function matchesGlob(glob: PathGlob, path: string): boolean {
  const parts = `/${glob.replace(/^\/?(?:v1\/)?/, '')}`.split('*');
  const first = parts[0] ?? '';
  const last = parts.at(-1) ?? '';
  if (parts.length === 1) return path === first;
  if (path.length < first.length + last.length || !path.startsWith(first) || !path.endsWith(last))
    return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = path.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return from <= path.length - last.length;
}
