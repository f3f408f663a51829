'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LoadMore } from '@/app/(console)/load-more';
import { may } from '@/app/(console)/pages';
import { usePages } from '@/app/(console)/use-pages';
import { useCreate } from '@/app/(console)/use-create';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { Project, ReportPage, ReportSchedule, ReportSchedules } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { FieldError } from '@/app/_ui/field';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, ErrorPanel, Panel } from '@/app/_ui/panel';
import { weekly, whenText } from '../schedule-words';
import { useZone } from '../use-zone';
import { CreateReportDialog } from './create-report-dialog';
import { ReportTable } from './report-table';
import { ScheduleDialog } from './schedule-dialog';
import { SchedulePanel } from './schedule-panel';

interface ReportsViewProps {
  project: Project;
  first: ReportPage;
  schedules: ReportSchedules;
}

export function ReportsView({ project, first, schedules: initial }: ReportsViewProps) {
  const trpc = useTRPC();
  const trpcClient = useTRPCClient();
  const client = useQueryClient();
  const { slug } = project;
  const [edited, setEdited] = useState<ReportSchedule | 'new' | null>(null);
  const list = usePages({
    key: trpc.reports.list.queryKey({ project: slug }),
    read: (cursor, signal) =>
      trpcClient.reports.list.query(
        { project: slug, ...(cursor !== null && { cursor }) },
        { signal },
      ),
    first,
  });
  const options = trpc.reports.schedules.queryOptions({ project: slug }, { initialData: initial });
  const schedules = useQuery(options);
  const rows = list.pages.flatMap((page) => page.items);
  const mayWrite = may(project, 'settings.write');
  const [isCreating, setCreating] = useCreate(mayWrite);
  const reread = () => {
    void client.invalidateQueries({ queryKey: options.queryKey });
    list.refresh();
  };
  const isNew = rows.length === 0 && schedules.data.schedules.length === 0;
  return (
    <PageBody>
      <PageHead
        title="Reports"
        sub="The results of a period by verifier, created on schedule or manually. A report does not change."
      >
        {mayWrite ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setEdited('new')}>Create schedule</Button>
            <Button variant={isNew ? 'plain' : 'primary'} onClick={() => setCreating(true)}>
              Create report
            </Button>
          </div>
        ) : null}
      </PageHead>
      {list.error ? (
        <ErrorPanel
          what="The reports could not be refreshed"
          works="The page shows the last loaded data; reports are still created on schedule."
          problem={problemOf(list.error)}
          onRetry={() => void list.refetch()}
        />
      ) : null}
      {isNew ? <FirstReport project={slug} mayWrite={mayWrite} onCreated={reread} /> : null}
      {schedules.data.schedules.length === 0 ? null : (
        <SchedulePanel
          project={slug}
          data={schedules.data}
          mayWrite={mayWrite}
          onEdit={setEdited}
          onChange={reread}
        />
      )}
      {isNew ? null : (
        <Panel title="Reports">
          {rows.length === 0 ? (
            <Empty title="No report yet.">
              <p>The next one is created on schedule.</p>
            </Empty>
          ) : (
            <ReportTable project={slug} rows={rows} mayWrite={mayWrite} onChange={reread} />
          )}
        </Panel>
      )}
      <LoadMore
        shown={rows.length}
        hasMore={list.hasNextPage}
        busy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
      {isCreating ? (
        <CreateReportDialog
          project={slug}
          takers={schedules.data.takers}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {edited === null ? null : (
        <ScheduleDialog
          project={slug}
          takers={schedules.data.takers}
          schedule={edited === 'new' ? null : edited}
          onStored={reread}
          onClose={() => setEdited(null)}
        />
      )}
    </PageBody>
  );
}

/** Empty state: a weekly report in one click. */
function FirstReport({
  project,
  mayWrite,
  onCreated,
}: {
  project: string;
  mayWrite: boolean;
  onCreated: () => void;
}) {
  const trpc = useTRPC();
  const zone = useZone();
  const put = useMutation(
    trpc.reports.putSchedule.mutationOptions({
      onSuccess: () => {
        announce('Weekly report created');
        onCreated();
      },
    }),
  );
  return (
    <Panel title="First report">
      <Empty title="No report yet.">
        <p>
          A report shows the verdicts of a period, the accuracy of the verifiers with intervals,
          their trust states, the cost of judging, the missing labels and the configuration changes.
          Later labels do not change it.
        </p>
        {mayWrite ? (
          <div className="grid justify-items-start gap-2">
            <Button
              variant="primary"
              busy={put.isPending || zone === null}
              onClick={() => put.mutate({ project, ...weekly, zone: zone ?? 'UTC' })}
            >
              Create one{' '}
              {zone === null ? 'every Monday at 06:00' : whenText({ cron: weekly.cron, zone })}
            </Button>
            <FieldError text={put.error ? problemOf(put.error).message : null} />
          </div>
        ) : (
          <p>Creating a schedule requires the role admin.</p>
        )}
      </Empty>
    </Panel>
  );
}
