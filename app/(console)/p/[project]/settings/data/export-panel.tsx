'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '@/app/_trpc/client';
import type { ExportRow } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { announce } from '@/app/_ui/announcer';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { FieldError } from '@/app/_ui/field';
import { Moment } from '@/app/_ui/moment';
import { Empty, Panel } from '@/app/_ui/panel';

const isInProgress = ({ state }: ExportRow): boolean => state === 'waiting' || state === 'running';

function sizeText(bytes: number): string {
  if (bytes < 1024 * 1024)
    return `${Math.max(1, Math.round(bytes / 1024)).toLocaleString('en')} KiB`;
  return `${(bytes / 1024 / 1024).toLocaleString('en', { maximumFractionDigits: 1 })} MiB`;
}

/** The whole project in one file: created by a worker, and downloaded, part by part. */
export function ExportPanel({ project, initial }: { project: string; initial: ExportRow[] }) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.data.exports.queryOptions(
    { project },
    {
      initialData: initial,
      refetchInterval: ({ state }) => (state.data?.some(isInProgress) === true ? 1_000 : false),
    },
  );
  const { data } = useQuery(options);
  const start = useMutation(
    trpc.data.startExport.mutationOptions({
      onSuccess: () => {
        announce('Export started');
        void client.invalidateQueries({ queryKey: options.queryKey });
      },
    }),
  );
  const [fetched, setFetched] = useState<{ readonly id: string; readonly parts: number } | null>(
    null,
  );
  const download = useMutation({
    mutationFn: async (row: ExportRow) => {
      const parts: BlobPart[] = [];
      for (let ordinal = 0; ordinal < row.parts; ordinal++) {
        setFetched({ id: row.id, parts: ordinal });
        const { base64 } = await client.fetchQuery({
          ...trpc.data.exportPart.queryOptions({ project, id: row.id, ordinal }),
          staleTime: 0,
          gcTime: 0,
        });
        parts.push(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)));
      }
      save(
        new Blob(parts, { type: 'application/gzip' }),
        `${project}-${row.createdAt.toISOString().slice(0, 10)}.jsonl.gz`,
      );
    },
    onSettled: () => setFetched(null),
  });
  const problem = start.error ?? download.error;
  return (
    <Panel
      title="Export"
      aside={
        <Button
          busy={start.isPending || data.some(isInProgress)}
          onClick={() => start.mutate({ project })}
        >
          Export everything
        </Button>
      }
    >
      <FieldError text={problem ? problemOf(problem).message : null} />
      {data.length === 0 ? (
        <Empty title="Nothing was exported.">
          <p>
            Lines of JSON, packed with gzip: turns, spans, verdicts with their scores, labels,
            prompts, thresholds and settings, without secrets.
          </p>
        </Empty>
      ) : (
        <DataTable label="Exports" heads={['Requested', 'State', 'Lines', 'Size', '']}>
          {data.map((row) => (
            <Row key={row.id}>
              <NameCell>
                <Moment at={row.createdAt} />
              </NameCell>
              <Cell>{stateText(row)}</Cell>
              <Cell>{row.lines.toLocaleString('en')}</Cell>
              <Cell>{row.bytes === 0 ? '' : sizeText(row.bytes)}</Cell>
              <Cell end>
                {row.parts === 0 ? null : (
                  <Button busy={download.isPending} onClick={() => download.mutate(row)}>
                    {fetched?.id === row.id
                      ? `Fetching ${fetched.parts + 1} of ${row.parts}`
                      : 'Download'}
                  </Button>
                )}
              </Cell>
            </Row>
          ))}
        </DataTable>
      )}
    </Panel>
  );
}

function stateText({ state, reason, parts }: ExportRow): string {
  if (state === 'done') return parts > 0 ? 'ready' : 'deleted';
  if (state === 'failed' || state === 'cancelled') return reason ?? state;
  return 'in progress';
}

/** Starts a browser download of a file. */
function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
