'use client';

import { useMutation } from '@tanstack/react-query';
import Link from 'next/link';
import { useTRPC } from '@/app/_trpc/client';
import type { ReportHead } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { FieldError } from '@/app/_ui/field';
import { Moment } from '@/app/_ui/moment';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { periodText } from '@/server/reports/input';
import { isInProgress, stateText } from '../report-state';

interface ReportTableProps {
  project: string;
  rows: readonly ReportHead[];
  mayWrite: boolean;
  onChange: () => void;
}

/** Newest first. Two reports of one period are both listed: the later one has the later facts. */
export function ReportTable({ project, rows, mayWrite, onChange }: ReportTableProps) {
  const trpc = useTRPC();
  const cancel = useMutation(
    trpc.jobs.cancel.mutationOptions({
      onSuccess: () => {
        announce('Report cancelled');
        onChange();
      },
    }),
  );
  return (
    <>
      <DataTable
        label="Reports"
        heads={['Report', 'Period (UTC)', 'State', 'Requested by', 'Requested', '']}
      >
        {rows.map((row) => (
          <Row key={row.id}>
            <NameCell>
              <Link href={`/p/${project}/reports/${row.id}`} className="underline">
                <VisibleText text={row.title} />
              </Link>
            </NameCell>
            <Cell>{periodText(row)}</Cell>
            <Cell>
              <span className="inline-block max-w-72 break-words whitespace-normal">
                {stateText(row)}
              </span>
            </Cell>
            <Cell>
              {row.scheduleId === null ? <VisibleText text={row.createdBy} /> : 'its schedule'}
            </Cell>
            <Cell>
              <Moment at={row.createdAt} />
            </Cell>
            <Cell end>
              {mayWrite && isInProgress(row) ? (
                <Button
                  variant="quiet"
                  aria-label={`Cancel ${plainText(row.title)}, ${periodText(row)}`}
                  busy={cancel.isPending}
                  onClick={() => cancel.mutate({ project, id: row.id })}
                >
                  Cancel
                </Button>
              ) : null}
            </Cell>
          </Row>
        ))}
      </DataTable>
      {cancel.error ? (
        <div className="p-4">
          <FieldError text={problemOf(cancel.error).message} />
        </div>
      ) : null}
    </>
  );
}
