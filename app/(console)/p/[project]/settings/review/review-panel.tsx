'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { Project, ReviewSettings } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Moment } from '@/app/_ui/moment';
import { PageHead } from '@/app/_ui/page-head';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { SettingsDialog } from './settings-dialog';

interface ReviewPanelProps {
  project: Project;
  initial: ReviewSettings[];
  /** Slugs of all verifiers of the project. */
  verifiers: readonly string[];
  mayWrite: boolean;
}

const percent = (share: number): string => `${Number((share * 100).toFixed(4))}%`;

const sources: Record<ReviewSettings['source'], string> = {
  default: 'default',
  project: 'as all verifiers',
  verifier: 'its own',
};

/**
 * Which verdicts enter the review queue, and how they are ruled on: for all verifiers, and for
 * those with their own settings.
 */
export function ReviewPanel({ project, initial, verifiers, mayWrite }: ReviewPanelProps) {
  const { slug } = project;
  const { data } = useQuery(
    useTRPC().review.settings.queryOptions({ project: slug }, { initialData: initial }),
  );
  const [editing, setEditing] = useState<string | null | undefined>(undefined);
  const forAll = data.find(({ verifier }) => verifier === null);
  const ownSettings = new Map(
    data.flatMap((each) => (each.verifier === null ? [] : [[each.verifier, each] as const])),
  );
  const rows = [null, ...new Set([...verifiers, ...ownSettings.keys()])].flatMap((verifier) => {
    const settings = verifier === null ? forAll : (ownSettings.get(verifier) ?? forAll);
    return settings === undefined
      ? []
      : [{ verifier, settings, isOwn: verifier === null || settings.verifier === verifier }];
  });
  const edited = rows.find(({ verifier }) => verifier === editing);
  return (
    <>
      <PageHead
        title="Review"
        sub="Which verdicts are reviewed, and how. A change applies to new verdicts."
      />
      <Panel title="Review queue">
        <DataTable
          label="Review settings"
          heads={['Verifier', 'Audit', 'Uncertain', 'People', 'Blind', 'Set', 'Policy', '']}
        >
          {rows.map(({ verifier, settings, isOwn }) => (
            <Row key={verifier ?? ''}>
              <NameCell>
                {verifier === null ? (
                  <span className="font-semibold">All verifiers</span>
                ) : (
                  <VisibleText text={verifier} />
                )}
              </NameCell>
              <Cell>{percent(settings.auditRate)}</Cell>
              <Cell>{percent(settings.uncertainBand)}</Cell>
              <Cell>{settings.raters}</Cell>
              <Cell>{settings.blind ? 'yes' : 'no'}</Cell>
              <Cell>
                <SetBy settings={settings} verifier={verifier} isOwn={isOwn} />
              </Cell>
              <Cell>
                {verifier === null ? null : (
                  // A name for screen readers instead of hidden text, which would be outside the
                  // scrolling table and widen the page.
                  <Link
                    href={`/p/${slug}/review/policy?verifier=${encodeURIComponent(verifier)}`}
                    prefetch={false}
                    aria-label={`Policy of ${verifier}`}
                    className="underline"
                  >
                    Policy
                  </Link>
                )}
              </Cell>
              <Cell end>
                {mayWrite ? (
                  <Button
                    onClick={() => setEditing(verifier)}
                    aria-label={`Change ${verifier ?? 'all verifiers'}`}
                  >
                    Change
                  </Button>
                ) : null}
              </Cell>
            </Row>
          ))}
        </DataTable>
      </Panel>
      <dl className="text-ink-2 grid max-w-[88ch] gap-x-3 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
        <dt className="font-semibold">Audit</dt>
        <dd>
          Share of decided verdicts that is drawn at random. Its rulings measure the accuracy over
          all decided verdicts.
        </dd>
        <dt className="font-semibold">Uncertain</dt>
        <dd>
          Verdicts with a score this close to the threshold are reviewed; a share of the verifier’s
          scale.
        </dd>
        <dt className="font-semibold">People</dt>
        <dd>The number of people who must rule on an item.</dd>
        <dt className="font-semibold">Blind</dt>
        <dd>Reviewers see the verdict and other rulings only after their own ruling.</dd>
      </dl>
      {mayWrite ? null : (
        <p className="text-ink-3">Your role is {project.role}; owners and admins change these.</p>
      )}
      {edited === undefined ? null : (
        <SettingsDialog
          project={slug}
          verifier={edited.verifier}
          settings={edited.settings}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  );
}

function SetBy({
  settings,
  verifier,
  isOwn,
}: {
  settings: ReviewSettings;
  verifier: string | null;
  isOwn: boolean;
}) {
  if (!isOwn) return <span className="text-ink-3">{sources.project}</span>;
  const { updatedBy, updatedAt, source } = settings;
  if (updatedAt === null)
    return (
      <span className="text-ink-3">{verifier === null ? sources.default : sources[source]}</span>
    );
  return (
    <>
      {updatedBy === null ? null : (
        <>
          <VisibleText text={updatedBy} />,{' '}
        </>
      )}
      <Moment at={updatedAt} />
    </>
  );
}
