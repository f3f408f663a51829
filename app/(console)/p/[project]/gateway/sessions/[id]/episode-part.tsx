import type { ReactNode } from 'react';
import type { SessionCall } from '@/app/_trpc/outputs';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { efficacyOf } from '@/server/domain';
import { costText, durationText } from '../../../traces/amounts';
import { LongText, textClass } from '../../../verdicts/[id]/block';
import { efficacyWords, steerWords } from '../../gateway-words';

type Episode = NonNullable<SessionCall['episode']>;
type Steer = NonNullable<Episode['steer']>;

interface EpisodePartProps {
  episode: Episode;
  /** Text of the answer that the client received; null if it is not stored. */
  delivered: string | null;
}

const decisionWords: Record<Episode['decision'], string> = {
  pass: 'The verifier passed it.',
  steer: 'The verifier objected.',
  verifier_failed: 'The verifier failed; the original was delivered.',
};

/** The verifier's finding on an answer, and the result of a steering note. */
export function EpisodePart({ episode, delivered }: EpisodePartProps) {
  const { decision, note, problem, steer } = episode;
  return (
    <section aria-label="Verification" className="bg-surface border-line rounded-8 min-w-0 border">
      <header className="border-line flex flex-wrap items-center gap-x-3 border-b px-3 py-1.5 last:border-0">
        <h3 className="text-13 font-semibold">{decisionWords[decision]}</h3>
        <JudgeCallFacts call={episode} />
      </header>
      {note === null && problem === null && steer === null ? null : (
        <div className="grid min-w-0 gap-3 p-3">
          {problem === null ? null : <Problem text={problem} />}
          {note === null ? null : <Note name="Note of the verifier" text={note} />}
          {steer === null ? null : <SteerPart steer={steer} delivered={delivered} />}
        </div>
      )}
    </section>
  );
}

function JudgeCallFacts({ call }: { call: Episode | NonNullable<Steer['after']> }) {
  return (
    <span className="text-12 text-ink-3 flex min-w-0 flex-wrap gap-x-3">
      {call.model === null ? null : (
        <code className="min-w-0 font-mono [overflow-wrap:anywhere]">{call.model}</code>
      )}
      <span>{durationText(call.latency_ms)}</span>
      {call.calls > 1 ? <span>{call.calls} calls</span> : null}
      <span>{call.cost_usd === null ? 'price not known' : costText(call.cost_usd)}</span>
      {call.prompt_version === null ? null : (
        <code className="font-mono">{call.prompt_version}</code>
      )}
    </span>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <p className="[overflow-wrap:anywhere]">
      <span className="text-12 text-ink-3">Problem</span> <VisibleText text={text} />
    </p>
  );
}

function Note({ name, text }: { name: string; text: string }) {
  return (
    <figure className="border-review grid min-w-0 gap-0.5 border-l-2 pl-3">
      <figcaption className="text-12 text-ink-3">{name}</figcaption>
      <p className={textClass}>
        <VisibleText text={text} />
      </p>
    </figure>
  );
}

function SteerPart({ steer, delivered }: { steer: Steer; delivered: string | null }) {
  const isApplied = steer.state === 'applied';
  return (
    <>
      <p className="text-ink-2">
        {steerWords[steer.state]}
        {steer.recall_ms === null ? null : (
          <span className="text-12 text-ink-3">
            {' '}
            The retry took {durationText(steer.recall_ms)}
            {steer.recall_cost_usd === null ? '' : `, ${costText(steer.recall_cost_usd)}`}.
          </span>
        )}
      </p>
      {steer.problem === null ? null : <Problem text={steer.problem} />}
      <div
        className={`grid min-w-0 items-start gap-3 ${steer.other_answer === null ? 'max-w-[960px]' : 'md:grid-cols-2'}`}
      >
        {isApplied ? (
          <Side name="Original, not delivered" text={steer.other_answer} />
        ) : (
          <Side name="Original, delivered" text={delivered} />
        )}
        {isApplied ? (
          <Side name="Steered, delivered" text={delivered} />
        ) : steer.other_answer === null ? null : (
          <Side name="Retry, not delivered" text={steer.other_answer} />
        )}
      </div>
      <Recheck steer={steer} />
    </>
  );
}

function Side({ name, text }: { name: string; text: string | null }): ReactNode {
  return (
    <section aria-label={name} className="border-line bg-page rounded-4 min-w-0 border">
      <h4 className="text-12 text-ink-2 border-line border-b px-3 py-1">{name}</h4>
      <div className="min-w-0 p-3">
        {text === null ? (
          <p className="text-ink-3">Not stored.</p>
        ) : text === '' ? (
          <p className="text-ink-3">Empty</p>
        ) : (
          <LongText text={text} />
        )}
      </div>
    </section>
  );
}

/** The verifier's recheck of the delivered answer. */
function Recheck({ steer }: { steer: Steer }) {
  const { after, unsourced_before: before, unsourced_after: now } = steer;
  const { state, word } = efficacyWords[efficacyOf(steer)];
  if (after === null && now === null)
    return <p className="text-ink-3">The answer was not rechecked.</p>;
  return (
    <div className="grid min-w-0 gap-2">
      <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-12 text-ink-3">Recheck</span>
        <span className="flex items-center gap-2">
          <VerdictIcon state={state} />
          {word}
        </span>
        {before === null || now === null ? null : (
          <span className="text-ink-2">
            figures without a source: {before} before, {now} after
          </span>
        )}
        {after === null ? null : <JudgeCallFacts call={after} />}
      </p>
      {after?.problem ? (
        <p className="text-ink-2 [overflow-wrap:anywhere]">
          <VisibleText text={after.problem} />
        </p>
      ) : null}
      {after === null || after.note === null ? null : (
        <Note name="Note of the recheck" text={after.note} />
      )}
    </div>
  );
}
