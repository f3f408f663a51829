'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import Link from 'next/link';
import { Crumbs } from '@/app/(console)/crumbs';
import { may } from '@/app/(console)/pages';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { Project, StoredReport } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { ProgressBar } from '@/app/_ui/progress-bar';
import { Moment } from '@/app/_ui/moment';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { saveFile } from '@/app/_ui/save-file';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { periodText } from '@/server/reports/input';
import { isInProgress, stateText } from '../report-state';
import { ReportDocument } from './report-document';

interface ReportViewProps {
  project: Project;
  initial: StoredReport;
}

/**
 * One report: its progress while it is being created, then the document. A finished report does not
 * change, so it is not polled.
 */
export function ReportView({ project, initial }: ReportViewProps) {
  const trpc = useTRPC();
  const { slug } = project;
  const report = useQuery(
    trpc.reports.get.queryOptions({ project: slug, id: initial.id }, { initialData: initial }),
  );
  const { data, error } = report;
  const wasFinished = useRef(data.content !== null);
  useEffect(() => {
    if (wasFinished.current || data.content === null) return;
    wasFinished.current = true;
    announce('The report is ready');
  }, [data.content]);
  return (
    <PageBody>
      <div className="grid max-w-[1120px] grid-cols-[minmax(0,1fr)] gap-4">
        <PageHead
          crumbs={
            <Crumbs trail={[{ name: 'Reports', href: `/p/${slug}/reports` }]} pageName="Report" />
          }
          title={`${plainText(data.title)}: ${periodText(data)}`}
          sub={<ReportOrigin project={project} report={data} />}
        >
          {data.content === null ? null : <Actions project={slug} report={data} />}
        </PageHead>
        {error ? (
          <ErrorPanel
            what="The report could not be refreshed"
            works="The page shows the last loaded data; the report is still being created."
            problem={problemOf(error)}
            onRetry={() => void report.refetch()}
          />
        ) : null}
        {data.content === null ? (
          <ReportStatus project={project} report={data} />
        ) : (
          <ReportDocument project={slug} report={data.content} />
        )}
      </div>
    </PageBody>
  );
}

function ReportOrigin({
  project,
  report: { scheduleId, createdBy, madeAt },
}: {
  project: Project;
  report: StoredReport;
}) {
  return (
    <>
      <VisibleText text={project.name} />,{' '}
      {scheduleId === null ? (
        <VisibleText text={`requested by ${createdBy}`} />
      ) : (
        'created on schedule'
      )}
      {madeAt === null ? null : (
        <>
          , <Moment at={madeAt} />
        </>
      )}
    </>
  );
}

function ReportStatus({ project, report }: { project: Project; report: StoredReport }) {
  const { done, total } = report;
  if (report.state === 'made') {
    return (
      <Panel title="Report">
        <Empty title="Another release created this report.">
          <p>This release cannot read it. Open it in the release that created it.</p>
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel title={isInProgress(report) ? 'In progress' : 'Not created'}>
      <div className="grid gap-2 p-4">
        {isInProgress(report) ? (
          <ProgressBar
            label="Progress of the report"
            ratio={total === null || total === 0 ? 0 : done / total}
          />
        ) : null}
        <p className="text-ink-2 [overflow-wrap:anywhere]">
          <VisibleText text={stateText(report)} />.
        </p>
        {isInProgress(report) ? (
          <p className="text-12 text-ink-3">
            You can leave this page: the report continues, and appears in the list of reports.
          </p>
        ) : may(project, 'settings.write') ? (
          <p className="text-ink-2">
            Create it again from the{' '}
            <Link href={`/p/${project.slug}/reports`} className="underline">
              list of reports
            </Link>
            .
          </p>
        ) : null}
      </div>
    </Panel>
  );
}

/** The same report as files, and in print. */
function Actions({ project, report }: { project: string; report: StoredReport }) {
  const client = useTRPCClient();
  const name = `report-${periodText(report).replaceAll(' ', '-')}`;
  const saveMarkdown = async () => {
    try {
      saveFile(
        new Blob([await client.reports.markdown.query({ project, id: report.id })], {
          type: 'text/markdown',
        }),
        `${name}.md`,
      );
    } catch (error) {
      announce(problemOf(error).message);
    }
  };
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <Button onClick={() => void saveMarkdown()}>Download Markdown</Button>
      <Button
        onClick={() =>
          saveFile(
            new Blob([`${JSON.stringify(report.content, null, 2)}\n`], {
              type: 'application/json',
            }),
            `${name}.json`,
          )
        }
      >
        Download JSON
      </Button>
      <Button onClick={() => window.print()}>Print</Button>
    </div>
  );
}
