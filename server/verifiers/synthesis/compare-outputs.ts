import { dataText, splitClaims } from '../../evaluators/claims';
import type { FoundClaim } from './trace-claims';
import type { SynthesisSubject } from './subject';

/**
 * Comparisons of an answer with its outputs that need no judge: outputs that the answer never uses,
 * and claims that contradict an output. They have no effect on a verdict.
 */
export interface OutputComparison {
  /** Ids of outputs of which the answer repeats no figure and no content word. */
  readonly unused: readonly string[];
  readonly contradicted: readonly Contradiction[];
}

interface Contradiction {
  /** Index of the claim. */
  readonly claim: number;
  /** Id of the output. */
  readonly output: string;
  /** Its statement. */
  readonly statement: string;
}

/** Characters of an output and of the answer that are read; longer texts are not compared. */
const READ_MAX = 1_000_000;
const STATEMENT_WORDS = 4;
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[.,](?=\p{N}))*/gu;
const NEGATIONS: ReadonlySet<string> = new Set(
  `not no never none cannot nicht kein keine keinen nie pas jamais aucun aucune non mai nunca ningún não nunca niet geen nooit nie`.split(
    ' ',
  ),
);

export function compareOutputs(
  { query, answer, agent_outputs: outputs }: SynthesisSubject,
  claims: readonly FoundClaim[],
): OutputComparison {
  if (claims.length === 0) return { unused: [], contradicted: [] };
  const unused = answer.length > READ_MAX ? [] : unusedOf(query, answer, outputs, claims);
  return { unused, contradicted: contradictionsOf(outputs, claims) };
}

/** Ignores words of the query, since every output about it contains them. */
function unusedOf(
  query: string,
  answer: string,
  outputs: SynthesisSubject['agent_outputs'],
  claims: readonly FoundClaim[],
): readonly string[] {
  const queryWords = new Set(wordsOf(query));
  const answerWords = new Set(wordsOf(answer).filter((word) => !queryWords.has(word)));
  const named = new Set(claims.flatMap(({ claim }) => claim.supported_by));
  return outputs.flatMap(({ id, summary, data }) => {
    const text = `${summary} ${dataText(data)}`;
    if (named.has(id) || text.length > READ_MAX) return [];
    const own = wordsOf(text).filter((word) => !queryWords.has(word));
    return own.length > 0 && !own.some((word) => answerWords.has(word)) ? [id] : [];
  });
}

/** Figures, and words long enough to carry meaning. */
function wordsOf(text: string): string[] {
  return Array.from(text.normalize('NFKC').toLowerCase().matchAll(WORD), ([word]) => word).filter(
    (word) =>
      /^\p{N}/u.test(word) ||
      Array.from(word).length >
        (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word) ? 1 : 3),
  );
}

interface Stated {
  readonly output: string;
  readonly statement: string;
  readonly figures: string;
  readonly isDenied: boolean;
}

/**
 * An output contradicts a claim if it makes the same statement in the same words, but with other
 * figures or with a negation that the claim does not have, and no output makes the claim itself.
 */
function contradictionsOf(
  outputs: SynthesisSubject['agent_outputs'],
  claims: readonly FoundClaim[],
): readonly Contradiction[] {
  const stated = new Map<string, Stated[]>();
  for (const { id, summary, data } of outputs) {
    const text = typeof data === 'string' ? `${summary}\n\n${data}` : summary;
    for (const { text: statement, label } of text.length > READ_MAX ? [] : splitClaims(text)) {
      const frame = frameOf(statement);
      if (label !== null || frame === null) continue;
      stated.set(frame.key, [
        ...(stated.get(frame.key) ?? []).slice(0, 20),
        { output: id, statement, ...frame },
      ]);
    }
  }
  return claims.flatMap(({ claim }, i) => {
    const frame = claim.state === 'supported' ? null : frameOf(claim.text);
    const found = frame === null ? [] : (stated.get(frame.key) ?? []);
    const agrees = found.some(
      (each) => each.figures === frame?.figures && each.isDenied === frame.isDenied,
    );
    const [first] = agrees ? [] : found;
    return first === undefined
      ? []
      : [
          {
            claim: i,
            output: first.output,
            statement: first.statement.slice(0, 300).toWellFormed(),
          },
        ];
  });
}

/** A statement without its figures and negations; null if too little is left to recognize it. */
function frameOf(
  text: string,
): { readonly key: string; readonly figures: string; readonly isDenied: boolean } | null {
  const words = Array.from(
    text
      .slice(0, 2_000)
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/\bcannot\b|n['’]t\b/gu, (word) => (word === 'cannot' ? 'can not' : ' not'))
      .matchAll(WORD),
    ([word]) => word,
  );
  const figures = words.filter((word) => /^\p{N}/u.test(word));
  const negations = words.filter((word) => NEGATIONS.has(word));
  const contentWords = words
    .filter((word) => !NEGATIONS.has(word))
    .map((word) => (/^\p{N}/u.test(word) ? '#' : word));
  if (contentWords.filter((word) => word !== '#').length < STATEMENT_WORDS) return null;
  return {
    key: contentWords.join(' '),
    figures: figures.join(' '),
    isDenied: negations.length % 2 === 1,
  };
}
