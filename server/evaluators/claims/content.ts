import { sentencesIn, type TextRange } from './sentences';
import { wordsIn } from './words';

const POLITE = new Set(
  `hello hi hey dear thank thanks welcome great good perfect okay ok yes course absolutely glad happy sorry apologies understand sum
   conclusion conclude short brief addition next first second third lastly hope help helps helpful assist question questions know let
   feel free anything else further need want like would can will any if more today answer patience enjoy regards sincerely wish best safe travel hallo danke gerne bonjour merci hola gracias`
    .split(/\s+/)
    .map((word) =>
      word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)
        ? word.slice(0, -1)
        : word,
    ),
);
/**
 * A polite closing. A sentence that also has a figure, a name in code or a verb that states
 * something is more than a closing.
 */
const OFFER =
  /\b(?:let me know|feel free|don['’]t hesitate|do not hesitate|happy to (?:help|assist)|here to (?:help|assist)|hope (?:this|that) helps|anything else|further assistance)\b/iu;
const OFFERED = /\bif (?:there(?:['’]s| is| are)|you)\b/giu;
const STATES = /\b(?:is|are|was|were|has|had|did|been|will|ist|sind|hat)\b/iu;
/** A statement followed by a question mark: "The index is restored, right?" */
const TAGGED =
  /,\s*(?:right|correct|no|yes|ok(?:ay)?|is(?:n['’]t)? it|aren['’]t they|don['’]t you think)\s*[?？]/iu;
const OPENER =
  /^[\s*_]*(?:here (?:is|are)|here['’]s|below (?:is|are)|these are|this is|the following)\b[^]*:[\s*_]*$/iu;
const QUESTION = /[?？][\s"'”’»)\]*_]*$/u;
const EXACT = /[\d`]/u;
const LONG = 400;

/**
 * Whether a sentence states anything that could be true or false: not a question, greeting,
 * transition or offer of more help.
 */
export function hasContent(text: string, stretch: TextRange): boolean {
  const sentence = text.slice(stretch.start, stretch.end);
  if (!/[\p{L}\p{N}]/u.test(sentence)) return false;
  if (sentence.length > LONG) return true;
  if (QUESTION.test(sentence)) return TAGGED.test(sentence);
  if (EXACT.test(sentence)) return true;
  if (OPENER.test(sentence)) return false;
  if (OFFER.test(sentence) && !STATES.test(sentence.replace(OFFERED, ''))) return false;
  return wordsIn(sentence, { start: 0, end: sentence.length }).some(
    ({ word, kind }) => kind === 'content' && !POLITE.has(word),
  );
}

/** The sentences of a range that state something. */
export const statementsIn = (text: string, stretch: TextRange): readonly TextRange[] =>
  sentencesIn(text, stretch).filter((each) => hasContent(text, each));
