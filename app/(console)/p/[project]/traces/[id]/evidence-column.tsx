import Link from 'next/link';
import type { TraceData, TraceTurn } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { VisibleText } from '@/app/_ui/visible-text';
import { MarkList } from '../../turns/mark-list';
import { SentScores } from '../../turns/sent-scores';
import { Why } from '../../turns/why';
import { Block, Facts } from '../../verdicts/[id]/block';
import { VerdictsByVerifier } from '../../verdicts/verdicts-by-verifier';
import { worstOf } from '../mark-styles';
import { shownState, wordOf } from '@/app/_ui/verdict-styles';
import { TurnFlags } from './turn-flags';

interface EvidenceColumnProps {
  project: string;
  data: TraceData;
  /** Names of spans, for references to them. */
  nameOf: (spanId: string) => string | null;
  selected: string | null;
  onSelect: (spanId: string) => void;
}

/** Items of the selected span itself need no reference. */
const noName = () => null;

/** Verdicts on the selected span's output, or why there are none; then notes on the whole trace. */
export function EvidenceColumn({ project, data, nameOf, selected, onSelect }: EvidenceColumnProps) {
  const turns = data.turns.filter((turn) => selected !== null && turn.spanId === selected);
  const notes = data.notes.filter((note) => note.spanId === selected);
  const scores = data.scores.filter(
    (score) => score.spanId === selected || turns.some((turn) => turn.id === score.turnId),
  );
  const otherScores = data.scores.filter((score) => !scores.includes(score));
  return (
    <div className="grid content-start gap-4">
      {turns.map((turn) => (
        <TurnBlock key={turn.id} project={project} turn={turn} />
      ))}
      {turns.length === 0 && selected !== null ? (
        <Block title="No turn">
          {notes.length === 0 ? (
            <p className="text-ink-2">
              This span has no turn: it is not an answer of a model to its caller, so there is
              nothing to verify.
            </p>
          ) : (
            <Notes notes={notes} nameOf={noName} onSelect={onSelect} />
          )}
        </Block>
      ) : null}
      {scores.length > 0 ? (
        <Block title="Sent scores">
          <SentScores scores={scores} />
        </Block>
      ) : null}
      {data.trace === null ? null : (
        <VerdictsByVerifier project={project} of={{ trace: data.trace.id }} />
      )}
      <TurnList data={data} nameOf={nameOf} selected={selected} onSelect={onSelect} />
      {data.notes.length > notes.length ? (
        <Block title="Notes">
          <Notes
            notes={data.notes.filter((note) => note.spanId !== selected)}
            nameOf={nameOf}
            onSelect={onSelect}
          />
        </Block>
      ) : null}
      {otherScores.length > 0 ? (
        <Block title="Scores sent for other spans">
          <SentScores scores={otherScores} />
        </Block>
      ) : null}
      <TraceFacts project={project} data={data} />
    </div>
  );
}

function TurnBlock({ project, turn }: { project: string; turn: TraceTurn }) {
  return (
    <Block
      title="Verdicts"
      aside={
        <Link
          href={`/p/${project}/turns/${encodeURIComponent(turn.id)}`}
          className="text-12 underline"
        >
          Turn
        </Link>
      }
    >
      <TurnFlags superseded={turn.superseded} revision={turn.revision} />
      {turn.marks.length > 0 ? (
        <MarkList project={project} marks={turn.marks} revision={turn.revision} />
      ) : null}
      <h3 className={`text-12 text-ink-3 ${turn.marks.length > 0 ? 'pt-3' : ''}`}>
        {turn.marks.length > 0 ? 'Why it was verified' : 'Why there is no verdict'}
      </h3>
      <Why project={project} turnId={turn.id} verified={turn.marks.length > 0} />
    </Block>
  );
}

type Pointing = Pick<EvidenceColumnProps, 'nameOf' | 'onSelect'>;

