import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { DemoBanner } from '@/app/(console)/demo-banner';
import { IntegrityBanner } from '@/app/(console)/integrity-banner';
import { LiveProvider } from '@/app/(console)/live-provider';
import { Shell } from '@/app/(console)/shell';
import { loadMe, loadProject } from '@/app/_trpc/server';

interface Props {
  params: Promise<{ project: string }>;
  children: ReactNode;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const project = await loadProject((await params).project);
  return { title: { default: project.name, template: `%s · ${project.name} · Assay` } };
}

export default async function ProjectLayout({ params, children }: Props) {
  const [me, project] = await Promise.all([loadMe(), loadProject((await params).project)]);
  return (
    <LiveProvider key={project.slug} project={project.slug}>
      <Shell
        me={me}
        project={project}
        banner={
          <>
            <DemoBanner project={project} />
            <IntegrityBanner project={project} />
          </>
        }
      >
        {children}
      </Shell>
    </LiveProvider>
  );
}
