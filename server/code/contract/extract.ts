import type { Contract, ContractPattern } from '../../domain';
import { chooseFramework, type Framework, frameworkLanguageOf } from '../frameworks';
import { type Activation, findActivation } from './activation';
import { type ElementCount, type CountedKind, findCounts } from './counts';
import { chooseDeliverables } from './deliverables';
import { gateCommands } from './gate-commands';
import { type FileMention, findMentions, isProgram } from './mentions';
import { findNouns } from './keywords';
import { findNames, type GivenName } from './names';
import { fileOfPlace } from './places';
import { findRoutes, type RequestedRoute } from './routes';

const PATTERN_CHARS = 240;
const PATTERNS_MAX = 60;

const reasons: Readonly<Record<NonNullable<Activation['reason']>, string>> = {
  empty: 'The request is empty.',
  read_intent: 'The request asks to read or to explain, not to create.',
  no_creation: 'The request names nothing to create.',
};

/**
 * The contract of a request for code (QEL-5 to QEL-12): extracted by patterns and tables without a
 * model, in time linear in its length. A read-intent request has no deliverables; for a request
 * without an order the named files are kept, for callers who want it scored anyway.
 */
export function extractContract(request: string): Contract {
  const work = workOf(request);
  const { active, reason } = findActivation(
    request,
    () => work().named.length > 0 || work().framework !== null,
  );
  const why = reason === null ? null : reasons[reason];
  if (reason === 'empty' || reason === 'read_intent') {
    return {
      active,
      reason: why,
      confidence: 'low',
      deliverables: [],
      framework: null,
      patterns: [],
      expectedElements: {},
      gates: [],
    };
  }
  const { framework, mentions, named } = work();
  // A request that names only a page or a style for a framework also requires the program (QEL-7).
  const inferred =
    framework !== null && !mentions.some(({ path, program }) => program && named.includes(path));
  const deliverables = inferred ? [...named, entryOf(framework, request, mentions)] : named;
  const nouns = findNouns(request);
  const names = findNames(request, nouns);
  const routes = findRoutes(request, framework);
  // No sentence describes an inferred entry file.
  const fileAt = inferred ? () => null : fileOfPlace(request, mentions, deliverables);
  const patterns = patternsOf(framework, names, routes, fileAt);
  return {
    active,
    reason: why,
    confidence: confidenceOf(active, named, framework, patterns),
    deliverables,
    framework: framework?.name ?? null,
    patterns,
    expectedElements: elementsOf(deliverables, {
      names,
      routes,
      counts: findCounts(request, nouns),
      fileAt,
    }),
    gates: gateCommands(request, nouns, deliverables),
  };
}

interface Work {
  readonly framework: Framework | null;
  readonly mentions: readonly FileMention[];
  /** Deliverable files by name. */
  readonly named: readonly string[];
}

/** The allowed frameworks, read once on first use. */
function workOf(request: string): () => Work {
  let work: Work | null = null;
  return () => {
    if (work === null) {
      const mentions = findMentions(request);
      const named = chooseDeliverables(request, mentions);
      work = { framework: frameworkOf(request, mentions, named), mentions, named };
    }
    return work;
  };
}

/** A request for only a Dockerfile or a page for a Flask app is not written in Flask. */
function frameworkOf(
  request: string,
  mentions: readonly FileMention[],
  named: readonly string[],
): Framework | null {
  const requested = chooseFramework(request);
  const programs = mentions
    .filter(({ path, program }) => program && named.includes(path))
    .map(({ path }) => path);
  if (requested === null || (requested.aim && named.length > 0 && programs.length === 0))
    return null;
  // A name that is also a word is not the framework of work in another language: "an Echo service
  // in echo.py".
  const { guard, language } = requested.framework;
  const fits =
    programs.length === 0 || programs.some((path) => frameworkLanguageOf(path) === language);
  return guard === undefined || fits ? requested.framework : null;
}

/** Words that request TypeScript. */
export const typedWords = /\b(?:TypeScript|TSX?)\b|\btypescript\b/g;

/**
 * The entry file of a framework, if the request names no file (QEL-7); tests are named after the
 * file that they test.
 */