/** Turns of the other spans, and turns sent separately that name this trace. */
function TurnList({
  data,
  nameOf,
  selected,
  onSelect,
}: Pick<EvidenceColumnProps, 'data' | 'selected'> & Pointing) {
  const others = data.turns.filter(
    (turn) => turn.spanId !== null && turn.spanId !== selected && !turn.superseded,
  );
  if (others.length === 0) return null;
  return (
    <Block title={`Other turns (${others.length.toLocaleString('en')})`}>
      <ul className="grid gap-1">
        {others.slice(0, 100).map((turn) => {
          const worst = worstOf(turn.marks.map((mark) => mark.state));
          return (
            <li key={turn.id}>
              <SpanLink spanId={turn.spanId ?? ''} nameOf={nameOf} onSelect={onSelect}>
                <span className="flex shrink-0 items-center gap-1">
                  {worst === null ? (
                    <span className="text-ink-3">No verdict</span>
                  ) : (
                    <VerdictIcon state={shownState(worst)} />
                  )}
                  {worst === null ? null : wordOf(worst)}
                </span>
              </SpanLink>
            </li>
          );
        })}
      </ul>
      {others.length > 100 ? (
        <p className="text-12 text-ink-3 pt-2">The tree lists all of them.</p>
      ) : null}
    </Block>
  );
}

function Notes({ notes, nameOf, onSelect }: { notes: TraceData['notes'] } & Pointing) {
  return (
    <ul className="grid gap-2">
      {notes.map((note, index) => (
        <li key={index} className="grid gap-0.5">
          <span className="[overflow-wrap:anywhere]">
            <VisibleText text={note.reason} />
          </span>
          <SpanLink spanId={note.spanId} nameOf={nameOf} onSelect={onSelect} />
        </li>
      ))}
    </ul>
  );
}

function SpanLink({
  spanId,
  nameOf,
  onSelect,
  children,
}: { spanId: string; children?: React.ReactNode } & Pointing) {
  const name = nameOf(spanId);
  if (name === null) return children ?? null;
  return (
    <button
      type="button"
      onClick={() => onSelect(spanId)}
      className="flex w-full min-w-0 items-center gap-2 text-left hover:underline"
    >
      {children}
      <span className="text-ink-2 min-w-0 truncate [unicode-bidi:isolate]">
        <VisibleText text={name} />
      </span>
    </button>
  );
}

function TraceFacts({ project, data }: { project: string; data: TraceData }) {
  const { trace } = data;
  if (trace === null) return null;
  const code = (text: string) => (
    <code className="text-12 font-mono">
      <VisibleText text={text} />
    </code>
  );
  return (
    <Block title="Trace">
      <Facts
        list={[
          ['Trace', code(trace.id)],
          ...(trace.service === null
            ? []
            : [['Service', <VisibleText key="service" text={trace.service} />] as const]),
          ...(trace.sessionId === null
            ? []
            : [
                [
                  'Session',
                  <Link
                    key="session"
                    href={`/p/${project}/sessions/${encodeURIComponent(trace.sessionId)}`}
                    className="underline"
                  >
                    {code(trace.sessionId)}
                  </Link>,
                ] as const,
              ]),
          ...(trace.userId === null ? [] : [['User', code(trace.userId)] as const]),
          ...(trace.models.length > 0 ? [['Models', code(trace.models.join(', '))] as const] : []),
          ...(trace.tags.length > 0
            ? [['Tags', <VisibleText key="tags" text={trace.tags.join(', ')} />] as const]
            : []),
          ...(trace.flags.length > 0 ? [['Flags', code(trace.flags.join(', '))] as const] : []),
          ...(trace.startedAt === null
            ? []
            : [['Started', <Moment key="started" at={trace.startedAt} />] as const]),
          ['Received', <Moment key="received" at={trace.receivedAt} />],
          ['Last span', <Moment key="last" at={trace.lastReceivedAt} />],
        ]}
      />
    </Block>
  );
}
