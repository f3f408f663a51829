import type { Metadata } from 'next';
import Link from 'next/link';
import { createLoader, type SearchParams } from 'nuqs/server';
import { Crumbs } from '@/app/(console)/crumbs';
import { load } from '@/app/_trpc/server';
import { PageBody, PageHead } from '@/app/_ui/page-head';
import { Empty, Panel } from '@/app/_ui/panel';
import { compareParsers } from './parsers';
import { CompareView } from './compare-view';

export const metadata: Metadata = { title: 'Compare experiments' };

const readQuery = createLoader(compareParsers);

interface Props {
  params: Promise<{ project: string }>;
  searchParams: Promise<SearchParams>;
}

export default async function ComparePage({ params, searchParams }: Props) {
  const { project } = await params;
  const { ids, slice } = await readQuery(searchParams);
  if (ids.length < 2) return <NothingChosen project={project} />;
  const initial = await load((caller) =>
    caller.experiments.compare({ project, ids, ...(slice !== null && { slice }) }),
  );
  return (
    <CompareView
      key={ids.join(' ')}
      project={project}
      ids={ids}
      initial={initial}
      firstSlice={slice}
    />
  );
}

function NothingChosen({ project }: { project: string }) {
  return (
    <PageBody>
      <PageHead
        crumbs={
          <Crumbs
            trail={[{ name: 'Experiments', href: `/p/${project}/experiments` }]}
            pageName="Compare"
          />
        }
        title="Compare experiments"
      />
      <Panel title="Comparison">
        <Empty title="Nothing to compare yet.">
          <p>
            Select 2 to 6 experiments of one dataset in the{' '}
            <Link href={`/p/${project}/experiments`} className="underline">
              list of experiments
            </Link>
            , then choose Compare.
          </p>
        </Empty>
      </Panel>
    </PageBody>
  );
}
