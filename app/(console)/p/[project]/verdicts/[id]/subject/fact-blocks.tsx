import Link from 'next/link';
import type { ReactNode } from 'react';
import type { VerdictDetail, VerdictSubject } from '@/app/_trpc/outputs';
import { Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { costText, durationText } from '../../../traces/amounts';
import { filterQuery } from '../../filters';
import { Block, Facts, LongText } from '../block';
import { receivedAt } from '../verdict-title';
import { PromptLink } from './measured-item';
import {
  crossModelText,
  decisionSentence,
  percentText,
  plainNumber,
  statusText,
  thresholdText,
} from './words';

interface FactsProps {
  project: string;
  verdict: VerdictDetail;
  subject: VerdictSubject;
}

type Fact = readonly [string, ReactNode];

const actions: Record<string, string> = {
  accept: 'Accept',
  retry: 'Retry, with the feedback',
  escalate: 'Ask a person',
  reject: 'Reject',
  abort: 'Abort',
  accept_with_warning: 'Accept with a warning',
  none: 'None',
};

const code = (text: string) => (
  <code className="text-12 font-mono">
    <VisibleText text={text} />
  </code>
);

export function FollowsBlock({ project, verdict, subject: { detail } }: FactsProps) {
  const { threshold, retries } = verdict;
  const [slug = ''] = verdict.verifier.split('@');
  const facts: Fact[] = [
    ['Action', actions[verdict.action] ?? verdict.action],
    ...(detail.retryAfterMs === null
      ? []
      : [['Try again', `after ${durationText(detail.retryAfterMs)}`] as const]),
    ...(detail.status === null ? [] : [['State', statusText(detail.status)] as const]),
    ['Decision', <VisibleText key="decision" text={decisionSentence(verdict.decision)} />],
    ...(verdict.score === null ? [] : [['Score', plainNumber(verdict.score)] as const]),
    ...(threshold === null ? [] : [['Passes from', thresholdText(threshold)] as const]),
    ...(verdict.confidence === null
      ? []
      : [['Confidence', plainNumber(verdict.confidence)] as const]),
    ...(verdict.needsHumanReview ? [['Review', 'Needs a person'] as const] : []),
    ...(retries === null
      ? []
      : [['Retries', `${retries.used} of ${retries.budget} used`] as const]),
    [
      'Verifier',
      <Link
        key="verifier"
        href={`/p/${project}/verifiers/${encodeURIComponent(slug)}`}
        prefetch={false}
        className="text-12 font-mono underline"
      >
        {verdict.verifier}
      </Link>,
    ],
  ];
  return (
    <Block title="Next steps">
      <Facts list={facts} />
    </Block>
  );
}

/** The judges, and their cost next to that of the work. */
export function JudgeBlock({
  project,
  verdict: { judging, scores },
  subject: { costUsd, content, detail },
}: FactsProps) {
  // A model without a known price is not free.
  const isUnpriced = judging.costUsd === 0 && judging.priceUnknown;
  const prefix = judging.priceUnknown ? 'at least ' : '';
  const prompts = [
    ...new Set(
      scores.flatMap(({ prompt_version }) => (prompt_version === null ? [] : [prompt_version])),
    ),
  ];
  const facts: Fact[] = [
    [
      'Calls',
      judging.calls === 0 ? 'none: no model was called' : judging.calls.toLocaleString('en'),
    ],
    ...(judging.model === null ? [] : [['Model', code(judging.model)] as const]),
    ...(judging.crossModel === null
      ? []
      : [['Other model', crossModelText(judging.crossModel)] as const]),
    ...(content.scoringMode === null ? [] : [['Mode', content.scoringMode] as const]),
    ...(prompts.length === 0
      ? []
      : [
          [
            'Prompt',
            <span key="prompt" className="text-12 grid">
              {prompts.map((version) => (
                <PromptLink key={version} project={project} version={version} />
              ))}
            </span>,
          ] as const,
        ]),
    [
      'Cost',
      `${isUnpriced ? 'price not known' : `${prefix}${costText(judging.costUsd)}`}, ${judging.tokens.toLocaleString('en')} tokens`,
    ],
    ['Cost of the work', costUsd === null ? 'unknown' : costText(costUsd)],
    ...(judging.shareOfTask === null || isUnpriced
      ? []
      : [
          [
            'Share',
            `${prefix}${percentText(judging.shareOfTask)} of the cost of the work${judging.overBudget ? ', over the budget' : ''}`,
          ] as const,
        ]),
  ];
  return (
    <Block title="Judge">
      <Facts list={facts} />
      {detail.suggestions.length === 0 ? null : (
        <div className="border-line mt-3 border-t pt-3">
          <h3 className="text-12 text-ink-3 pb-1">Suggestions</h3>
          <ul className="grid gap-1">
            {detail.suggestions.map((text, at) => (
              <li key={at}>
                <LongText text={text} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </Block>
  );
}

export function OriginBlock({ project, verdict, subject }: FactsProps) {
  const page = (name: 'sessions' | 'traces', id: string) => (
    <Link
      href={`/p/${project}/${name}/${encodeURIComponent(id)}`}
      prefetch={false}
      className="text-12 font-mono underline"
    >
      <VisibleText text={id} />
    </Link>
  );
  const mission = (id: string) => (
    <Link
      href={`/p/${project}/verdicts${filterQuery({ mission: id })}`}
      prefetch={false}
      className="text-12 font-mono underline"
    >
      <VisibleText text={id} />
    </Link>
  );
  const facts: Fact[] = [
    ['Subject', code(subject.id)],
    ...(subject.clientId === null ? [] : [['Sender’s id', code(subject.clientId)] as const]),
    ...(subject.missionId === null ? [] : [['Mission', mission(subject.missionId)] as const]),
    ...(subject.taskId === null ? [] : [['Task', code(subject.taskId)] as const]),
    ...(subject.model === null ? [] : [['Done by', code(subject.model)] as const]),
    ...(subject.sessionId === null
      ? []
      : [['Session', page('sessions', subject.sessionId)] as const]),
    ...(subject.traceId === null
      ? []
      : [
          [
            'Trace',
            subject.hasTrace ? page('traces', subject.traceId) : code(subject.traceId),
          ] as const,
        ]),
    ['Received', <Moment key="received" at={receivedAt(verdict, subject)} />],
    ...(verdict.settledAt === null
      ? []
      : [['Settled', <Moment key="settled" at={verdict.settledAt} />] as const]),
  ];
  return (
    <Block title="Origin">
      <Facts list={facts} />
    </Block>
  );
}
