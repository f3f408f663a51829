'use client';

import Link from 'next/link';
import { useRef } from 'react';
import type { DatasetVersionRow } from '@/app/_trpc/outputs';
import { Button } from '@/app/_ui/button';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Age } from '@/app/_ui/moment';
import { Panel } from '@/app/_ui/panel';
import { VisibleText } from '@/app/_ui/visible-text';
import { useRowKeys } from '../../../verdicts/(list)/use-row-keys';

interface VersionTableProps {
  versions: readonly DatasetVersionRow[];
  latest: number;
  href: string;
  onCompare: (version: number) => void;
}

/** The latest versions, newest first. */
export function VersionTable({ versions, latest, href, onCompare }: VersionTableProps) {
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, '[data-row]');
  return (
    <Panel
      title="Versions"
      aside={
        versions.length < latest ? (
          <span className="text-ink-3">the latest {versions.length}</span>
        ) : null
      }
    >
      <div ref={area} className="max-h-96 overflow-y-auto">
        <DataTable
          label="Versions"
          heads={['Version', 'Items', 'Added', 'Changed', 'Removed', 'By', 'Age', '']}
        >
          {versions.map((each) => (
            <Row key={each.version}>
              <NameCell>
                <Link
                  href={`${href}?version=${each.version}`}
                  data-row={each.version}
                  prefetch={false}
                  className="underline"
                >
                  Version {each.version}
                </Link>
              </NameCell>
              <Cell>{each.items.toLocaleString('en')}</Cell>
              <Cell>{each.added.toLocaleString('en')}</Cell>
              <Cell>{each.changed.toLocaleString('en')}</Cell>
              <Cell>{each.removed.toLocaleString('en')}</Cell>
              <Cell>
                <VisibleText text={each.createdBy} />
              </Cell>
              <Cell>
                <Age at={each.createdAt} />
              </Cell>
              <Cell end>
                <Button
                  aria-label={`Show changes of version ${each.version}`}
                  onClick={() => onCompare(each.version)}
                >
                  Changes
                </Button>
              </Cell>
            </Row>
          ))}
        </DataTable>
      </div>
    </Panel>
  );
}
