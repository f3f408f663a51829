import {
  artifacts,
  chineseArtifacts,
  creationVerbs,
  greeting,
  languageNames,
  makesNew,
  noOrder,
  nounAfter,
  nounBefore,
  otherThings,
  phraseEnds,
  phraseSkips,
  phraseTargets,
  programList,
  readIntent,
  verbLast,
} from './vocabulary';
import { looksLikeFile } from './mentions';

/** Whether a request creates something, and the reason if it does not (QEL-1, QEL-2). */
export interface Activation {
  readonly active: boolean;
  readonly reason: 'empty' | 'read_intent' | 'no_creation' | null;
}

/** Maximum verbs checked: a request states its purpose early. */
const VERBS_MAX = 64;
/** Maximum words, and code units, between a verb and its object. */
const WORDS_MAX = 14;
const PHRASE_CHARS = 160;
const BEFORE_CHARS = 40;

/**
 * A request is active if it orders an artifact: a creation verb, and the noun, file or language
 * that names the artifact. A message that begins like a question counts as one regardless of the
 * rest (QEL-2).
 * @param hasWork whether the request names a deliverable file or a framework: that replaces the
 * noun after a verb
 */
export function findActivation(request: string, hasWork: () => boolean): Activation {
  const start = greeting.exec(request)?.[0].length ?? 0;
  if (start >= request.length) return { active: false, reason: 'empty' };
  if (readIntent.test(request.slice(start, start + PHRASE_CHARS)))
    return { active: false, reason: 'read_intent' };
  let verbs = 0;
  let open = false;
  for (const { 0: verb, index } of request.matchAll(creationVerbs)) {
    if (++verbs > VERBS_MAX) break;
    if (!isOrder(request, index, verb)) continue;
    const created = createdBy(request, index, verb);
    if (created === 'artifact') return { active: true, reason: null };
    open ||= created === null;
  }
  return open && hasWork()
    ? { active: true, reason: null }
    : { active: false, reason: 'no_creation' };
}

function isOrder(request: string, at: number, verb: string): boolean {
  const before = request.slice(Math.max(0, at - BEFORE_CHARS), at);
  const after = request.slice(at + verb.length, at + verb.length + BEFORE_CHARS);
  if (noOrder.test(before) || nounAfter.test(after)) return false;
  if (/^make$/i.test(verb) && !makesNew.test(after)) return false;
  return !/^(?:build|make|scaffold)$/i.test(verb) || !nounBefore.test(before);
}

type Created = 'artifact' | 'other' | null;

function createdBy(request: string, at: number, verb: string): Created {
  const end = at + verb.length;
  const phrase = request.slice(end, end + PHRASE_CHARS);
  if (/[一-鿿]/.test(verb)) {
    const sentence = firstSentence(phrase);
    return chineseArtifacts.test(sentence) || looksLikeFile(sentence) ? 'artifact' : null;
  }
  const created = readPhrase(phrase);
  if (created !== null || !verbLast.test(verb)) return created;
  return readPhrase(lastSentence(request.slice(Math.max(0, at - PHRASE_CHARS), at)));
}

/**
 * Reads the words that name the artifact: the last noun decides, so a class schedule is not a
 * class.
 */
function readPhrase(phrase: string): Created {
  let kind: Created = null;
  let count = 0;
  let target = false;
  for (const { 0: text } of phrase.matchAll(/\n\s*\n|[.!?;]\s|[^\s,:()]+/g)) {
    if (/^[\n.!?;]/.test(text) && !/^\.\w/.test(text)) break;
    const word = bareWord(text);
    if (word === '') continue;
    if (looksLikeFile(word)) return 'artifact';
    if (target) return kind === null && languageNames.has(word.toLowerCase()) ? 'artifact' : kind;
    // A route in the phrase implies a handler for it.
    if (/^\/[a-z]/i.test(word)) return 'artifact';
    if (/^(?:GET|POST|PUT|PATCH|DELETE)$/.test(word)) continue;
    const lower = word.toLowerCase();
    if (phraseEnds.has(lower)) {
      if (kind === 'artifact') return kind;
      if (phraseTargets.has(lower) && count > 0) target = true;
      else if (count > 0 || !phraseSkips.has(lower)) return kind;
      continue;
    }
    if (/^(?:and|or|und|et|y)$/.test(lower) && kind === 'artifact') return kind;
    kind = kindOf(lower) ?? kind;
    if (++count >= WORDS_MAX) break;
  }
  return kind === 'other' && programList.test(phrase) ? 'artifact' : kind;
}

function kindOf(word: string): Created {
  if (otherThings.has(word)) return 'other';
  // The last part of a compound decides: Flask-API, React-Komponente, CLI/API.
  const last = word.slice(Math.max(word.lastIndexOf('-'), word.lastIndexOf('/')) + 1);
  return artifacts.has(word) || artifacts.has(last) ? 'artifact' : null;
}

function bareWord(text: string): string {
  return text.replace(/^[`"'“”‘’«»*_[<]+|[`"'“”‘’«»*_\]>.!?;]+$/g, '');
}

function firstSentence(text: string): string {
  return text.split(/[。!?!?\n]/, 1)[0] ?? '';
}

function lastSentence(text: string): string {
  return text.split(/[.!?\n]\s/).at(-1) ?? '';
}