function entryOf(
  { entry, typedEntry, role, extensions }: Framework,
  request: string,
  mentions: readonly FileMention[],
): string {
  if (role === 'test') {
    const tested = mentions
      .map(({ path }) => path.slice(path.lastIndexOf('/') + 1))
      .find((name) => extensions.some((each) => name.endsWith(each)));
    if (tested !== undefined) return `test_${tested}`;
  }
  return typedEntry !== undefined && request.search(typedWords) >= 0 ? typedEntry : entry;
}

function patternsOf(
  framework: Framework | null,
  names: readonly GivenName[],
  routes: readonly RequestedRoute[],
  fileAt: (at: number) => string | null,
): ContractPattern[] {
  const found = new Map<string, ContractPattern>();
  const take = (pattern: string, kind: ContractPattern['kind'], path: string | null): void => {
    if (pattern.length > PATTERN_CHARS || found.size >= PATTERNS_MAX) return;
    const known = found.get(pattern);
    if (known === undefined) found.set(pattern, { pattern, kind, path });
    // Named for two files: it may be in either.
    else if (known.path !== path) found.set(pattern, { ...known, path: null });
  };
  if (framework?.importText !== null && framework !== null)
    take(framework.importText, 'hard', null);
  for (const { pattern, at } of routes) take(pattern, 'hard', fileAt(at));
  for (const { name, at, of } of names) if (of === 'class') take(name, 'hard', fileAt(at));
  for (const { name, at, of } of names) if (of !== 'class') take(name, 'soft', fileAt(at));
  return [...found.values()];
}

interface Extracted {
  readonly names: readonly GivenName[];
  readonly routes: readonly RequestedRoute[];
  readonly counts: readonly ElementCount[];
  readonly fileAt: (at: number) => string | null;
}

/**
 * Expected elements by file (QEL-19): of each kind the requested or the named number, whichever is
 * larger. Elements that cannot be assigned to one file are omitted.
 */
function elementsOf(
  deliverables: readonly string[],
  { names, routes, counts, fileAt }: Extracted,
): Record<string, number> {
  const [only = null] = deliverables;
  const placeOf = deliverables.length === 1 ? () => (isProgram(only ?? '') ? only : null) : fileAt;
  const stated = new Map<string, Map<CountedKind, number>>();
  const named = new Map<string, Map<CountedKind, number>>();
  for (const { of, count, at } of counts) addRequirement(stated, placeOf(at), of, count, Math.max);
  for (const { of, at } of names)
    if (of !== 'field') addRequirement(named, placeOf(at), of, 1, sum);
  const distinct = new Map(
    routes.map((route) => [`${route.method ?? ''} ${route.pattern}`, route]),
  );
  for (const { at } of distinct.values()) addRequirement(named, placeOf(at), 'route', 1, sum);
  const expected = new Map<string, number>();
  for (const path of deliverables) {
    const max = elementKinds.map((kind) =>
      Math.max(stated.get(path)?.get(kind) ?? 0, named.get(path)?.get(kind) ?? 0),
    );
    const all = max.reduce(sum, 0);
    if (all > 0) expected.set(path, all);
  }
  return Object.fromEntries(expected);
}

const elementKinds: readonly CountedKind[] = ['class', 'function', 'route'];

const sum = (a: number, b: number): number => a + b;

type Counts = Map<string, Map<CountedKind, number>>;

/**
 * @param join combines two counts of one kind in one file: a repeated number is not added, a second
 * name is
 */
function addRequirement(
  counts: Counts,
  path: string | null,
  kind: CountedKind,
  count: number,
  join: (a: number, b: number) => number,
): void {
  if (path === null) return;
  const ofPath = counts.get(path) ?? new Map<CountedKind, number>();
  ofPath.set(kind, join(ofPath.get(kind) ?? 0, count));
  counts.set(path, ofPath);
}

/**
 * High: files by name and their required content. Medium: one of the two, or a framework. Low:
 * neither, or no creation (QEL-6, QEL-12).
 */
function confidenceOf(
  active: boolean,
  named: readonly string[],
  framework: Framework | null,
  patterns: readonly ContractPattern[],
): Contract['confidence'] {
  if (!active) return 'low';
  const must = framework !== null || patterns.some(({ kind }) => kind === 'hard');
  if (named.length > 0 && must) return 'high';
  return named.length > 0 || must ? 'medium' : 'low';
}
