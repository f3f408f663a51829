import type { PathGlob } from '../input';

/** A path below a route's base address, its escapes read, and the methods that it takes. */
interface OpenPath {
  readonly methods: readonly string[];
  readonly form: RegExp;
}

/**
 * What every route serves (online.md 6): chat, completions, responses, messages, embeddings and
 * models, with what those APIs have for one item that its client made: a stored answer is read,
 * cancelled or deleted by its id. What lists an account's content, or changes its models, is not
 * among them: the stored key would read what other clients of the account made.
 */
const openPaths: readonly OpenPath[] = [
  {
    methods: ['POST'],
    form: /^\/(?:chat\/completions|completions|complete|responses(?:\/input_tokens)?|messages(?:\/count_tokens)?|embeddings)$/,
  },
  { methods: ['GET', 'HEAD'], form: /^\/models(?:\/.+)?$/ },
  // Gemini's own names of the same.
  {
    methods: ['POST'],
    form: /^\/models\/[^/]+:(?:generateContent|streamGenerateContent|countTokens|(?:batchE|e)mbedContents?)$/,
  },
  { methods: ['GET', 'POST', 'DELETE'], form: /^\/chat\/completions\/[^/]+$/ },
  { methods: ['GET', 'DELETE'], form: /^\/responses\/[^/]+$/ },
  { methods: ['POST'], form: /^\/responses\/[^/]+\/cancel$/ },
  {
    methods: ['GET'],
    form: /^\/(?:responses\/[^/]+\/input_items|chat\/completions\/[^/]+\/messages)$/,
  },
];

/**
 * Whether a route serves a path that is no call to a model.
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
 * `*` stands for any characters, slashes among them; `files/*`, `/files/*` and `/v1/files/*` are
 * the same. Time: their two lengths.
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
