import { useMemo, useState } from 'react';
import type { CheckpointView } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { VerdictMark } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { Block, LongText, textClass } from '../block';
import { ClaimItem, ClaimMark, outputId } from './claim-mark';
import { splitAtClaims } from './claim-pieces';
import { ScoreBars } from './score-bars';
import { claimStyles } from './words';

export type Synthesis = Extract<CheckpointView, { kind: 'synthesis' }>;

/** The request, and the outputs that the answer may use. */
export function SourceBlocks({ synthesis: { query, outputs } }: { synthesis: Synthesis }) {
  return (
    <>
      <Block title="Query">
        {query === '' ? <p className="text-ink-3">No request.</p> : <LongText text={query} />}
      </Block>
      {outputs.length === 0 ? (
        <p className="text-ink-2">
          The call contained no agent output, so nothing could be traced.
        </p>
      ) : null}
      {outputs.map(({ id, agent, summary, data }, at) => (
        <div
          key={at}
          id={outputId(at)}
          tabIndex={-1}
          className="target:ring-accent rounded-8 target:ring-2"
        >
          <Block
            title={
              <code className="text-12 font-mono">
                <VisibleText text={id} />
              </code>
            }
            aside={
              agent === null ? null : (
                <span className="text-12 text-ink-3 [overflow-wrap:anywhere]">
                  <VisibleText text={agent} />
                </span>
              )
            }
          >
            <div className="grid gap-2">
              {summary === '' ? null : <LongText text={summary} />}
              {data === null ? null : <LongText text={data} mono />}
            </div>
          </Block>
        </div>
      ))}
    </>
  );
}

/** The answer with each claim marked, and the substitute if it fails. */
export function AnswerBlock({
  synthesis,
  isSettled,
}: {
  synthesis: Synthesis;
  isSettled: boolean;
}) {
  const { answer, claims, fallback } = synthesis;
  const pieces = useMemo(() => splitAtClaims(answer, claims), [answer, claims]);
  const absent = claims.length - pieces.filter(({ claim }) => claim !== null).length;
  return (
    <>
      <Block title="Answer" aside={<ClaimCounts claims={claims} />}>
        {answer === '' ? (
          <p className="text-ink-3">Empty answer</p>
        ) : (
          <div className={`${textClass} text-14`}>
            {pieces.map(({ text, claim }, at) => {
              const found = claim === null ? undefined : claims[claim];
              return found && claim !== null ? (
                <ClaimMark key={at} claim={found} index={claim} />
              ) : (
                <VisibleText key={at} text={text} />
              );
            })}
          </div>
        )}
        {absent === 0 ? null : (
          <p className="text-12 text-ink-3 pt-2">
            {absent} of the claims {absent === 1 ? 'does' : 'do'} not occur in it word for word, and{' '}
            {absent === 1 ? 'is' : 'are'} not marked.
          </p>
        )}
        {isSettled && claims.length === 0 && answer !== '' ? (
          <p className="text-ink-2 pt-2">No claim was found in it.</p>
        ) : null}
      </Block>
      {fallback === null ? null : (
        <Block title="Delivered in its place">
          <div className="grid gap-2">
            <LongText text={fallback.warning} />
            <p className="text-ink-2 [overflow-wrap:anywhere]">
              <VisibleText text={fallback.reason} />
            </p>
            <p className="text-12 text-ink-3">
              The outputs of the agents are delivered with it, unchanged.
            </p>
          </div>
        </Block>
      )}
    </>
  );
}

function ClaimCounts({ claims }: Pick<Synthesis, 'claims'>) {
  const counts = (['supported', 'unsupported', 'undecided'] as const).map(
    (state) => [state, claims.filter((claim) => claim.state === state).length] as const,
  );
  return (
    <span className="text-12 flex flex-wrap gap-x-3">
      {counts.map(([state, count]) =>
        count === 0 ? null : (
          <VerdictMark
            key={state}
            state={claimStyles[state].state}
            word={`${count} ${claimStyles[state].word}`}
            size={11}
          />
        ),
      )}
    </span>
  );
}

/** Traceability decides the verdict; the other two are informational (SOAR-23). */
export function SynthesisCard({
  synthesis: { traceability, coherence, completeness, claims },
}: {
  synthesis: Synthesis;
}) {
  const supported = claims.filter(({ state }) => state === 'supported').length;
  return (
    <Block title="Scores">
      <ScoreBars
        label="Scores"
        bars={[
          {
            name: 'traceability',
            value: traceability,
            note: `${supported} of ${claims.length} claims supported`,
          },
          { name: 'coherence', value: coherence, note: 'informational' },
          { name: 'completeness', value: completeness, note: 'informational' },
        ]}
      />
    </Block>
  );
}

/** Claims shown before the list is expanded. */
const shownClaims = 60;

/** Each claim with its support, and the reason for its state. */
export function ClaimsBlock({ synthesis: { claims, outputs } }: { synthesis: Synthesis }) {
  const [all, setAll] = useState(false);
  const places = useMemo(() => new Map(outputs.map(({ id }, at) => [id, at])), [outputs]);
  if (claims.length === 0) return null;
  return (
    <Block
      title="Claims"
      aside={<span className="text-12 text-ink-3">{claims.length.toLocaleString('en')}</span>}
    >
      <ol aria-label="Claims" className="grid gap-3">
        {(all ? claims : claims.slice(0, shownClaims)).map((claim, at) => (
          <ClaimItem key={at} claim={claim} index={at} places={places} />
        ))}
      </ol>
      {!all && claims.length > shownClaims ? (
        <div className="pt-3">
          <Button onClick={() => setAll(true)}>
            Show all {claims.length.toLocaleString('en')} claims
          </Button>
        </div>
      ) : null}
    </Block>
  );
}
