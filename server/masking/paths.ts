import { JSONPathEnvironment, JSONPathError, jsonpath } from 'json-p3';
import { refused } from '../platform';

/**
 * Paths of values to mask: JSONPath (RFC 9535) without filters, slices and indexes from the end.
 * Such a path can be followed while a text is read, so that masking takes one pass and no part of
 * the text is written again except the values themselves.
 */
/** Any child: JSON has no such name or position. */
const anyChild = -1;
type Step = string | number;

interface Segment {
  /** Matches children at any depth (`..`). */
  readonly isDeep: boolean;
  readonly steps: readonly Step[];
}
export type MaskPath = readonly Segment[];

/** How far each path is followed at one place of a document. */
export type PathStates = readonly { readonly path: MaskPath; readonly at: number }[];

const environment = new JSONPathEnvironment();
const { NameSelector, IndexSelector, WildcardSelector } = jsonpath.selectors;

/**
 * Reads a path; `field` names it in the error.
 * @throws AssayError refused: the text is not JSONPath, or uses a part that masking does not follow
 */
export function readMaskPath(text: string, field: string): MaskPath {
  try {
    const path = environment.compile(text).segments.map((segment) => ({
      isDeep: segment.toString().startsWith('..'),
      steps: segment.selectors.map((selector) => stepOf(selector, field)),
    }));
    if (path.length === 0)
      throw problem(field, 'must name a member, such as "$.metadata.customer"');
    if (path.filter(({ isDeep }) => isDeep).length > 1)
      throw problem(field, 'must have at most one ".."');
    return path;
  } catch (error) {
    if (error instanceof JSONPathError)
      throw problem(field, 'must be a JSONPath such as "$.metadata.customer"');
    throw error;
  }
}

function stepOf(selector: jsonpath.JSONPathSelector, field: string): Step {
  if (selector instanceof NameSelector) return selector.name;
  if (selector instanceof IndexSelector && selector.index >= 0) return selector.index;
  if (selector instanceof WildcardSelector) return anyChild;
  throw problem(field, 'must consist of names, "*" and indexes from 0; filters are not supported');
}

const problem = (field: string, message: string) =>
  refused(`${field}: ${message}`, [{ path: field, message }]);

/** Every child of a place. */
export const allChildren: PathStates = [{ path: [{ isDeep: false, steps: [anyChild] }], at: 0 }];

/** The start of each path. `list`: the paths begin at each item of this member of the root. */
export function startPaths(paths: readonly MaskPath[], list: string | null = null): PathStates {
  const steps: readonly Step[] = list === null ? [] : [list, anyChild];
  const before = steps.map((step) => ({ isDeep: false, steps: [step] }));
  return paths.map((path) => ({ path: [...before, ...path], at: 0 }));
}

/** The states at a child; null if a path ends there. */
export function followPaths(states: PathStates, child: string | number): PathStates | null {
  if (states.length === 0) return states;
  const next: { path: MaskPath; at: number }[] = [];
  for (const { path, at } of states) {
    const segment = path[at];
    if (segment === undefined) continue;
    if (segment.isDeep) next.push({ path, at });
    if (!segment.steps.some((step) => step === anyChild || step === child)) continue;
    if (at + 1 === path.length) return null;
    next.push({ path, at: at + 1 });
  }
  return next;
}
