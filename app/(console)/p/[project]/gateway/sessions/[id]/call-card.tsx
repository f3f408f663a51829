import Link from 'next/link';
import type { SessionCall } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { durationText } from '../../../traces/amounts';
import { reasonWords, turnsText, verdictWords } from '../../gateway-words';
import { EpisodePart } from './episode-part';

interface CallCardProps {
  project: string;
  call: SessionCall;
  /** Turns between verifications; null means no counter. */
  every: number | null;
}

/** One call: its mark is on the timeline. A verified call shows the verifier's finding. */
export function CallCard({ project, call, every }: CallCardProps) {
  const { state, word } = verdictWords[call.verdict];
  const { reason } = call;
  return (
    <li
      id={call.id}
      data-call={call.id}
      tabIndex={-1}
      aria-label={`${word}${reason === null ? '' : `, ${reasonWords[reason]}`}`}
      className="group grid min-w-0 scroll-mt-4 grid-cols-[20px_minmax(0,1fr)] gap-x-3 focus-visible:outline-offset-2"
    >
      <div aria-hidden="true" className="flex flex-col items-center">
        <span className="flex h-7 items-center">
          <VerdictIcon state={state} size={16} />
        </span>
        <span className="bg-line-strong/50 w-px flex-1 group-last:hidden" />
      </div>
      <div className="grid min-w-0 content-start gap-2 pb-4">
        <header className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-0.5">
          <h2
            className={`text-13 ${call.verdict === 'not_verified' ? 'font-normal' : 'font-semibold'}`}
          >
            {word}
          </h2>
          {reason === null ? null : <span className="text-ink-2">{reasonWords[reason]}</span>}
          {call.status === 200 ? null : <span className="text-ink-2">status {call.status}</span>}
          {call.partial ? <span className="text-ink-2">broke off</span> : null}
          <span className="text-12 text-ink-3 flex min-w-0 flex-wrap gap-x-3">
            {call.model === null ? null : (
              <code className="min-w-0 font-mono [overflow-wrap:anywhere]">
                <VisibleText text={call.model} />
              </code>
            )}
            <span>{call.stream ? 'streamed' : 'in one piece'}</span>
            {call.units === 0 ? null : (
              <span>
                counted {turnsText(call.units)}, then at {turnsText(call.counter)}
                {every === null ? '' : ` of ${every.toLocaleString('en')}`}
              </span>
            )}
            <span>took {durationText(call.durationMs)}</span>
            {call.inputTokens === null && call.outputTokens === null ? null : (
              <span>
                {(call.inputTokens ?? 0).toLocaleString('en')} tokens in,{' '}
                {(call.outputTokens ?? 0).toLocaleString('en')} out
              </span>
            )}
            {call.deliveryDelayMs === null ? null : (
              <span>delayed {durationText(call.deliveryDelayMs)}</span>
            )}
          </span>
          <span className="text-12 text-ink-3 ml-auto flex flex-wrap items-baseline gap-x-3">
            {call.verificationId === null ? null : (
              <Link
                href={`/p/${project}/verdicts/${encodeURIComponent(call.verificationId)}`}
                prefetch={false}
                className="underline"
              >
                Verdict
              </Link>
            )}
            {call.turnId === null ? null : (
              <Link
                href={`/p/${project}/turns/${encodeURIComponent(call.turnId)}`}
                prefetch={false}
                className="underline"
              >
                Turn
              </Link>
            )}
            <Moment at={call.at} />
          </span>
        </header>
        <CallText call={call} />
        {call.episode === null ? null : (
          <EpisodePart episode={call.episode} delivered={call.texts?.answer ?? null} />
        )}
        {call.integrity === null ? null : <IntegrityLine integrity={call.integrity} />}
      </div>
    </li>
  );
}

/** One line each of the request and the answer: the turn's page has the full text. */
function CallText({ call: { texts, episode, turnId, truncated } }: { call: SessionCall }) {
  if (texts === null)
    return turnId === null ? null : (
      <p className="text-ink-3">The messages are not stored yet, or cannot be read.</p>
    );
  return (
    <dl className="grid min-w-0 grid-cols-[56px_minmax(0,1fr)] gap-x-3">
      {texts.question === null ? null : <Line name="Request" text={texts.question} />}
      {episode?.steer ? null : <Line name="Answer" text={texts.answer} />}
      {truncated ? (
        <>
          <dt />
          <dd className="text-12 text-ink-3">Only its beginning is stored.</dd>
        </>
      ) : null}
    </dl>
  );
}

function Line({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt className="text-12 text-ink-3 leading-5">{name}</dt>
      <dd className="min-w-0 truncate [unicode-bidi:isolate]">
        {text === '' ? (
          <span className="text-ink-3">empty</span>
        ) : (
          <VisibleText text={text.slice(0, 300).toWellFormed()} />
        )}
      </dd>
    </>
  );
}

function IntegrityLine({ integrity }: { integrity: NonNullable<SessionCall['integrity']> }) {
  const {
    integrity_unsourced: unsourced,
    integrity_reprompt_used: isReprompted,
    integrity_mode: mode,
    retries,
  } = integrity;
  const figures =
    unsourced === 0
      ? 'every figure has a source'
      : unsourced === 1
        ? '1 figure without a source, marked'
        : `${unsourced} figures without a source, marked`;
  return (
    <p className="text-12 text-ink-2">
      Integrity: {figures}
      {mode === 'envelope' ? ', by the envelope' : ', by the text'}
      {isReprompted ? ', asked once to cite sources' : ''}
      {retries === 0 ? '' : `, ${retries} ${retries === 1 ? 'retry' : 'retries'}`}.
    </p>
  );
}
