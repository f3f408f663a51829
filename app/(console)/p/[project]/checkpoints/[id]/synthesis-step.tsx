import type { PipelineData } from '@/app/_trpc/outputs';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { LongText, textClass } from '../../verdicts/[id]/block';
import { percentText, plainNumber } from '../../verdicts/[id]/subject/words';
import { attemptStatus } from '../checkpoint-words';
import { AttemptCard } from './attempt-card';
import { changeGround, ChangeMark } from './change-mark';
import { Attempts, Step } from './step';

type Attempt = PipelineData['syntheses'][number];

export function SynthesisStep({
  project,
  attempts,
}: {
  project: string;
  attempts: readonly Attempt[];
}) {
  const last = attempts.at(-1);
  if (last === undefined) {
    return (
      <Step name="Synthesis">
        <p className="text-ink-3">None was sent for verification.</p>
      </Step>
    );
  }
  return (
    <Step name="Synthesis" status={attemptStatus(last)}>
      <Attempts label="Attempts at the synthesis" count={attempts.length}>
        {attempts.map((attempt, index) => (
          <AttemptCard
            key={attempt.verdictId}
            project={project}
            name={`synthesis attempt ${index + 1}`}
            number={index + 1}
            attempt={attempt}
            measured={<span>{traceText(attempt)}</span>}
          >
            <Measured attempt={attempt} />
            <Unsupported claims={attempt.unsupported} />
            <Answer attempt={attempt} />
            {attempt.warning === null ? null : (
              <p className="[overflow-wrap:anywhere]">
                <span className="text-12 text-ink-3">Warning</span>{' '}
                <VisibleText text={attempt.warning} />
              </p>
            )}
            {attempt.fallback === null ? null : (
              <p className="[overflow-wrap:anywhere]">
                <span className="text-12 text-ink-3">
                  The agents’ outputs are delivered in its place
                </span>
                {attempt.fallback === '' ? null : ' '}
                <VisibleText text={attempt.fallback} />
              </p>
            )}
          </AttemptCard>
        ))}
      </Attempts>
    </Step>
  );
}

function traceText({ traceability, claims, state }: Attempt): string {
  if (state !== 'settled') return 'not judged yet';
  if (traceability === null) return 'traceability: no data';
  return `traceability ${percentText(traceability)}${claims.all === 0 ? '' : `, ${claims.supported} of ${claims.all} claims`}`;
}

function Measured({ attempt: { coherence, completeness } }: { attempt: Attempt }) {
  if (coherence === null && completeness === null) return null;
  return (
    <p className="text-12 text-ink-2">
      {[
        ...(coherence === null ? [] : [`Coherence ${plainNumber(coherence)}`]),
        ...(completeness === null ? [] : [`Completeness ${plainNumber(completeness)}`]),
      ].join(', ')}{' '}
      <span className="text-ink-3">(informational)</span>
    </p>
  );
}

function Unsupported({ claims }: { claims: Attempt['unsupported'] }) {
  if (claims.length === 0) return null;
  return (
    <div className="grid gap-1">
      <h4 className="text-12 text-ink-3">
        {claims.length === 1
          ? '1 claim without support'
          : `${claims.length} claims without support`}
      </h4>
      <ul className="grid gap-1">
        {claims.map((claim, index) => (
          <li key={index} className="grid min-w-0 grid-cols-[16px_minmax(0,1fr)] gap-x-2">
            <span className="flex h-5 items-center">
              <VerdictIcon state={claim.undecided ? 'inconclusive' : 'failed'} size={12} />
            </span>
            <span className="min-w-0 [overflow-wrap:anywhere] [unicode-bidi:isolate]">
              <span className="sr-only">{claim.undecided ? 'undecided: ' : 'unsupported: '}</span>
              <VisibleText text={claim.text} />
              {claim.reason === null ? null : (
                <span className="text-12 text-ink-3 block">
                  <VisibleText text={claim.reason} />
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Compared with the previous attempt if there is one: removed text stays, struck through. */
function Answer({ attempt: { answer, changes } }: { attempt: Attempt }) {
  if (changes === null)
    return answer === '' ? <p className="text-ink-3">No answer</p> : <LongText text={answer} />;
  const isSame = changes.every(({ state }) => state === 'same');
  return (
    <div className="grid gap-1">
      <h4 className="text-12 text-ink-3 flex flex-wrap gap-x-3">
        Changes from the previous attempt
        {isSame ? <span>nothing changed</span> : null}
        {changes.some(({ state }) => state === 'added') ? <ChangeMark change="added" /> : null}
        {changes.some(({ state }) => state === 'removed') ? <ChangeMark change="removed" /> : null}
      </h4>
      <p className={textClass}>
        {changes.map(({ text, state }, index) =>
          state === 'same' ? (
            <VisibleText key={index} text={text} />
          ) : state === 'added' ? (
            <ins key={index} className={`${changeGround('added')} underline decoration-1`}>
              <VisibleText text={text} />
            </ins>
          ) : (
            <del key={index} className={`${changeGround('removed')} line-through`}>
              <VisibleText text={text} />
            </del>
          ),
        )}
      </p>
    </div>
  );
}
