// Features added to Java after the installed version: syntax found by the parser, library names
// that the compiler does not find, and versions declared in build files.
import { isNewerThan, type NewerSyntax } from '../../structure';
import type { GateFile } from '../gate';

/** The compiler reports it: the syntax exists, and is not yet enabled. */
const preview = /^[^\n]*: error: [^\n]* (?:is|are) (?:a preview|not supported in -source)/;
/**
 * Reported by the compiler's parser: its later messages about the same file follow from its
 * recovery.
 */
const ofParser =
  /: error: (?:[^\n]* expected$|[^\n]*(?:illegal start of|not a statement|orphaned|reached end of file|unclosed))/m;
const ofNewer = /: error: [^\n]*(?:'_'|underscore|must be first statement|unnamed classes)/;

const libraries: ReadonlyMap<string, string> = new Map(
  [
    [
      '19',
      'Thread.ofVirtual Thread.ofPlatform Thread.startVirtualThread Thread.isVirtual Executors.newVirtualThreadPerTaskExecutor',
    ],
    ['19', 'HashMap.newHashMap HashSet.newHashSet Locale.of Duration.between'],
    ...[
      'List',
      'ArrayList',
      'LinkedList',
      'Deque',
      'ArrayDeque',
      'LinkedHashSet',
      'SortedSet',
      'TreeSet',
      'SequencedCollection',
    ].map((type): [string, string] => [
      '21',
      ['getFirst', 'getLast', 'removeFirst', 'removeLast', 'addFirst', 'addLast', 'reversed']
        .map((name) => `${type}.${name}`)
        .join(' '),
    ]),
    [
      '21',
      'LinkedHashMap.firstEntry LinkedHashMap.lastEntry LinkedHashMap.reversed LinkedHashMap.pollFirstEntry Math.clamp',
    ],
    [
      '21',
      'StringBuilder.repeat StringBuffer.repeat String.splitWithDelimiters Character.isEmoji Collections.shuffle',
    ],
    ['24', 'Stream.gather'],
  ].flatMap(([version = '', names = '']) =>
    names.split(' ').map((name): [string, string] => [name, version]),
  ),
);
const classes: ReadonlyMap<string, string> = new Map([
  ['SequencedCollection', '21'],
  ['SequencedMap', '21'],
  ['SequencedSet', '21'],
  ['StructuredTaskScope', '21'],
  ['ScopedValue', '21'],
  ['Gatherers', '24'],
  ['Gatherer', '24'],
]);

export interface JavaEnd {
  /** The compiler's whole output. */
  readonly diagnostics: readonly string[];
  readonly files: readonly GateFile[];
  readonly newer: readonly NewerSyntax[];
  readonly version: string | null;
}

/**
 * @returns the sentence with the Java version that a diagnostic needs; null if the version is not
 * the cause
 */
export function newerJava(
  text: string,
  { diagnostics, files, newer, version }: JavaEnd,
): string | null {
  const path = pathOf(text);
  if (path === undefined) return null;
  const found = newer.find((one) => one.path === path && isNewerThan(one.since, version));
  const isUnavailable = (): boolean =>
    diagnostics.some((one) => ofParser.test(one) && pathOf(one) === path);
  if (found !== undefined && (preview.test(text) || ofNewer.test(text) || isUnavailable()))
    return needs(found.since.join('.'), `${path}: ${found.what}`);
  if (preview.test(text))
    return 'The code uses syntax that the installed Java has as a preview only.';
  const [, kind, name] = /\n\s+symbol: +(method|class|variable) (\w+)/.exec(text) ?? [];
  if (kind === undefined || name === undefined || !/: error: cannot find symbol/.test(text))
    return null;
  const [, place] =
    /\n\s+location: +(?:class|interface|variable \w+ of type) ([\w.]+)/.exec(text) ?? [];
  const owner = place?.slice(place.lastIndexOf('.') + 1);
  if (owner !== undefined && isOwn(owner, files))
    return kind === 'class' && classes.has(name) ? needs(classes.get(name) ?? '', name) : null;
  const since = kind === 'class' ? classes.get(name) : libraries.get(`${owner}.${name}`);
  if (since !== undefined) return needs(since, owner === undefined ? name : `${owner}.${name}`);
  const requiredJava = declaredJava(files);
  return requiredJava !== null && isNewerThan([requiredJava], version)
    ? needs(String(requiredJava), 'the code, by its build file,')
    : null;
}

const pathOf = (text: string): string | undefined =>
  /^\.\/([^\n]*?\.java):\d+: error: /.exec(text)?.[1];

const needs = (version: string, what: string): string =>
  `${what} needs Java ${version}, which is newer than the installed one.`;

const isOwn = (name: string, files: readonly GateFile[]): boolean =>
  files.some(({ content }) =>
    new RegExp(`\\b(?:class|interface|enum|record)\\s+${name}\\b`).test(content),
  );

/** The version in a build file of Maven or Gradle. */
function declaredJava(files: readonly GateFile[]): number | null {
  for (const { path, content } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const form =
      name === 'pom.xml'
        ? /<(?:maven\.compiler\.(?:release|source|target)|java\.version|release)>\s*(\d+)\s*</
        : /^build\.gradle(?:\.kts)?$/.test(name)
          ? /(?:sourceCompatibility|languageVersion|release)[^\n\d]{0,60}(\d+)/
          : null;
    const found = form?.exec(content)?.[1];
    if (found !== undefined) return Number(found);
  }
  return null;
}
