'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { useOrigin } from '@/app/(console)/list-origin';
import { type Crumb, Crumbs } from '@/app/(console)/crumbs';
import { useLive } from '@/app/(console)/use-live';
import type { TurnPage } from '@/app/_trpc/outputs';
import { buttonClass } from '@/app/_ui/button';
import { useKeys } from '@/app/_ui/keyboard';
import { EntityTitle } from '@/app/_ui/entity-title';
import { titleLine } from '@/server/domain';
import { Age, Moment } from '@/app/_ui/moment';
import { VisibleText } from '@/app/_ui/visible-text';
import { experimentHref, itemHref } from '../../experiments/experiment-words';
import { costText } from '../../traces/amounts';
import { costBasisText, lacksPrice } from '../../traces/cost-basis';
import { TurnFlags } from '../../traces/[id]/turn-flags';
import { Block, Facts, LongText } from '../../verdicts/[id]/block';
import { LinkingProvider } from '../../verdicts/[id]/linking';
import { SourcesColumn, TurnNotes } from '../../verdicts/[id]/sources-column';
import { MarkList } from '../mark-list';
import { SentScores } from '../sent-scores';
import { WhyList } from '../why-list';
import { AddToDataset } from '../../datasets/add-to-dataset';

const noFigures: [] = [];

const origins: Record<string, string> = {
  api: 'sent as a turn',
  otlp: 'built from a trace',
  import: 'imported',
  gateway: 'through the gateway',
  experiment: 'output of an experiment',
};

/** A turn, with or without a verdict: the model's input, its answer, and the verdicts on it. */
export function TurnView({
  project,
  page,
  deletion,
  mayAdd = false,
  mayTry = false,
}: {
  project: string;
  page: TurnPage;
  deletion?: ReactNode;
  /** Whether the person may add items to datasets. */
  mayAdd?: boolean;
  /** Whether the user may call models. */
  mayTry?: boolean;
}) {
  const { turn, marks, scores, decisions } = page;
  const router = useRouter();
  useLive(project, () => router.refresh());
  useKeys({ Escape: () => router.back() });
  return (
    <LinkingProvider>
      <div className="flex flex-col gap-4 px-4 py-4 md:px-6 xl:h-dvh xl:pb-0">
        <TurnHead project={project} page={page}>
          <div className="flex flex-wrap gap-2">
            {deletion}
            {mayTry ? (
              <Link
                href={`/p/${project}/playground?turn=${encodeURIComponent(turn.id)}`}
                prefetch={false}
                className={buttonClass()}
              >
                Open in playground
              </Link>
            ) : null}
            {mayAdd ? (
              <AddToDataset
                project={project}
                source={{ turns: [turn.id] }}
                description="The item has the input, the sources and the tool results of the turn."
              />
            ) : null}
          </div>
        </TurnHead>
        <div className="grid gap-4 xl:min-h-0 xl:flex-1 xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)_360px] xl:grid-rows-[minmax(0,1fr)]">
          <Column name="Answer" place="xl:order-2">
            <Block title="Answer">
              {turn.output === '' ? (
                <p className="text-ink-3">Empty answer</p>
              ) : (
                <LongText text={turn.output} />
              )}
            </Block>
          </Column>
          <Column name="Evidence" place="xl:order-3">
            <Block title="Verdicts">
              <TurnFlags superseded={page.superseded} revision={turn.revision} />
              {marks.length > 0 ? (
                <MarkList project={project} marks={marks} revision={turn.revision} />
              ) : (
                <p className="text-ink-2">No verifier has judged this turn.</p>
              )}
            </Block>
            <Block title={marks.length > 0 ? 'Why it was verified' : 'Why there is no verdict'}>
              <WhyList project={project} decisions={decisions} verified={marks.length > 0} />
            </Block>
            {scores.length > 0 ? (
              <Block title="Sent scores">
                <SentScores scores={scores} />
              </Block>
            ) : null}
            <Origin project={project} page={page} />
            <DatasetItems project={project} items={page.links.items} />
          </Column>
          <Column name="Sources" place="xl:order-1">
            <div className="grid gap-4">
              <SourcesColumn figures={noFigures} turn={turn} project={project} />
              <TurnNotes turn={turn} />
            </div>
          </Column>
        </div>
      </div>
    </LinkingProvider>
  );
}

/** The parent of a turn is its session, else its trace, else the list of verdicts. */
function trailOf(project: string, { sessionId, traceId }: TurnPage['turn']): Crumb[] {
  const base = `/p/${project}`;
  const item = (list: 'sessions' | 'traces', id: string) => ({
    name: id,
    href: `${base}/${list}/${encodeURIComponent(id)}`,
    mono: true,
  });
  if (sessionId !== null) {
    return [
      { name: 'Sessions', href: `${base}/sessions`, list: `${project}/sessions` },
      item('sessions', sessionId),
    ];
  }
  if (traceId !== null)
    return [
      { name: 'Traces', href: `${base}/traces`, list: `${project}/traces` },
      item('traces', traceId),
    ];
  return [{ name: 'Verdicts', href: `${base}/verdicts`, list: project }];
}

