'use client';

import Link from 'next/link';
import { useTrusts } from '@/app/(console)/use-trusts';
import type { Rule, Verifier } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Empty } from '@/app/_ui/panel';
import { TrustMark } from '@/app/_ui/trust-mark';
import { plainText, VisibleText } from '@/app/_ui/visible-text';
import { coverageOf, coverageText } from '../coverage';
import { kindLabel } from '../kinds';

interface ProjectVerifierTableProps {
  project: string;
  /** Those that the project defined. */
  verifiers: readonly Verifier[];
  rules: readonly Rule[];
}

const heads = ['Verifier', 'Kind', 'Targets', 'Trust', 'Coverage', 'State', 'Version'];

export function ProjectVerifierTable({ project, verifiers, rules }: ProjectVerifierTableProps) {
  const trusts = useTrusts(project);
  if (verifiers.length === 0)
    return (
      <Empty title="The project has no verifiers of its own.">
        <p>Write a judge, checks or a function: start from an example under Create verifier.</p>
      </Empty>
    );
  return (
    <DataTable label="Verifiers of this project" heads={heads}>
      {verifiers.map(({ slug, name, kind, targets, description, archived, version }) => {
        const trust = trusts.get(slug);
        return (
          <Row key={slug}>
            <NameCell>
              <Link
                href={`/p/${project}/verifiers/${encodeURIComponent(slug)}`}
                prefetch={false}
                title={plainText(description)}
                className="underline"
              >
                <VisibleText text={name} />
              </Link>
            </NameCell>
            <Cell>{kindLabel(kind)}</Cell>
            <Cell>{targets.join(', ')}</Cell>
            <Cell>{trust === undefined ? 'Unmeasured' : <TrustMark trust={trust} />}</Cell>
            <Cell>{coverageText(coverageOf(rules, slug))}</Cell>
            <Cell>{archived ? 'Archived' : 'Active'}</Cell>
            <Cell>{version}</Cell>
          </Row>
        );
      })}
    </DataTable>
  );
}
