'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { useLive } from '@/app/(console)/use-live';
import { useTRPC } from '@/app/_trpc/client';
import type { VerdictPage, VerdictRow } from '@/app/_trpc/outputs';
import { problemOf } from '@/app/_trpc/problem';
import { Button } from '@/app/_ui/button';
import { Age } from '@/app/_ui/moment';
import { ErrorPanel, Skeleton } from '@/app/_ui/panel';
import { VerdictBadge } from '@/app/_ui/verdict-badge';
import { VisibleText } from '@/app/_ui/visible-text';
import { countsText, figuresText } from '../traces/mark-styles';
import { wordsOf } from '../verifiers/kinds';
import { Block } from './[id]/block';
import { groupByVerifier, type VerifierGroup } from './by-verifier';
import { filterQuery } from './filters';

interface VerdictsByVerifierProps {
  project: string;
  /** The trace, session or mission whose verdicts are listed. */
  of: { readonly trace: string } | { readonly session: string } | { readonly mission: string };
  /** The verdicts loaded on the server, for pages whose content below must not move. */
  first?: VerdictPage;
}

/** Most verdicts loaded for a page. */
const maxRows = 200;
const rowsAtFirst = 3;

/** All verdicts of a trace, session or mission, and of the turns in it, grouped by verifier. */
export function VerdictsByVerifier({ project, of, first }: VerdictsByVerifierProps) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const options = trpc.verdicts.list.queryOptions({ project, ...of, limit: maxRows });
  const { data, error, refetch } = useQuery({
    ...options,
    ...(first !== undefined && { initialData: first }),
  });
  useLive(project, () => void client.invalidateQueries({ queryKey: options.queryKey }));
  if (error) {
    return (
      <ErrorPanel
        what="Its verdicts could not be read"
        works="The rest of the page is shown."
        problem={problemOf(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  return (
    <Block
      title="Verdicts by verifier"
      aside={
        'trace' in of ? null : (
          <Link href={`/p/${project}/verdicts${filterQuery(of)}`} className="text-12 underline">
            All verdicts
          </Link>
        )
      }
    >
      {data === undefined ? <Skeleton className="h-16" /> : null}
      {data?.items.length === 0 ? <p className="text-ink-2">No verdict yet.</p> : null}
      <ul className="grid gap-3">
        {groupByVerifier(data?.items ?? []).map((group) => (
          <Group key={group.verifier} project={project} group={group} />
        ))}
      </ul>
      {data != null && data.nextCursor !== null ? (
        <p className="text-12 text-ink-3 pt-2">The newest {maxRows} verdicts are counted here.</p>
      ) : null}
    </Block>
  );
}

function Group({ project, group }: { project: string; group: VerifierGroup }) {
  const { verifier, rows, counts } = group;
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? rows : rows.slice(0, rowsAtFirst);
  return (
    <li className="grid gap-1">
      <h3 className="flex flex-wrap items-baseline justify-between gap-x-2">
        <Link
          href={`/p/${project}/verifiers/${encodeURIComponent(verifier)}`}
          className="font-semibold underline"
        >
          {wordsOf(verifier).label}
        </Link>
        <span className="text-12 text-ink-2 font-normal">{countsText(counts)}</span>
      </h3>
      <ul aria-label={`Verdicts of ${wordsOf(verifier).label}`} className="grid gap-1">
        {shown.map((row) => (
          <Item key={row.id} project={project} row={row} />
        ))}
      </ul>
      {rows.length > shown.length ? (
        <div>
          <Button onClick={() => setOpen(true)}>
            Show {(rows.length - shown.length).toLocaleString('en')} more
          </Button>
        </div>
      ) : null}
    </li>
  );
}

function Item({ project, row }: { project: string; row: VerdictRow }) {
  return (
    <li className="flex min-w-0 items-center gap-2">
      <Link
        href={`/p/${project}/verdicts/${encodeURIComponent(row.id)}`}
        className="min-w-0 shrink-0 underline"
      >
        <VerdictBadge {...row} />
      </Link>
      <span className="text-12 text-ink-3 min-w-0 flex-1 truncate [unicode-bidi:isolate]">
        <VisibleText text={detailOf(row)} />
      </span>
      <span className="text-12 text-ink-3 shrink-0">
        <Age at={row.settledAt} />
      </span>
    </li>
  );
}

function detailOf(row: VerdictRow): string {
  const measured =
    figuresText(row) ?? (row.score === null ? '' : `score ${Number(row.score.toFixed(4))}`);
  const earlier = row.superseded ? 'about an earlier revision' : '';
  return [row.subjectKind, measured, earlier, row.excerpt].filter(Boolean).join(', ');
}