function TurnHead({
  project,
  page: { turn, origin },
  children,
}: {
  project: string;
  page: TurnPage;
  children?: ReactNode;
}) {
  const from = useOrigin();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <div className="grid min-w-0 flex-1 basis-80 gap-0.5">
        <Crumbs trail={from === null ? trailOf(project, turn) : [from]} pageName="Turn" />
        <EntityTitle text={titleLine(turn.output)} noun="Turn" id={turn.id} />
        <p className="text-ink-2 flex flex-wrap items-baseline gap-x-3">
          {turn.model === null ? null : (
            <code className="text-12 min-w-0 font-mono [overflow-wrap:anywhere] [unicode-bidi:isolate]">
              <VisibleText text={turn.model} />
            </code>
          )}
          <span>{origins[origin] ?? origin}</span>
          <span>
            <Age at={turn.receivedAt} /> ago
          </span>
        </p>
      </div>
      {children}
    </div>
  );
}

function Column({ name, place, children }: { name: string; place: string; children: ReactNode }) {
  return (
    <div
      role="region"
      aria-label={name}
      tabIndex={0}
      className={`${place} grid min-w-0 content-start gap-4 xl:-mx-1 xl:overflow-y-auto xl:px-1 xl:pb-4`}
    >
      {children}
    </div>
  );
}

/** The items of datasets that were made from the turn. */
function DatasetItems({ project, items }: { project: string; items: TurnPage['links']['items'] }) {
  if (items.length === 0) return null;
  return (
    <Block title="Datasets">
      <ul className="grid gap-1">
        {items.map((item) => (
          <li key={`${item.datasetSlug} ${item.id}`} className="[overflow-wrap:anywhere]">
            <Link
              href={`/p/${project}/datasets/${item.datasetSlug}`}
              prefetch={false}
              className="underline"
            >
              <VisibleText text={item.datasetName} />
            </Link>
            {', '}
            <Link href={itemHref(project, item)} prefetch={false} className="underline">
              item
            </Link>
          </li>
        ))}
      </ul>
    </Block>
  );
}

/** The cost and where it comes from; a lower bound if a part has no price. */
function costSentence({ costUsd, costBasis }: TurnPage['turn']): string {
  const origin = costBasisText(costBasis);
  if (costUsd === null) return origin;
  return `${lacksPrice(costBasis) ? 'at least ' : ''}${costText(costUsd)}, ${origin}`;
}

function experimentFacts(project: string, experiment: TurnPage['links']['experiment']) {
  if (experiment === null) return [];
  const { id, name, item } = experiment;
  const link = (href: string, text: string) => (
    <Link key={href} href={href} prefetch={false} className="underline">
      <VisibleText text={text} />
    </Link>
  );
  return [
    ['Experiment', link(experimentHref(project, id), name)] as const,
    ...(item === null
      ? []
      : [['Dataset item', link(itemHref(project, item), item.datasetSlug)] as const]),
  ];
}

function Origin({ project, page }: { project: string; page: TurnPage }) {
  const { turn, hasSpans, spanId, links } = page;
  const code = (text: string) => (
    <code className="text-12 font-mono">
      <VisibleText text={text} />
    </code>
  );
  const trace = turn.traceId;
  return (
    <Block title="Origin">
      <Facts
        list={[
          ...experimentFacts(project, links.experiment),
          ['Revision', String(turn.revision)],
          ...(turn.costBasis === null ? [] : [['Cost', costSentence(turn)] as const]),
          ...(turn.sessionId === null
            ? []
            : [
                [
                  'Session',
                  <Link
                    key="session"
                    href={`/p/${project}/sessions/${encodeURIComponent(turn.sessionId)}`}
                    className="underline"
                  >
                    {code(turn.sessionId)}
                  </Link>,
                ] as const,
              ]),
          ...(trace === null
            ? []
            : [
                [
                  'Trace',
                  hasSpans ? (
                    <Link
                      key="trace"
                      href={`/p/${project}/traces/${trace}${spanId === null ? '' : `?span=${spanId}`}`}
                      className="underline"
                    >
                      {code(trace)}
                    </Link>
                  ) : (
                    code(trace)
                  ),
                ] as const,
              ]),
          ...(turn.source === null
            ? []
            : [['Source', <VisibleText key="source" text={turn.source} />] as const]),
          ...(turn.startedAt === null
            ? []
            : [['Started', <Moment key="started" at={turn.startedAt} />] as const]),
          ...(turn.endedAt === null
            ? []
            : [['Ended', <Moment key="ended" at={turn.endedAt} />] as const]),
          ['Received', <Moment key="received" at={turn.receivedAt} />],
        ]}
      />
    </Block>
  );
}
