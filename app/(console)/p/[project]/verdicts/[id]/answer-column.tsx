import { VerdictMark } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import type { VerdictDetail } from '@/app/_trpc/outputs';
import { answerOf, splitAtFigures } from './answer-pieces';
import { FigureMark } from './figure-mark';
import { Block, LongText, textClass } from './block';

const noFigures: [] = [];

export function AnswerColumn({ verdict }: { verdict: VerdictDetail }) {
  const { integrity, turn } = verdict;
  const output = turn?.output ?? '';
  const figures = integrity?.figures ?? noFigures;
  const answer = answerOf(output, figures);
  const sourced = figures.filter((figure) => figure.sourced).length;
  return (
    <div className="grid content-start gap-4">
      <Block
        title="Answer"
        aside={
          figures.length > 0 ? (
            <span className="text-12 flex flex-wrap gap-x-3">
              <VerdictMark state="passed" word={`${sourced} sourced`} size={11} />
              {sourced < figures.length ? (
                <VerdictMark
                  state="failed"
                  word={`${figures.length - sourced} unsourced`}
                  size={11}
                />
              ) : null}
            </span>
          ) : null
        }
      >
        {turn === null ? (
          <p className="text-ink-2">The turn is no longer stored; its verdict and figures are.</p>
        ) : output === '' ? (
          <p className="text-ink-3">Empty answer</p>
        ) : answer === null ? (
          <>
            <p className="text-12 text-ink-3 pb-2">
              The figures' positions do not fit this text, so they are not marked in it.
            </p>
            <LongText text={output} />
          </>
        ) : (
          <div className={`${textClass} text-14`}>
            {splitAtFigures(answer, figures).map((piece, index) => {
              const figure = piece.figure === null ? undefined : figures[piece.figure];
              return figure && piece.figure !== null ? (
                <FigureMark key={index} figure={figure} index={piece.figure} />
              ) : (
                <VisibleText key={index} text={piece.text} />
              );
            })}
          </div>
        )}
      </Block>
      {integrity ? <Delivered integrity={integrity} answer={answer} /> : null}
    </div>
  );
}

function Delivered({
  integrity,
  answer,
}: {
  integrity: NonNullable<VerdictDetail['integrity']>;
  answer: string | null;
}) {
  return (
    <>
      <Block title="Delivered text">
        {integrity.answer === answer ? (
          <p className="text-ink-2">Delivered unchanged: no figure had to be marked.</p>
        ) : (
          <LongText text={integrity.answer} />
        )}
        {integrity.sources_footer === '' ? null : (
          <div className="border-line mt-3 border-t pt-3">
            <h3 className="text-12 text-ink-3 pb-1">Sources footer</h3>
            <LongText text={integrity.sources_footer} />
          </div>
        )}
      </Block>
      {integrity.reprompt === null ? null : (
        <Block title="Corrective message">
          <p className="text-12 text-ink-3 pb-2">
            {integrity.reprompt_used ? 'Sent to the model once.' : 'Not sent to the model yet.'}
          </p>
          <LongText text={integrity.reprompt} />
        </Block>
      )}
    </>
  );
}
