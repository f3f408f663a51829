import type { Metadata } from 'next';
import { NoPermission } from '@/app/(console)/no-permission';
import { may } from '@/app/(console)/pages';
import { load, loadProject } from '@/app/_trpc/server';
import { PageHead } from '@/app/_ui/page-head';
import { DeletionPanel } from './deletion-panel';
import { ExportPanel } from './export-panel';
import { MaskingPanel } from './masking-panel';
import { RemoveProject } from './remove-project';
import { RetentionPanel } from './retention-panel';

export const metadata: Metadata = { title: 'Data' };

export default async function DataPage({ params }: { params: Promise<{ project: string }> }) {
  const project = await loadProject((await params).project);
  const { slug } = project;
  if (!may(project, 'settings.write')) return <NoPermission title="Data" role={project.role} />;
  const [retention, masking, deletions, exports] = await load((caller) =>
    Promise.all([
      caller.data.retention({ project: slug }),
      caller.data.masking({ project: slug }),
      caller.data.deletions({ project: slug }),
      caller.data.exports({ project: slug }),
    ]),
  );
  return (
    <>
      <PageHead
        title="Data"
        sub="Retention, masking, deletion and export of the data of this project."
      />
      <RetentionPanel project={slug} initial={retention} />
      <MaskingPanel project={slug} initial={masking} />
      <DeletionPanel project={slug} initial={deletions} />
      <ExportPanel project={slug} initial={exports} />
      {may(project, 'owners.write') ? <RemoveProject project={slug} name={project.name} /> : null}
    </>
  );
}
