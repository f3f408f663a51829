'use client';

import { useMemo } from 'react';
import type { Score } from '@/server/domain';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { LongText, textClass } from '../block';
import { type QuotePiece, type QuoteSpan, splitAtQuotes } from './quote-pieces';
import { scoreId, useQuoteLinking } from './quote-linking';

interface QuotedTextProps {
  /** The prefix of references to it. */
  name: string;
  text: string;
  spans: readonly QuoteSpan[];
  scores: readonly Score[];
}

/** An untrusted text in which each quoted passage links to its score. */
export function QuotedText({ name, text, spans, scores }: QuotedTextProps) {
  const pieces = useMemo(() => splitAtQuotes(text, spans), [text, spans]);
  if (text === '') return <p className="text-ink-3">Empty</p>;
  if (pieces.every((piece) => piece.scores.length === 0)) return <LongText text={text} />;
  return (
    <div className={`${textClass} text-14`}>
      {pieces.map((piece, index) =>
        piece.scores.length === 0 ? (
          <VisibleText key={index} text={piece.text} />
        ) : (
          <QuoteMark key={index} place={`${name}:${piece.from}`} piece={piece} scores={scores} />
        ),
      )}
    </div>
  );
}

function QuoteMark({
  place,
  piece,
  scores,
}: {
  place: string;
  piece: QuotePiece;
  scores: readonly Score[];
}) {
  const { active, toScore } = useQuoteLinking();
  const [first = 0] = piece.scores;
  const met = scores[first]?.met ?? null;
  const ground =
    met === false
      ? 'bg-fail-wash border-fail border-b-2 border-dotted'
      : met
        ? 'bg-pass-wash border-pass border-b'
        : 'bg-sunken border-ink-3 border-b';
  const names = piece.scores
    .map((score) => `“${plainText(scores[score]?.name ?? '').slice(0, 80)}”`)
    .join(', ');
  return (
    // A link and not a button, since a button does not flow with the text around it.
    <a
      href={`#${scoreId(first)}`}
      data-quote={place}
      data-scores={piece.scores.join(' ')}
      onClick={(event) => {
        event.preventDefault();
        toScore(piece.scores);
      }}
      className={`${ground} rounded-t-4 px-0.5 [box-decoration-break:clone] ${active !== null && piece.scores.includes(active) ? 'ring-accent ring-1' : ''}`}
    >
      {met === null ? null : (
        <span className="mr-1 inline-block align-[-1px]">
          <VerdictIcon state={met ? 'passed' : 'failed'} size={11} />
        </span>
      )}
      <VisibleText text={piece.text} />
      <span className="sr-only">{`, quoted for ${names}, ${met === null ? 'not decided' : met ? 'met' : 'not met'}, go to the reasoning`}</span>
    </a>
  );
}
