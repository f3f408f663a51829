import type { NearbyWords, Framework } from './framework';
import { frameworks } from './table';

/** A framework that a request names for use. */
export interface RequestedFramework {
  readonly framework: Framework;
  /** Position of its name in the request, in code units. */
  readonly at: number;
  /** Whether it is the previous or current framework, if another one is requested. */
  readonly left: boolean;
  /** Whether it follows "for": a Dockerfile for a Flask app is not written in Flask. */
  readonly aim: boolean;
}

/** Right after a name that is also a word: marks it as a name (QEL-9). */
const neighbour =
  /^[\s-]{1,3}(?:rest(?:ful)?\s+)?(?:apis?|apps?|applications?|servers?|frameworks?|projects?|components?|services?|back-?ends?|front-?ends?|routers?|routes?|middlewares?|endpoints?|controllers?|hooks?|websites?|sites?|web|microservices?|handlers?|code|crud|templates?|blueprints?|models?|migrations?|schemas?|views?|workers?|plugins?|modules?|pages?|forms?|dashboards?|boilerplate|starter)\b/i;

/** Right before such a name: also marks it as a name. */
const neighbourBefore =
  /\b(?:middlewares?|routers?|routes?|apis?|servers?|apps?|handlers?|endpoints?|backends?|frontends?|plugins?|controllers?|services?)\s+(?:for|in|with|using|on)\s+$/i;

/** Right before a name: it is the previous or current framework, if another one is requested. */
const left =
  /\b(?:migrat(?:e|ing)|convert(?:ing)?|port(?:ing)?|rewrit(?:e|ing)|mov(?:e|ing)|switch(?:ing)?|upgrad(?:e|ing))(?:\s+(?:the|this|our|my|an?|existing|old)){0,2}\s+$|\b(?:our|my|the|existing)\s+(?:[a-z-]{1,20}\s+)?(?:is|are|runs?|uses?|was)\s+(?:(?:built|written|made)\s+)?(?:with\s+|in\s+|on\s+)?$/i;
