import Link from 'next/link';
import type { VerdictDetail } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { DecisionState } from '@/server/domain';
import { Block, Facts, LongText } from './block';
import { EpisodeBlock } from './episode-block';
import { FigureList } from './figure-list';
import { ScoreList } from './score-list';
import { receivedAt } from './verdict-title';

const actions: Record<string, string> = {
  accept: 'Accept',
  retry: 'Retry',
  escalate: 'Escalate',
  reject: 'Reject',
  abort: 'Abort',
  accept_with_warning: 'Accept with a warning',
  none: 'None',
};

const decisions: Record<DecisionState, string> = {
  run: 'verified',
  filtered: 'filtered out',
  sampled_out: 'sampled out',
  duplicate: 'relayed',
  bypassed: 'bypassed',
  over_budget: 'over budget',
  blocked: 'switched off',
  no_subject: 'nothing to verify',
  failed: 'failed',
  expired: 'expired',
};

function decisionText({ state, reason }: VerdictDetail['decision']): string {
  const known = DecisionState.safeParse(state);
  const word = known.success ? decisions[known.data] : state;
  if (reason === null) return word;
  return reason.startsWith(word) ? reason : `${word}: ${reason}`;
}

const code = (text: string) => (
  <code className="text-12 font-mono">
    <VisibleText text={text} />
  </code>
);

/** The reasons for the verdict: figures or scores, failed ones first, then the issues. */
export function EvidenceColumn({ verdict }: { verdict: VerdictDetail }) {
  const { integrity, turn, issues } = verdict;
  return (
    <>
      {integrity ? (
        <Block
          title="Figures"
          aside={<span className="text-12 text-ink-3">{figureCount(verdict)}</span>}
        >
          <FigureList figures={integrity.figures} />
        </Block>
      ) : (
        <>
          {turn?.gateway != null ? <EpisodeBlock gateway={turn.gateway} /> : null}
          <Block title="Scores">
            <ScoreList scores={unmetScoresFirst(verdict.scores)} />
          </Block>
        </>
      )}
      {issues.length > 0 ? (
        <Block title="Issues">
          <ul className="grid gap-2">
            {issues.map((issue, index) => (
              <li key={index} className="[overflow-wrap:anywhere]">
                <span className="text-12 text-ink-3">{issue.severity}</span>{' '}
                <VisibleText text={issue.message} />
                {issue.path === null ? null : <> {code(issue.path)}</>}
              </li>
            ))}
          </ul>
        </Block>
      ) : null}
      {verdict.feedback === null || verdict.feedback === integrity?.reprompt ? null : (
        <Block title="Feedback">
          <LongText text={verdict.feedback} />
        </Block>
      )}
    </>
  );
}

function unmetScoresFirst(scores: VerdictDetail['scores']): VerdictDetail['scores'] {
  const rank = (met: boolean | null) => (met === false ? 0 : met === true ? 2 : 1);
  return scores.toSorted((a, b) => rank(a.met) - rank(b.met));
}

/** Next steps from the verdict, and its origin. */
export function TurnDetails({ verdict, project }: { verdict: VerdictDetail; project: string }) {
  const { integrity, turn, decision } = verdict;
  const page = (name: 'turns' | 'sessions' | 'traces', id: string) => (
    <Link
      href={`/p/${project}/${name}/${encodeURIComponent(id)}`}
      className="text-12 font-mono underline"
    >
      <VisibleText text={id} />
    </Link>
  );
  return (
    <>
      <Block title="Next steps">
        <Facts
          list={[
            ['Action', actions[verdict.action] ?? verdict.action],
            ['Decision', <VisibleText key="decision" text={decisionText(decision)} />],
            ['Verifier', code(verdict.verifier)],
            ...(verdict.confidence === null
              ? []
              : [['Confidence', verdict.confidence.toFixed(2)] as const]),
            ...(verdict.needsHumanReview ? [['Review', 'Needs a person'] as const] : []),
          ]}
        />
      </Block>
      {integrity ? (
        <Block title="Scores">
          <ScoreList scores={verdict.scores} />
        </Block>
      ) : null}
      {integrity?.fields ? (
        <Block title="Log fields">
          <Facts
            list={Object.entries(integrity.fields).map(
              ([name, value]) => [name, code(String(value))] as const,
            )}
          />
        </Block>
      ) : null}
      <Block title="Origin">
        <Facts
          list={[
            ...(verdict.turnId === null ? [] : [['Turn', page('turns', verdict.turnId)] as const]),
            ...(verdict.sessionId === null
              ? []
              : [['Session', page('sessions', verdict.sessionId)] as const]),
            ...(turn?.traceId ? [['Trace', page('traces', turn.traceId)] as const] : []),
            ...(turn?.source
              ? [['Source', <VisibleText key="source" text={turn.source} />] as const]
              : []),
            ...(turn
              ? [['Received', <Moment key="received" at={receivedAt(verdict, turn)} />] as const]
              : []),
            ...(verdict.settledAt
              ? [['Settled', <Moment key="settled" at={verdict.settledAt} />] as const]
              : []),
          ]}
        />
      </Block>
    </>
  );
}

function figureCount(verdict: VerdictDetail): string {
  const figures = verdict.integrity?.figures ?? [];
  const sourced = figures.filter((figure) => figure.sourced).length;
  return figures.length === 0 ? 'none' : `${sourced}/${figures.length} sourced`;
}
