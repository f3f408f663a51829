/**
 * Paths into a source: `rows[0].disk_pct`, odd keys as `["a key"]`, `$` for the whole. Keys are
 * compared only as text, so `__proto__` is a key like any other.
 */
export interface PathNode {
  readonly parent: PathNode | null;
  /** An object's key or an array's index; null at the root. */
  readonly step: string | number | null;
}

const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
/**
 * Maximum number of steps read from a fact's path; sources are cut at a depth of 64 anyway.
 */
const STEPS_MAX = 256;

/** The path of a node as shown to readers. */
export function renderPath(node: PathNode): string {
  let path = '';
  for (let at: PathNode | null = node; at !== null && at.step !== null; at = at.parent) {
    if (typeof at.step === 'number') path = `[${at.step}]${path}`;
    else if (PLAIN_KEY.test(at.step))
      path = `${at.parent?.step == null ? '' : '.'}${at.step}${path}`;
    else path = `[${JSON.stringify(at.step)}]${path}`;
  }
  return path === '' ? '$' : path;
}

/** A node's path in the loose spelling for comparisons with facts: every step after a point. */
export function looseNodePath(node: PathNode): string {
  let path = '';
  for (let at: PathNode | null = node; at !== null && at.step !== null; at = at.parent)
    path = `.${at.step}${path}`;
  return path;
}

/**
 * The possible spellings of a fact's path, loosest last (INT-4): `rows[0].x`, `$.rows[0].x`,
 * `rows.0.x`, `/rows/0/x`, and `result.rows[0].x` for a source without a key `result`.
 */
export function loosePaths(path: string): readonly string[] {
  const steps = path.trim().startsWith('/') ? pointerSteps(path.trim()) : pathSteps(path.trim());
  const joined = steps.map((step) => `.${step}`).join('');
  return steps[0] === 'result' ? [joined, joined.slice('.result'.length)] : [joined];
}

function pointerSteps(pointer: string): readonly string[] {
  const steps = pointer.slice(1).split('/', STEPS_MAX);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function pathSteps(path: string): readonly string[] {
  const steps: string[] = [];
  let at = path.startsWith('$') && !/^\$[\p{L}\p{N}_]/u.test(path.slice(0, 3)) ? 1 : 0;
  while (at < path.length && steps.length < STEPS_MAX) {
    if (path[at] === '.') at++;
    else if (path[at] === '[') {
      const end = bracketEnd(path, at);
      steps.push(unquote(path.slice(at + 1, end)));
      at = end + 1;
    } else {
      let end = at;
      while (end < path.length && path[end] !== '.' && path[end] !== '[') end++;
      steps.push(path.slice(at, end));
      at = end;
    }
  }
  return steps;
}

function bracketEnd(path: string, open: number): number {
  const quote = path[open + 1];
  if (quote === '"' || quote === "'") {
    for (let i = open + 2; i < path.length; i++) {
      if (path[i] === '\\') i++;
      else if (path[i] === quote && path[i + 1] === ']') return i + 1;
    }
  }
  const end = path.indexOf(']', open);
  return end === -1 ? path.length : end;
}

function unquote(step: string): string {
  const text = step.trim();
  const quote = text[0];
  if (text.length < 2 || (quote !== '"' && quote !== "'") || !text.endsWith(quote)) return text;
  return text.slice(1, -1).replace(/\\(["'\\])/gu, '$1');
}