/** Right before a name: it is not to be used, even if the request names it again. */
const forbidden =
  /(?:\b(?:not|without|never|avoid|instead\s+of|rather\s+than)|n['’]t)(?:\s+(?:the|an?|use|using|any|plain)){0,2}\s+$/i;

/** Right before a name: it is mentioned as forbidden or as already present. */
const refused =
  /(?:\b(?:not|instead\s+of|rather\s+than|without|no|replac(?:e|es|ing)|from|like|unlike|similar\s+to|than|vs\.?|versus|drop|remove|removing|avoid|never)|n['’]t)(?:\s+(?:the|an?|our|my|any|existing|old|use|using|import|plain|legacy)){0,3}\s+$/i;
/** Right after a name: the name is only a comparison. */
const compared = /^(?:-|\s)(?:like|style|inspired|esque)\b/i;

/** A name at the start of a sentence, a line or a list item is capitalized anyway. */
const sentenceStart =
  /(?:^|[.!?:\n]["')*`]{0,3}\s{0,4}(?:[-*•>#]{1,6}\s{1,3}|\d{1,3}[.)]\s{1,3})?["'(*]{0,3})$/;

/**
 * Next to a name that is also a word: it is the name of a class or similar, not of the framework.
 */
const namedBefore =
  /\b(?:class(?:es)?|structs?|interfaces?|traits?|enums?|types?|objects?|records?|functions?|methods?|components?|modules?|called|named)\s+[`"'*]{0,3}$/i;
const namedAfter =
  /^[`"'*]{0,3}\s+(?:class(?:es)?|structs?|interface|trait|enum|record|object|instance|type)\b/i;

/** Maximum characters read next to a name. */
const BESIDE_CHARS = 40;
/** Maximum names evaluated: a request has a handful, and hundreds would be too expensive. */
const HITS_MAX = 100;

const bySpelling: ReadonlyMap<string, Framework> = new Map(
  frameworks.flatMap((framework) =>
    [framework.name, ...framework.aliases].map((each): [string, Framework] => [
      bare(each),
      framework,
    ]),
  ),
);

/**
 * A name with each joint in place of its blanks: plain words match faster than a pattern for each.
 */
function spellings(name: string): string[] {
  return name.includes(' ')
    ? ['', ' ', '-', '.', '_'].map((joint) => name.replaceAll(' ', joint))
    : [name];
}

/** All names and spellings; of two with the same beginning the longer is tried first. */
export const frameworkNames = new RegExp(
  String.raw`\b(?:${frameworks
    .flatMap(({ name, aliases }) => [name, ...aliases])
    .flatMap(spellings)
    .sort((a, b) => b.length - a.length)
    .map((each) => each.replaceAll('.', String.raw`\.`))
    .join('|')})(?!\w)`,
  'gi',
);

/**
 * Frameworks that a request names and does not refuse, in the order of their first mention (QEL-8,
 * QEL-9). Linear.
 */
export function listRequestedFrameworks(request: string): RequestedFramework[] {
  const found = new Map<Framework, number>();
  const not = new Set<Framework>();
  const hinted = hintsOf(request);
  let hits = 0;
  for (const match of request.matchAll(frameworkNames)) {
    const framework = bySpelling.get(bare(match[0]));
    if (framework === undefined) continue;
    if (++hits > HITS_MAX) break;
    if (forbidden.test(request.slice(Math.max(0, match.index - BESIDE_CHARS), match.index)))
      not.add(framework);
    if (found.has(framework) || not.has(framework)) continue;
    if (isMeant(request, match.index, match[0], framework, hinted))
      found.set(framework, match.index);
  }
  for (const framework of not) found.delete(framework);
  return [...found].map(([framework, at]) => {
    const before = request.slice(Math.max(0, at - BESIDE_CHARS), at);
    return {
      framework,
      at,
      left: left.test(before),
      aim: /\b(?:for|für|pour|para)\s+(?:an?\s+|the\s+|our\s+|my\s+|existing\s+|eine\s+|une\s+|una\s+)*$/i.test(
        before,
      ),
    };
  });
}

function isMeant(
  request: string,
  at: number,
  text: string,
  framework: Framework,
  hinted: (hint: RegExp) => boolean,
): boolean {
  const before = request.slice(Math.max(0, at - BESIDE_CHARS), at);
  const after = request.slice(at + text.length, at + text.length + BESIDE_CHARS);
  // Part of a path, an address or a package name.
  if (/[\w/@\\]$|[\w]\.$|-$/.test(before) || /^(?:\/|\.\w|-\w{1,20}\/)/.test(after))
    return framework.name === 'NestJS' && before.endsWith('@');
  if (refused.test(before) || compared.test(after)) return false;
  const { guard, name } = framework;
  // An alias ("express.js") is not a word; a plural is not a name.
  if (guard === undefined || bare(text) !== bare(name)) return true;
  if (
    isSurrounded(guard.other, before, after) ||
    namedBefore.test(before) ||
    namedAfter.test(after)
  )
    return false;
  if (text === name && !sentenceStart.test(before)) return true;
  if (/\b(?:use|using)\s+$/i.test(before) && !/^\s+to\b/i.test(after)) return true;
  if (isSurrounded(guard.word, before, after)) return false;
  return neighbour.test(after) || neighbourBefore.test(before) || hinted(guard.hint);
}

/** Whether a language is named anywhere, looked up once for each. */
function hintsOf(request: string): (hint: RegExp) => boolean {
  const known = new Map<RegExp, boolean>();
  return (hint) => {
    const found = known.get(hint) ?? hint.test(request);
    known.set(hint, found);
    return found;
  };
}

function isSurrounded(
  { before, after }: NearbyWords,
  textBefore: string,
  textAfter: string,
): boolean {
  return (before?.test(textBefore) ?? false) || (after?.test(textAfter) ?? false);
}

/** A spelling without case and joints. */
function bare(spelling: string): string {
  return spelling.toLowerCase().replace(/[\s._-]/g, '');
}
